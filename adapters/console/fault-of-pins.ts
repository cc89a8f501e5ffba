import { FingerprintError, fingerprintsIn } from '../docs/browser/fingerprints-in.ts';

/** Empty if the field is empty or holds fingerprints; otherwise what is wrong with it. */
export const faultOfPins = (pins: string): string => {
  try {
    fingerprintsIn(pins);
    return '';
  } catch (error) {
    if (!(error instanceof FingerprintError)) throw error;
    return error.message;
  }
};
