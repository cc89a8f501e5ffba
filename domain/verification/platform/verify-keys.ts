import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import { fingerprintOf } from '../../vault/cose-key.ts';
import { followSuccession, type KeySuccession } from '../../vault/key-succession.ts';
import type { KeyFailureClass } from '../../vault/read-key-statement.ts';
import type { VerifyingKeys } from '../../vault/signatures.ts';
import type { HubClaim } from '../entry/chain-entry.ts';
import type { KeyStatementRow } from '../keys/key-material.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { CheckName, Findings } from '../report/report.ts';
import type { KnownRetirement, Trust } from '../keys/trust.ts';

export interface KeyOutcome {
  readonly ring: KeyRing;
  /** Null where position 1 of the platform chain is not there or does not hold. */
  readonly hub: HubClaim | null;
  /** The retirement of the newest key, if the file is older than that and a trusted listing shows it. */
  readonly retiredSince: KnownRetirement | null;
}

export interface KeyContext {
  readonly trust: Trust;
  /** Trust the first key if none was given, so that the checks run. The caller judges what they are worth. */
  readonly embedded: boolean;
  readonly keys: VerifyingKeys;
  readonly findings: Findings;
}

/**
 * Follows the succession of keys, reports what is wrong with it, and says which of its keys are trusted: all of them
 * where a trusted key is one of them. From that key to its successors each was named by the one before; back to its
 * predecessors the statements seal each other by their hashes. What a retired key signed needs a cover besides, which
 * `keyForUse` asks for.
 *
 * A file that is older than the newest rotation does not hold its statements, and neither does one from which they were
 * taken together with the key row. Both look the same. Whoever trusts the newest key alone cannot tell; a listing says how
 * the key was retired, and `judgeRetiredSince` says what that means for the file.
 */
export const verifyKeyStatements = async (
  rows: readonly KeyStatementRow[],
  context: KeyContext,
): Promise<KeyOutcome> => {
  const { trust, embedded, findings } = context;
  const succession = await followSuccession(
    rows.map((row) => row.coseSign1),
    context.keys,
  );
  for (const { check, times } of LOOKED) findings.looked(check, times * rows.length);
  for (const { failureClass, position, detail } of succession.faults)
    fail(findings, failureClass, position, detail);
  compareRows(rows, succession, findings);
  const known = succession.keys.flatMap(({ verifying }) => (verifying ? [verifying.key] : []));
  const newest = succession.faults.length === 0 ? succession.keys.at(-1) : undefined;
  const newestKey = newest?.verifying && newest.retiredAt === null ? newest.verifying.key : null;
  // A listing vouches for the keys that it shows as retired, but not for a successor that it does not know.
  const retiredSince = newestKey && trust.retirementOf(newestKey);
  const reached = embedded || retiredSince !== null || known.some((key) => trust.trusts(key));
  if (reached && succession.faults.length === 0)
    for (const name of trust.missing(known, retiredSince && newestKey))
      fail(
        findings,
        'CHAIN_KEY_POLICY_VIOLATION',
        null,
        `the trusted key ${name} is none of the succession in this file`,
      );
  if (!reached && trust.given && known.length > 0)
    findings.differentKey({
      signedBy: known.map((key) => `sha256:${fingerprintOf(key)}`),
      trusted: trust.names,
    });
  return {
    ring: new Map(
      succession.keys.map((key) => [
        key.keyId,
        { ...key, reached, retiredSinceAt: key === newest ? (retiredSince?.at ?? null) : null },
      ]),
    ),
    hub: succession.hub,
    retiredSince,
  };
};

/** What is looked at in each statement. */
const LOOKED: readonly { readonly check: CheckName; readonly times: number }[] = [
  { check: 'positions', times: 1 },
  { check: 'headerBinding', times: 1 },
  { check: 'payloadBinding', times: 1 },
  { check: 'signatures', times: 1 },
  { check: 'keySuccession', times: 1 },
];

/** What is shown beside each statement. */
const compareRows = (
  rows: readonly KeyStatementRow[],
  { statements }: KeySuccession,
  findings: Findings,
): void => {
  for (const [index, sealed] of statements.entries()) {
    const row = rows[index];
    if (
      row &&
      (row.keyId !== sealed.keyId ||
        row.statement !== sealed.statement ||
        row.position !== sealed.chainPosition)
    )
      fail(
        findings,
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        sealed.chainPosition,
        `the statement is shown as key ${row.keyId} ${row.statement} at position ${row.position}, sealed is key ${sealed.keyId} ${sealed.statement}`,
      );
  }
};

const CHECKS: Readonly<Record<KeyFailureClass, CheckName>> = {
  CHAIN_GENESIS_INVALID: 'genesis',
  CHAIN_SIGNATURE_INVALID: 'signatures',
  CHAIN_SIGNATURE_MISSING_KEY: 'keySuccession',
  CHAIN_COSE_DECODE_FAILED: 'headerBinding',
  CHAIN_COSE_HEADER_MISMATCH: 'headerBinding',
  CHAIN_PAYLOAD_BINDING_MISMATCH: 'payloadBinding',
  CHAIN_SIGNING_KEY_DRIFT: 'keySuccession',
  CHAIN_ALG_MISMATCH: 'signatures',
  CHAIN_UNSUPPORTED_ALGORITHM: 'signatures',
  CHAIN_KEY_POLICY_VIOLATION: 'keySuccession',
};

const fail = (
  findings: Findings,
  failureClass: KeyFailureClass,
  position: number | null,
  detail: string,
): void =>
  findings.fail(
    CHECKS[failureClass],
    'keys',
    failureClass,
    { chainKey: PLATFORM_CHAIN, position },
    detail,
  );
