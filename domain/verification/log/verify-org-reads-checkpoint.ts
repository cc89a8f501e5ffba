import { cosignatureBytes } from '../../transparency/cosignature.ts';
import { orgReadsKey } from '../../transparency/org-read.ts';
import { issuerOf } from '../../vault/chain.ts';
import { typOf } from '../../vault/cose-sign1.ts';
import {
  parseStatement,
  UnreadableError,
  type ParsedStatement,
} from '../../vault/parsed-statement.ts';
import { VerifyingKeys } from '../../vault/signatures.ts';
import { predicateTypeOf } from '../../vault/statement.ts';
import { wholeSeconds, type HubClaim } from '../entry/chain-entry.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';
import type { FailureClass } from '../report/failure.ts';
import { keyForOrgReads } from './org-reads-keys.ts';
import type { OrgReadsCheckpointRow } from './org-reads-rows.ts';
import { predicateFault } from '../entry/predicate-check.ts';
import type { OrgReadsContext } from './org-reads-context.ts';
import { tellSignature } from '../entry/signature-finding.ts';

/** What the signed bytes of a checkpoint of reads say. */
export interface OrgReadsClaim {
  readonly treeSize: number;
  /** Lowercase hex, as is `headHash`. */
  readonly root: string;
  readonly headHash: string;
  readonly at: string;
}

type Fail = (failureClass: FailureClass, detail: string) => void;

