import type { JsonObject } from '../../kernel/canonical-json.ts';
import { toHex } from '../../kernel/digest.ts';
import { GENESIS_HASH, issuerOf } from '../../vault/chain.ts';
import { chainKindOf } from '../../vault/chain-key.ts';
import { typOf } from '../../vault/cose-sign1.ts';
import { predicateTypeOf } from '../../vault/statement.ts';
import { wholeSeconds, type HubClaim } from '../entry/chain-entry.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';
import type { FailureClass } from '../report/failure.ts';
import { predicateFault } from '../entry/predicate-check.ts';
import { keyForUse } from '../keys/key-ring.ts';
import {
  parseStatement,
  UnreadableError,
  type ParsedStatement,
} from '../../vault/parsed-statement.ts';
import type { ChainContext } from './verify-chain.ts';
import { tellSignature } from '../entry/signature-finding.ts';

/** A checkpoint as a file shows it, bytes decoded; `headHash` in lowercase hex. */
export interface CheckpointRow {
  readonly logIndex: number;
  readonly chainKind: string;
  readonly chainKey: string;
  readonly position: number;
  readonly headHash: string;
  readonly signingKeyId: string;
  readonly createdAt: string;
  readonly coseSign1: Uint8Array;
}

/** What the signed bytes of a checkpoint say of its chain. */
export interface CheckpointClaim {
  readonly chainKey: string;
  readonly position: number;
  readonly headHash: string;
  readonly logIndex: number | null;
  /** The tree that it states; null where it states none. */
  readonly tree: { readonly size: number; readonly root: string } | null;
  readonly at: string;
}

export interface CheckpointReading {
  readonly claim: CheckpointClaim;
  readonly predicate: JsonObject;
  /** The key that its header names. */
  readonly keyId: string;
  /** Whether its signature holds. */
  readonly proven: Promise<boolean>;
}

/**
 * Checks one checkpoint: envelope, statement, signature, and the row shown beside it. What it says about the chain is
 * returned and not compared here; null where it says nothing that can be read.
 *
 * The signature check may still run when this returns; `context.signatures.settled()` waits for it.
 */
export const verifyCheckpoint = (
  row: CheckpointRow,
  hub: HubClaim | null,
  context: ChainContext,
): CheckpointReading | null => {
  const place = { chainKey: row.chainKey, position: row.position };
  const reading = verifyCheckpointBytes(row.coseSign1, place, hub, context);
  if (!reading) return null;
  const fail = (failureClass: FailureClass, detail: string): void =>
    context.findings.fail('checkpoints', 'checkpoints', failureClass, place, detail);
  for (const detail of rowFaults(row, reading)) fail('CHECKPOINT_HEAD_MISMATCH', detail);
  if (row.signingKeyId !== reading.keyId)
    fail(
      'CHAIN_SIGNING_KEY_DRIFT',
      `the checkpoint is shown as signed by the key ${row.signingKeyId}, its header names ${reading.keyId}`,
    );
  return reading;
};

/**
 * The same of the signed bytes alone.
 *
 * @param isCovered whether the root that a retirement seals covers it, where a retired key signed it.
 */
export const verifyCheckpointBytes = (
  coseSign1: Uint8Array,
  place: { readonly chainKey: string; readonly position: number },
  hub: HubClaim | null,
  context: ChainContext,
  isCovered: (keyId: string) => boolean = () => false,
): CheckpointReading | null => {
  const { findings } = context;
  const fail = (failureClass: FailureClass, detail: string): void =>
    findings.fail('checkpoints', 'checkpoints', failureClass, place, detail);
  findings.looked('checkpoints');
  const signed = read(coseSign1, (detail) => fail('CHECKPOINT_DECODE_FAILED', detail));
  if (!signed) return null;
  const predicate = signed.statement?.predicate ?? null;
  const claim = predicate && claimOf(predicate);
  if (!predicate || !claim) {
    fail('CHECKPOINT_DECODE_FAILED', 'the payload is not the statement of a checkpoint');
    return null;
  }
  for (const detail of structureFaults(signed, predicate, claim, hub))
    fail('CHECKPOINT_DECODE_FAILED', detail);
  findings.looked('signatures');
  const keyId = signed.header.kid;
  const key = keyForUse(
    context.ring,
    signed.header,
    {
      place,
      area: 'checkpoints',
      at: claim.at,
      missing: 'CHECKPOINT_SIGNATURE_MISSING_KEY',
      isCovered,
    },
    findings,
  );
  if (!key) return { claim, predicate, keyId, proven: Promise.resolve(false) };
  const proven = new Promise<boolean>((resolve) => {
    context.signatures.submit(key, signed.signature, signed.signed, (result) => {
      tellSignature(result, key, 'CHECKPOINT_SIGNATURE_INVALID', (failureClass, detail) =>
        findings.fail('signatures', 'checkpoints', failureClass, place, detail),
      );
      resolve(result === 'valid');
    });
  });
  return { claim, predicate, keyId, proven };
};

