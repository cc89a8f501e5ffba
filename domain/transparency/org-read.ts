import { bytesEqual, toHex } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { GENESIS_HASH, nextAt, signStatement, type Seal } from '../vault/chain.ts';
import { typOf } from '../vault/cose-sign1.ts';
import { openEntry, readEntry, type KeyLookup } from '../vault/open-entry.ts';
import {
  tenantReadStatement,
  type ActorClaim,
  type Protocol,
  type TenantReadPredicate,
} from '../vault/statement.ts';
import { orgReadLeaf } from './org-reads-tree.ts';

/** The name of an org's log of reads, in claims, checkpoints and among the stored nodes. */
export const orgReadsKey = (orgId: Uuid): string => `org-reads:${orgId}`;

/** A read of an org's data, as a leaf of the org's log. */
export interface OrgRead {
  readonly orgId: Uuid;
  /** From 0, without a gap. */
  readonly leafIndex: number;
  readonly signingKeyId: string;
  /** SHA-256 of `coseSign1`, 32 bytes. */
  readonly leafHash: Uint8Array;
  readonly coseSign1: Uint8Array;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
}

/** What was read, and by whom. */
export interface ReadClaim {
  readonly actor: ActorClaim;
  readonly requestId: string;
  readonly operation: string;
  /** What was read, as `kind/id`; undefined where the operation names nothing. */
  readonly target?: string;
  /** SHA-256 over the RFC 8785 form of the checked input, lowercase hex. */
  readonly inputDigest: string;
  readonly protocol: Protocol;
}

/** Where a log ends: what the next leaf needs. */
export type ReadsHead = Pick<OrgRead, 'leafIndex' | 'leafHash' | 'createdAt'>;

/** Signs a read as the leaf after `head`; null: as the first. */
export const sealOrgRead = async (
  seal: Seal,
  predicateBase: string,
  orgId: Uuid,
  head: ReadsHead | null,
  claim: ReadClaim,
  now: Date,
): Promise<OrgRead> => {
  const chainKey = orgReadsKey(orgId);
  const leafIndex = head ? head.leafIndex + 1 : 0;
  const before = head && {
    chainKey,
    position: leafIndex,
    hash: head.leafHash,
    at: head.createdAt,
  };
  const at = nextAt(now, before, seal);
  const { target, ...rest } = claim;
  const statement = tenantReadStatement(predicateBase, {
    entryType: 'ORG_READ',
    at,
    orgId,
    leafIndex,
    previousHash: toHex(head?.leafHash ?? GENESIS_HASH),
    ...rest,
    ...(target === undefined ? {} : { target }),
  });
  const coseSign1 = await signStatement(seal, 'org-read', chainKey, statement, at);
  return {
    orgId,
    leafIndex,
    signingKeyId: seal.signer.keyId,
    leafHash: orgReadLeaf(coseSign1),
    coseSign1,
    createdAt: at,
  };
};

/**
 * What a stored leaf says, or null where its row does not repeat what its own bytes say, or the signature over them does
 * not hold.
 */
export const openOrgRead = async (
  read: OrgRead,
  keys: KeyLookup,
): Promise<TenantReadPredicate | null> => {
  const opened = await openEntry(read.coseSign1, keys);
  return opened && isRow(read, opened) ? said(opened) : null;
};

/**
 * The same without its signature: for whoever knows that the leaf is genuine, because a verified later one names its
 * hash.
 */
export const readOrgRead = (read: OrgRead): TenantReadPredicate | null => {
  const opened = readEntry(read.coseSign1);
  return opened && isRow(read, opened) ? said(opened) : null;
};

type Opened = NonNullable<ReturnType<typeof readEntry>>;

const said = ({ predicate }: Opened): TenantReadPredicate =>
  predicate as unknown as TenantReadPredicate;

const isRow = (read: OrgRead, opened: Opened): boolean => {
  const { header } = opened;
  const { entryType, orgId, leafIndex, at } = said(opened);
  return (
    header.typ === typOf('org-read') &&
    header.kid === read.signingKeyId &&
    header.sub === orgReadsKey(read.orgId) &&
    entryType === 'ORG_READ' &&
    orgId === read.orgId &&
    leafIndex === read.leafIndex &&
    at === read.createdAt &&
    bytesEqual(read.leafHash, orgReadLeaf(read.coseSign1))
  );
};