/** What a checkpoint says, unverified, and which key it names; null where it cannot be read. */
export const claimIn = (
  coseSign1: Uint8Array,
): { readonly keyId: string; readonly claim: OrgReadsClaim } | null => {
  try {
    const signed = parseStatement(coseSign1);
    const claim = claimOf(signed);
    return claim && { keyId: signed.header.kid, claim };
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
};

/**
 * Checks a checkpoint of reads as such. @returns what it says, to be compared with the leaves; null where it is none.
 *
 * @param cover how many leaves a checkpoint by a key that is not retired covers.
 */
export const checkOrgReadsCheckpoint = (
  orgId: string,
  row: OrgReadsCheckpointRow,
  cover: number,
  context: OrgReadsContext,
): OrgReadsClaim | null => {
  const place = { chainKey: orgReadsKey(orgId), position: row.treeSize };
  const fail: Fail = (failureClass, detail) =>
    context.findings.fail('orgReads', 'checkpoints', failureClass, place, detail);
  context.findings.looked('orgReads');
  const { signed, claim } = parse(row, fail);
  if (!signed || !claim) return null;
  for (const fault of structureFaults(orgId, signed, claim, context.hub))
    fail('TENANT_CHECKPOINT_SIGNATURE_INVALID', fault);
  compareRow(row, signed, claim, fail);
  checkSignature(signed, claim, claim.treeSize <= cover, { context, place, fail });
  checkCosignature(row, context, fail);
  return claim;
};

const parse = (
  row: OrgReadsCheckpointRow,
  fail: Fail,
): { readonly signed: ParsedStatement | null; readonly claim: OrgReadsClaim | null } => {
  try {
    const signed = parseStatement(row.coseSign1);
    const claim = claimOf(signed);
    if (!claim)
      fail(
        'TENANT_CHECKPOINT_SIGNATURE_INVALID',
        'the payload is not the statement of a checkpoint of reads',
      );
    return { signed, claim };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    fail('TENANT_CHECKPOINT_SIGNATURE_INVALID', error.message);
    return { signed: null, claim: null };
  }
};

const claimOf = ({ statement }: ParsedStatement): OrgReadsClaim | null => {
  const { treeSize, treeRoot, headHash, at } = statement?.predicate ?? {};
  return typeof treeSize === 'number' &&
    typeof treeRoot === 'string' &&
    typeof headHash === 'string' &&
    isTimestamp(at)
    ? { treeSize, root: treeRoot, headHash, at }
    : null;
};

/** Reasons why the signed bytes are no checkpoint of this log at this hub. */
const structureFaults = (
  orgId: string,
  { header, statement, hasUnprotected }: ParsedStatement,
  claim: OrgReadsClaim,
  hub: HubClaim | null,
): readonly string[] => {
  const chainKey = orgReadsKey(orgId);
  const predicate = statement?.predicate ?? {};
  const departure = predicateFault('vault-checkpoint', predicate);
  const isOurs =
    !hub ||
    (header.iss === issuerOf(hub.hubId) &&
      statement?.predicateType === predicateTypeOf(hub.predicateBase, 'vault-checkpoint'));
  const isNamed =
    header.sub === chainKey &&
    predicate['chainKey'] === chainKey &&
    predicate['chainKind'] === 'org-reads' &&
    statement?.subjectName === `chain/${chainKey}` &&
    statement.subjectDigest === claim.headHash;
  return [
    ...(departure ? [departure] : []),
    ...(header.typ === typOf('checkpoint') ? [] : ['the structure is not a checkpoint']),
    ...(header.chain || hasUnprotected ? ['its header has members that it must not have'] : []),
    ...(isNamed ? [] : ['it is a checkpoint of another log']),
    ...(isOurs ? [] : ['it is no checkpoint of this hub']),
    ...(header.iat === wholeSeconds(claim.at)
      ? []
      : ['the issue time is not that of the statement']),
  ];
};

const compareRow = (
  row: OrgReadsCheckpointRow,
  { header, statement }: ParsedStatement,
  claim: OrgReadsClaim,
  fail: Fail,
): void => {
  if (row.treeSize !== claim.treeSize || statement?.predicate['position'] !== claim.treeSize)
    fail(
      'TENANT_CHECKPOINT_SIZE_MISMATCH',
      `${row.treeSize} reads are shown, ${claim.treeSize} were sealed`,
    );
  if (row.rootHash !== claim.root)
    fail(
      'TENANT_CHECKPOINT_ROOT_MISMATCH',
      'the root that is shown is not the one that was sealed',
    );
  if (row.createdAt !== claim.at)
    fail(
      'CHECKPOINT_HEAD_MISMATCH',
      `createdAt is shown as ${row.createdAt}, sealed is ${claim.at}`,
    );
  if (row.signingKeyId !== header.kid)
    fail(
      'CHAIN_SIGNING_KEY_DRIFT',
      `it is shown as signed by the key ${row.signingKeyId}, its header names ${header.kid}`,
    );
};

interface Judged {
  readonly context: OrgReadsContext;
  readonly place: { readonly chainKey: string; readonly position: number };
  readonly fail: Fail;
}

const checkSignature = (
  { header, signature, signed }: ParsedStatement,
  { at }: OrgReadsClaim,
  covered: boolean,
  { context: { ring, findings, signatures }, place, fail }: Judged,
): void => {
  const invalid = 'TENANT_CHECKPOINT_SIGNATURE_INVALID';
  const key = keyForOrgReads(ring, header, { place, at, invalid, covered }, findings);
  if (!key) return;
  signatures.submit(key, signature, signed, (result) => tellSignature(result, key, invalid, fail));
};

const checkCosignature = (
  { coseSign1, witnessKeyId, witnessSignature }: OrgReadsCheckpointRow,
  { witnesses, signatures }: OrgReadsContext,
  fail: Fail,
): void => {
  const [id, signature] = [witnessKeyId ?? null, witnessSignature ?? null];
  if (id === null && signature === null) return;
  const invalid = 'TENANT_CHECKPOINT_COSIGNATURE_INVALID';
  const key = id === null ? undefined : witnesses.get(id);
  if (!key || !signature) {
    fail(invalid, `no entry of the platform chain names the witness ${id}`);
    return;
  }
  // Ordinary clients make both forms of ES256.
  const verifying = new VerifyingKeys().of(key);
  const bytes = cosignatureBytes(coseSign1);
  signatures.submit(
    verifying,
    signature,
    bytes,
    (result) => {
      if (result === 'invalid') fail(invalid, `the signature is not one of the witness ${id}`);
      if (result === 'unsupported')
        fail('CHAIN_UNSUPPORTED_ALGORITHM', `this runtime cannot check ${key.algorithm}`);
    },
    'any',
  );
};
