import { coseVerify } from 'cose-kit';
import { verifiesWhatWeSeal } from '../support/vectors/foreign-cose.ts';

// Alone in its file, because the library changes how its CBOR decoder reads tag 18 for the whole process.
verifiesWhatWeSeal('cose-kit', async (bytes, key) => (await coseVerify(bytes, key)).isValid);