/** What signed bytes say, where nothing of it is to be verified; null where they are no checkpoint. */
export const checkpointIn = (
  coseSign1: Uint8Array,
): Pick<CheckpointReading, 'claim' | 'keyId'> | null => {
  const signed = read(coseSign1, () => undefined);
  const claim = signed?.statement && claimOf(signed.statement.predicate);
  return claim ? { claim, keyId: signed.header.kid } : null;
};

const read = (coseSign1: Uint8Array, fail: (detail: string) => void): ParsedStatement | null => {
  try {
    return parseStatement(coseSign1);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    fail(error.message);
    return null;
  }
};

const claimOf = (predicate: JsonObject): CheckpointClaim | null => {
  const { chainKey, position, headHash, logIndex, treeSize, treeRoot, at } = predicate;
  if (
    typeof chainKey !== 'string' ||
    typeof position !== 'number' ||
    position < 0 ||
    typeof headHash !== 'string' ||
    !isTimestamp(at)
  )
    return null;
  if (logIndex !== undefined && typeof logIndex !== 'number') return null;
  const tree =
    typeof treeSize === 'number' && typeof treeRoot === 'string'
      ? { size: treeSize, root: treeRoot }
      : null;
  return { chainKey, position, headHash, logIndex: logIndex ?? null, tree, at };
};

/** Reasons why the signed bytes are no checkpoint of this hub. */
const structureFaults = (
  signed: ParsedStatement,
  predicate: JsonObject,
  claim: CheckpointClaim,
  hub: HubClaim | null,
): string[] => {
  const { header, statement } = signed;
  const faults: string[] = [];
  const departure = predicateFault('vault-checkpoint', predicate);
  if (departure) faults.push(departure);
  if (signed.hasUnprotected) faults.push('the unprotected header is not empty');
  if (header.typ !== typOf('checkpoint'))
    faults.push(`the structure is a "${header.typ}", not a checkpoint`);
  if (header.chain) faults.push('a checkpoint claims no place in a chain');
  if (
    header.sub !== claim.chainKey ||
    statement?.subjectName !== `chain/${claim.chainKey}` ||
    statement.subjectDigest !== claim.headHash
  )
    faults.push('the subject is not the chain and the hash that the predicate names');
  if (predicate['chainKind'] !== chainKindOf(claim.chainKey))
    faults.push('the chain is of another kind than the predicate says');
  if (claim.position === 0 && !isOfLogAlone(predicate, claim))
    faults.push('it covers no entry, and it is none of the log of an org without a schema chain');
  if (hub && header.iss !== issuerOf(hub.hubId))
    faults.push(`the issuer is ${header.iss}, not the hub of the platform chain`);
  if (hub && statement?.predicateType !== predicateTypeOf(hub.predicateBase, 'vault-checkpoint'))
    faults.push(
      `the predicate type is ${statement?.predicateType}, not that of a checkpoint of this hub`,
    );
  if (header.iat !== wholeSeconds(claim.at))
    faults.push('the issue time is not the time of the statement');
  return faults;
};

/** The log of an org may grow before its schema chain begins. */
const isOfLogAlone = (predicate: JsonObject, { headHash, tree }: CheckpointClaim): boolean =>
  predicate['chainKind'] === 'schema' && headHash === toHex(GENESIS_HASH) && tree !== null;

const rowFaults = (row: CheckpointRow, { predicate, claim }: CheckpointReading): string[] => {
  const faults: string[] = [];
  const compare = (member: string, shown: string | number, sealed: unknown): void => {
    if (shown !== sealed)
      faults.push(`${member} is shown as ${shown}, sealed is ${JSON.stringify(sealed ?? null)}`);
  };
  compare('chainKey', row.chainKey, claim.chainKey);
  compare('chainKind', row.chainKind, predicate['chainKind']);
  compare('position', row.position, claim.position);
  compare('headHash', row.headHash, claim.headHash);
  compare('logIndex', row.logIndex, claim.logIndex);
  compare('createdAt', row.createdAt, claim.at);
  return faults;
};
