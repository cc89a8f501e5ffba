import { CborError } from '../../kernel/deterministic-cbor.ts';
import { sha256Hex, toHex } from '../../kernel/digest.ts';
import { chainKindOf } from '../../vault/chain-key.ts';
import { keyIdOf } from '../../vault/cose-key.ts';
import { typOf } from '../../vault/cose-sign1.ts';
import {
  parseStatement,
  UnreadableError,
  type ParsedStatement,
} from '../../vault/parsed-statement.ts';
import { SignatureChecks } from '../../vault/signatures.ts';
import type { ChainRow, HubClaim } from '../entry/chain-entry.ts';
import { holdKept } from './kept-beside-export.ts';
import { hubOf } from './kept-statement.ts';
import { fingerprintIn, type KeyRing } from '../keys/key-ring.ts';
import { sequenceItems } from '../read/read-cose-sequence.ts';
import { NO_SUBJECT, type Findings } from '../report/report.ts';
import { tellerFor, type Looked, type VerifyOptions } from './reported.ts';
import type { Trust } from '../keys/trust.ts';
import { keyName, noKeyOf, ringOf } from '../keys/trusted-ring.ts';
import { checkKind, compareWithChain } from './verify-audit-export.ts';
import { verifyChain, type ChainContext } from '../chain/verify-chain.ts';
import { verifyCheckpointBytes } from '../chain/verify-checkpoint.ts';
import { verifyReceipts, type LogClaim } from '../log/verify-receipts.ts';

const KIND = 'attestation';

/**
 * Verifies the signed structures of one chain, in order, with nothing beside them but the trusted keys: the entries, and at
 * the end the checkpoint of the head. The file holds no key statement, so it takes the keys themselves; and what a retired
 * key signed is covered by nothing in it but receipts by a key that is not retired.
 */
export const verifyAttestation = async (
  input: Uint8Array,
  options: VerifyOptions,
  findings: Findings,
): Promise<Looked> => {
  const subject = { ...NO_SUBJECT, kind: KIND } as const;
  const read = readSequence(input, findings);
  const [first] = read.entries;
  if (!first) {
    if (findings.isClean)
      findings.cannotTell('document', 'cannot tell: no entry of a chain stands in the file');
    return { subject: NO_SUBJECT };
  }
  if (findings.isClean && !read.entries.some(isOurs)) {
    findings.cannotTell(
      'document',
      'cannot tell: the file holds COSE_Sign1 structures of another project, and no entry of a chain. Verify it with the tools of that project',
    );
    return { subject: NO_SUBJECT };
  }
  const chainKey = first.signed?.header.chain?.chainKey ?? '';
  const all = [...read.entries, ...(read.closing ? [read.closing] : [])];
  const keyIds = [...new Set(all.flatMap(({ signed }) => (signed ? [signed.header.kid] : [])))];
  const ring = ringOf(options.trust);
  const found = { ...subject, chainKey, entries: read.entries.length, keyIds };
  if (!knowsAll(keyIds, ring, options.trust, findings)) return { subject: found };
  const hub = first.signed && hubOf(first.signed);
  const context: ChainContext = {
    ring,
    signatures: new SignatureChecks(),
    findings,
    agentKeys: options.agentKeys ?? null,
    cover: retiredKeys(
      all,
      await receiptsOf(read, { chainKey, hub, ring, trust: options.trust }, findings),
      options,
      findings,
    ),
    teller: tellerFor(options),
  };
  const scope = { chainKey, chainKind: chainKindOf(chainKey), area: 'chain', hub } as const;
  checkKind(scope, findings);
  const chain = await verifyChain(read.entries.map(rowOf), scope, context);
  const hashes = new Map(
    read.entries.map(({ coseSign1 }, index) => [index + 1, sha256Hex(coseSign1)]),
  );
  const head = chain.head?.position ?? 0;
  const completeAsOf = await checkClosing(read.closing, { chainKey, hashes, head }, hub, context);
  await context.signatures.settled();
  const beside = { chainKey, hashes, headPosition: head, completeAsOf, losses: [], ring, hub };
  return {
    kept: await holdKept(options.kept ?? [], beside, findings),
    subject: {
      ...found,
      head: chain.head,
      hubId: hub?.hubId ?? null,
      completeAsOf,
      evidence: chain.evidence,
    },
    story: context.teller
      ? {
          entries: context.teller,
          parties: [],
          criteria: null,
          keys: keyIds.map((keyId) => ({ keyId, fingerprint: fingerprintIn(ring, keyId) })),
        }
      : undefined,
  };
};

interface Structure {
  readonly coseSign1: Uint8Array;
  /** Null where it has none. */
  readonly receipts: readonly Uint8Array[] | null;
  /** Null where the bytes are no signed statement. */
  readonly signed: ParsedStatement | null;
}

/** Whether the bytes have any mark of ours: more than one, so that a change of one byte does not make them another project's. */
const isOurs = ({ signed, coseSign1 }: Structure): boolean =>
  signed !== null || OUR_MARKS.test(new TextDecoder('latin1').decode(coseSign1));
const OUR_MARKS = /application\/vnd\.notary\.|urn:service:|\/predicates\//;

interface Sequence {
  readonly entries: readonly Structure[];
  /** The last structure, where it is a checkpoint. */
  readonly closing: Structure | null;
}

