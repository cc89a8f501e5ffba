import { decodeBase64Strict } from '../kernel/base64.ts';
import { isObject, type JsonValue } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import { spkiOf, fingerprintOf } from '../vault/cose-key.ts';
import { followSuccession, type KeySuccession } from '../vault/key-succession.ts';
import type { PeerVaultKey } from './peer.ts';

/** Key statements of a peer that cannot be taken: they are no succession, or not that of the peer that was registered. */
export class PeerSuccessionError extends Error {
  override readonly name = 'PeerSuccessionError';
}

/** Bounds what a peer can make this hub verify. */
const MAX_STATEMENTS = 2_048;

/** The bytes of `keyStatements[]` in an answer of verification-keys, by position. @throws PeerSuccessionError */
export const statementsIn = (answer: JsonValue): readonly Uint8Array[] => {
  const listed = isObject(answer) ? answer['keyStatements'] : null;
  if (!Array.isArray(listed) || listed.length > MAX_STATEMENTS)
    throw new PeerSuccessionError('the answer has no keyStatements that can be read');
  return listed.map((item: JsonValue) => {
    const coseSign1 = isObject(item) ? item['coseSign1'] : null;
    const bytes = typeof coseSign1 === 'string' ? decodeBase64Strict(coseSign1) : null;
    if (!bytes) throw new PeerSuccessionError('a key statement is no canonical base64');
    return bytes;
  });
};

/**
 * The succession of a peer's vault keys, from the root that was registered.
 *
 * @throws PeerSuccessionError where a rule is broken, or where the succession is that of another hub or another root.
 */
export const followPeerSuccession = async (
  { hubId, vaultRoot }: { readonly hubId: Uuid; readonly vaultRoot: string },
  statements: readonly Uint8Array[],
): Promise<KeySuccession> => {
  const succession = await followSuccession(statements);
  const [fault] = succession.faults;
  if (fault) throw new PeerSuccessionError(`${fault.failureClass}: ${fault.detail}`);
  const root = succession.keys[0]?.verifying;
  if (succession.hub?.hubId !== hubId)
    throw new PeerSuccessionError('the key statements are those of another hub');
  if (!root || fingerprintOf(root.key) !== vaultRoot)
    throw new PeerSuccessionError('the first key is not the root that was registered');
  return succession;
};

/** The keys of a succession, those of unknown algorithms left out, by their id. */
export const peerVaultKeysOf = ({ keys, hub }: KeySuccession): ReadonlyMap<string, PeerVaultKey> =>
  new Map(
    keys.flatMap(({ keyId, verifying, activatedAt, retiredAt, retirement }) =>
      verifying && hub
        ? [
            [
              keyId,
              {
                keyId,
                algorithm: verifying.key.algorithm,
                predicateBase: hub.predicateBase,
                publicKey: spkiOf(verifying.key),
                activatedAt,
                retiredAt,
                retirement: retirement?.reason ?? null,
              },
            ] as const,
          ]
        : [],
    ),
  );
