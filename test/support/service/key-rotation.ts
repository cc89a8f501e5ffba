import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { encodeCbor } from '../../../domain/kernel/deterministic-cbor.ts';
import { sha256, toHex } from '../../../domain/kernel/digest.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { sealEntry, type ChainEntry, type ChainHead } from '../../../domain/vault/chain.ts';
import { coseKeyOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import type { PlatformEntryType } from '../../../domain/vault/entry-type.ts';
import {
  keyActivatedMembers,
  possessionBytes,
  type RetirementReason,
} from '../../../domain/vault/key-statement.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { platformStatement, type Canonicalization } from '../../../domain/vault/statement.ts';

export interface RotationPlace {
  readonly hubId: string;
  readonly predicateBase: string;
  readonly canonicalization: Canonicalization;
  /** Of the platform chain. */
  readonly head: ChainHead;
  /** Stored hash of the newest key statement. */
  readonly lastStatement: Uint8Array;
  readonly at: string;
}

export interface RotationOptions {
  readonly reason?: RetirementReason;
  readonly treeSize?: number;
  readonly treeRoot?: string;
  readonly uncovered?: number;
  /** Members that break a rule. */
  readonly activated?: JsonObject;
  readonly retired?: JsonObject;
  /** Who signs, if not who should. */
  readonly activatedBy?: Signer;
  readonly retiredBy?: Signer;
  /** An entry between the two, where none belongs. */
  readonly between?: boolean;
}

export interface Rotation {
  readonly activated: ChainEntry;
  readonly retired: ChainEntry;
}

/** Writes a key statement, or another entry of the platform chain. */
export const platformEntry = (
  { hubId, predicateBase, canonicalization, at }: Omit<RotationPlace, 'lastStatement' | 'head'>,
  signer: Signer,
  head: ChainHead | null,
  entryType: PlatformEntryType,
  members: JsonObject,
): Promise<ChainEntry> =>
  sealEntry(
    { hubId, signer, canonicalization, keyActivatedAt: at },
    PLATFORM_CHAIN,
    head,
    platformStatement(predicateBase, {
      entryType,
      at,
      requestId: '0190a000-0000-7000-8000-00000000ffff',
      actor: { kind: 'system' },
      ...members,
    }),
    { entryType, recordId: null, orgId: null, at, oidcIss: null, oidcSub: null },
  );

/** The two entries of a rotation as vault.md section 3 has them: KEY_ACTIVATED by the old key, KEY_RETIRED by the new one. */
export const sealRotation = async (
  place: RotationPlace,
  old: Signer,
  next: Signer,
  options: RotationOptions = {},
): Promise<Rotation> => {
  const key = publicKeyFromSpki(next.publicKey);
  const possession = await next.sign(
    possessionBytes(place.hubId, old.keyId, next.keyId, encodeCbor(coseKeyOf(key))),
  );
  const activated = await platformEntry(
    place,
    options.activatedBy ?? old,
    place.head,
    'KEY_ACTIVATED',
    {
      ...keyActivatedMembers(place.hubId, key, {
        possession,
        previousStatement: place.lastStatement,
      }),
      ...options.activated,
    },
  );
  const between = options.between
    ? await platformEntry(place, next, activated, 'ORG_CREATED', { orgId: place.hubId })
    : activated;
  const retired = await platformEntry(place, options.retiredBy ?? next, between, 'KEY_RETIRED', {
    keyId: old.keyId,
    reason: options.reason ?? 'scheduled',
    treeSize: options.treeSize ?? 0,
    treeRoot: options.treeRoot ?? toHex(sha256(new Uint8Array(0))),
    uncovered: options.uncovered ?? 0,
    ...options.retired,
  });
  return { activated, retired };
};