const readSequence = (input: Uint8Array, findings: Findings): Sequence => {
  const structures: Structure[] = [];
  findings.looked('document');
  try {
    for (const item of sequenceItems(input))
      structures.push({ ...item, signed: parsed(item.coseSign1) });
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    sayUnread(structures.length, error, findings);
  }
  const last = structures.at(-1);
  const isClosed = last?.signed?.header.typ === typOf('checkpoint');
  return {
    entries: isClosed ? structures.slice(0, -1) : structures,
    closing: isClosed && last ? last : null,
  };
};

const sayUnread = (read: number, { message }: CborError, findings: Findings): void => {
  if (read === 0)
    findings.cannotTell(
      'document',
      `cannot tell: the file is no sequence of COSE_Sign1: ${message}`,
    );
  else
    findings.fail(
      'document',
      'document',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: null, position: null },
      `after ${read} structures the file cannot be read; if it was cut off, fetch it again: ${message}`,
    );
};

/** The structures of which an unretired key says that they stood in the log of their org. */
const receiptsOf = async (
  { entries, closing }: Sequence,
  log: Omit<LogClaim, 'orgId'>,
  findings: Findings,
): Promise<ReadonlySet<Structure>> => {
  const orgId = entries[0]?.signed?.statement?.predicate['orgId'];
  const claim = { ...log, orgId: typeof orgId === 'string' ? orgId : null };
  // No log holds checkpoints; a receipt that one has is looked at all the same.
  const looked = closing?.receipts ? [...entries, closing] : entries;
  const placed = looked.map((structure, index) => ({ ...structure, position: index + 1 }));
  const proven = await verifyReceipts(placed, claim, findings);
  return new Set(looked.filter((_structure, index) => proven.has(index + 1)));
};

/** What is wrong with the bytes is reported where they are verified. */
const parsed = (coseSign1: Uint8Array): ParsedStatement | null => {
  try {
    return parseStatement(coseSign1);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return null;
  }
};

/** The members that a row has beside its bytes; here the bytes alone say them. */
const rowOf = ({ coseSign1, signed }: Structure, index: number): ChainRow => {
  const { entryType, at } = signed?.statement?.predicate ?? {};
  const chain = signed?.header.chain;
  return {
    position: chain?.position ?? index + 1,
    entryType: typeof entryType === 'string' ? entryType : '',
    createdAt: typeof at === 'string' ? at : '',
    coseSign1,
    ...(chain ? { previousHash: toHex(chain.previousHash) } : {}),
  };
};

const knowsAll = (
  keyIds: readonly string[],
  ring: KeyRing,
  trust: Trust,
  findings: Findings,
): boolean => {
  const unknown = keyIds.filter((keyId) => !ring.has(keyId));
  if (unknown.length > 0 && ring.size > 0)
    findings.differentKey({ signedBy: unknown.map(keyName), trusted: trust.names });
  else
    for (const keyId of unknown) findings.cannotTell('keySuccession', noKeyOf(keyId), 'key_needed');
  return unknown.length === 0;
};

/**
 * Whether what these keys signed was there before they were retired shows in receipts of other keys alone; where one is
 * missing it is said once.
 */
const retiredKeys = (
  structures: readonly Structure[],
  proven: ReadonlySet<Structure>,
  { trust }: VerifyOptions,
  findings: Findings,
): Map<string, { readonly position: number }> => {
  const retired = trust.keys.filter((key) => trust.knowsRetired(key)).map(keyIdOf);
  const bare = structures.filter((structure) => !proven.has(structure));
  const keysOf = (signed: readonly Structure[]): Set<string> =>
    new Set(signed.flatMap((one) => (one.signed ? [one.signed.header.kid] : [])));
  const used = [...keysOf(structures)].filter((keyId) => retired.includes(keyId));
  const uncovered = keysOf(bare);
  for (const keyId of used.filter((candidate) => uncovered.has(candidate)))
    findings.cannotTell(
      'keyWindows',
      `cannot tell: signed by the key ${keyId}, which is retired, and nothing in the file shows that this was there before; an audit export of the record does, and so do receipts`,
    );
  return new Map(used.map((keyId) => [keyId, { position: Number.MAX_SAFE_INTEGER }]));
};

/** @returns the sealed time of the closing checkpoint, where it proves that the file holds the chain to its end. */
const checkClosing = async (
  closing: Structure | null,
  chain: {
    readonly chainKey: string;
    readonly hashes: ReadonlyMap<number, string>;
    readonly head: number;
  },
  hub: HubClaim | null,
  context: ChainContext,
): Promise<string | null> => {
  const { chainKey, hashes, head } = chain;
  const { findings } = context;
  const place = { chainKey, position: head };
  const reading =
    closing && verifyCheckpointBytes(closing.coseSign1, place, hub, context, () => true);
  if (!reading || !(await reading.proven)) {
    findings.cannotTell(
      'completeness',
      'cannot tell: no closing checkpoint that holds says where this chain ends',
    );
    return null;
  }
  const agrees = compareWithChain(reading.claim, 'completeness', chainKey, hashes, findings);
  if (reading.claim.position < head)
    findings.cannotTell(
      'completeness',
      `cannot tell: the closing checkpoint covers ${reading.claim.position} of ${head} entries`,
    );
  findings.looked('completeness');
  return agrees && reading.claim.position === head ? reading.claim.at : null;
};
