import { encodeBase64 } from '../kernel/base64.ts';
import { encodeCbor } from '../kernel/deterministic-cbor.ts';
import { sha256Hex, toHex } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { VaultAlgorithm } from './algorithm.ts';
import { coseKeyOf, keyIdOf, type PublicKey } from './cose-key.ts';

/** A key of the hub as it is listed: what the key statements on the platform chain say of it. */
export interface VaultKey {
  readonly keyId: string;
  readonly algorithm: VaultAlgorithm;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  readonly status: 'active' | 'retired';
  /** ISO 8601 with milliseconds. */
  readonly activatedAt: string;
  readonly retiredAt: string | null;
}

/** A copy, byte for byte, of a KEY_ACTIVATED or KEY_RETIRED entry of the platform chain. */
export interface KeyStatement {
  readonly keyId: string;
  readonly statement: 'activated' | 'retired';
  readonly chainPosition: number;
  readonly coseSign1: Uint8Array;
  readonly createdAt: string;
}

export type RetirementReason = 'scheduled' | 'compromised';

/**
 * Members that KEY_ACTIVATED adds to the predicate. `coseKey` is the base64 of the deterministic COSE_Key
 * with its alg; a verifier takes algorithm and key from here and from nowhere else.
 */
export type KeyActivatedMembers = {
  readonly hubId: Uuid;
  readonly keyId: string;
  readonly coseKey: string;
  /** Base64 of the new key's own signature over `possessionBytes`; absent for the first key, as is `previousStatement`. */
  readonly possession?: string;
  /** The stored hash of the key statement before this one, lowercase hex. */
  readonly previousStatement?: string;
};

export const keyActivatedMembers = (
  hubId: Uuid,
  key: PublicKey,
  successor?: { readonly possession: Uint8Array; readonly previousStatement: Uint8Array },
): KeyActivatedMembers => ({
  hubId,
  keyId: keyIdOf(key),
  coseKey: encodeBase64(encodeCbor(coseKeyOf(key))),
  ...(successor
    ? {
        possession: encodeBase64(successor.possession),
        previousStatement: toHex(successor.previousStatement),
      }
    : {}),
});

/**
 * Members that KEY_RETIRED adds to the predicate. `treeSize` and `treeRoot` (lowercase hex) are those of the log of
 * checkpoints with the last one that the key signed; `uncovered` counts the chains that could not be checkpointed.
 */
export type KeyRetiredMembers = {
  readonly keyId: string;
  readonly reason: RetirementReason;
  readonly treeSize: number;
  readonly treeRoot: string;
  readonly uncovered: number;
};

/** What the new key signs at a rotation, to show that its holder takes part. The prefix is used for nothing else. */
export const possessionBytes = (
  hubId: string,
  oldKeyId: string,
  newKeyId: string,
  coseKey: Uint8Array,
): Uint8Array =>
  new TextEncoder().encode(
    `service.key-possession.v1\n${hubId}\n${oldKeyId}\n${newKeyId}\n${sha256Hex(coseKey)}`,
  );
