import { ALGORITHMS } from '../../vault/algorithm.ts';
import { keyIdOf } from '../../vault/cose-key.ts';
import { VerifyingKeys } from '../../vault/signatures.ts';
import type { KeyRing } from './key-ring.ts';
import type { Findings } from '../report/report.ts';
import type { Trust } from './trust.ts';

/** The trusted keys as if each had been active all the time before: no other key statement is here that says otherwise. */
export const ringOf = ({ keys, retirementOf }: Trust): KeyRing => {
  const verifying = new VerifyingKeys();
  return new Map(
    keys.map((key) => {
      const known = verifying.of(key);
      return [
        known.keyId,
        {
          keyId: known.keyId,
          verifying: known,
          alg: ALGORITHMS[key.algorithm].cose,
          activatedAt: '',
          retiredAt: retirementOf(key)?.at ?? null,
          retirement: null,
          reached: true,
          retiredSinceAt: null,
        },
      ];
    }),
  );
};

/** A key that a file names and does not contain, for people. */
export const keyName = (keyId: string): string => `the key ${keyId.slice(0, 80)}`;

/** Why a file that contains no key needs more than a fingerprint. */
export const noKeyOf = (keyId: string): string =>
  `cannot tell: signed with ${keyName(keyId)}. The file contains no key, and neither does a fingerprint; give the keys of the hub as a file or URL`;

/** Nothing can cover what a retired key signed alone: whoever has the key by now may have signed it and dated it back. */
export const sayRetired = (keyId: string, trust: Trust, findings: Findings): void => {
  const key = trust.keys.find((candidate) => keyIdOf(candidate) === keyId);
  const known = key && trust.retirementOf(key);
  if (!known) return;
  if (known.reason === 'scheduled')
    findings.note(`signed by the key ${keyId}, which was retired on schedule`);
  else
    findings.cannotTell(
      'keyWindows',
      known.reason === 'compromised'
        ? `cannot tell: signed by the key ${keyId}, which was retired as compromised; whoever has it may have signed this. An export that holds the entry can tell`
        : `cannot tell: signed by the key ${keyId}, which is retired, and the listing does not say why. An export that holds the entry can tell`,
      known.reason === 'compromised' ? 'compromised_key' : 'retired_key',
    );
};
