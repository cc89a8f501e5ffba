import { Sign1 } from '@auth0/cose';
import { verifiesWhatWeSeal } from '../support/vectors/foreign-cose.ts';

// Alone in its file, because the library changes how its CBOR decoder reads tag 18 for the whole process.
verifiesWhatWeSeal('@auth0/cose', async (bytes, key) => {
  await Sign1.decode(bytes).verify(key);
  return true;
});
