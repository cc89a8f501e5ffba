import { publicKeyOfCoseKey } from '../../identity/agent-key-input.ts';
import { verifyingKeyOf } from '../../identity/agent-public-key.ts';
import type { JsonObject } from '../../kernel/canonical-json.ts';
import { NotaryError } from '../../kernel/errors.ts';
import type { PublicKey } from '../../vault/cose-key.ts';

/** The keys of witnesses, by their id: of every one that was ever named. */
export type WitnessKeys = ReadonlyMap<string, PublicKey>;

/** The key that an entry of the platform chain names; null where it names none. */
export const witnessIn = (
  predicate: JsonObject,
): { readonly witnessKeyId: string; readonly key: PublicKey } | null => {
  const { entryType, witnessKeyId, coseKey } = predicate;
  if (entryType !== 'WITNESS_ADDED') return null;
  if (typeof witnessKeyId !== 'string' || typeof coseKey !== 'string') return null;
  try {
    return { witnessKeyId, key: verifyingKeyOf(publicKeyOfCoseKey(coseKey)) };
  } catch (error) {
    if (error instanceof NotaryError) return null;
    throw error;
  }
};
