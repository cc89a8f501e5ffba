import { isLostBy, type AcknowledgedLoss } from '../report/acknowledged-losses.ts';
import type { HubClaim } from '../entry/chain-entry.ts';
import { checkKeptStatement, readKeptStatement, type KeptStatement } from './kept-statement.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { readDocument } from '../read/read-document.ts';
import { printable } from '../../kernel/printable.ts';
import { Findings, NO_SUBJECT, type KeptOutcome } from '../report/report.ts';

/** The chain that a kept statement is held against. */
export interface ChainToHold {
  readonly chainKey: string;
  /** The stored hash of each entry, by position. */
  readonly hashes: ReadonlyMap<number, string>;
  readonly headPosition: number;
  /** A sealed time up to which the chain is shown to its end; null where nothing shows it. */
  readonly completeAsOf: string | null;
  /** Of the chain: what the platform chain says of entries that are gone. */
  readonly losses: readonly AcknowledgedLoss[];
  readonly ring: KeyRing;
  readonly hub: HubClaim | null;
}

/**
 * Holds statements that somebody kept against a chain. One that the service signed and the chain contradicts is a
 * failure of the export. Of any other it is said what it is; the export's own verdict does not depend on it.
 */
export const holdKept = async (
  kept: readonly (Uint8Array | string)[],
  chain: ChainToHold,
  findings: Findings,
): Promise<KeptOutcome[]> => {
  const outcomes: KeptOutcome[] = [];
  for (const input of kept) {
    const outcome = await hold(input, chain);
    outcomes.push(outcome);
    if (outcome.result === 'failed')
      findings.fail('keptStatements', 'chain', 'CHAIN_HASH_MISMATCH', outcome, outcome.detail);
    if (outcome.result === 'skipped_no_input') findings.unsettle('keptStatements');
    else findings.looked('keptStatements');
  }
  return outcomes;
};

/** How old a statement must be to be missed in a chain that ends before it: clocks of two nodes are less far apart. */
export const MISSED_AFTER_MS = 300_000;

/** The signed statement in a file; null where it is none. */
const readKept = (input: Uint8Array | string, findings: Findings): KeptStatement | null => {
  const document = readDocument(input, findings);
  return document?.kind === 'signed-statement' ? readKeptStatement(document.value, findings) : null;
};

/** Where the statement in a file says that it stands; null where that cannot be read. */
export const placeOfKept = (
  input: Uint8Array | string,
): { readonly chainKey: string; readonly position: number } | null => {
  const kept = readKept(input, new Findings());
  return kept && { chainKey: kept.chainKey, position: kept.row.position };
};

const hold = async (input: Uint8Array | string, chain: ChainToHold): Promise<KeptOutcome> => {
  const findings = new Findings();
  const kept = readKept(input, findings);
  const say = (result: KeptOutcome['result'], detail: string): KeptOutcome => ({
    chainKey: kept && printable(kept.chainKey),
    position: kept?.row.position ?? null,
    result,
    detail: printable(detail),
  });
  const open = (detail: string): KeptOutcome => say('skipped_no_input', detail);
  if (!kept)
    return open(
      `the kept file is no signed statement: ${whyNot(findings) ?? 'it is an audit export'}`,
    );
  if (kept.chainKey !== chain.chainKey)
    return open(`the kept statement is of another record, ${kept.chainKey}`);
  const checked = await checkKeptStatement(kept, chain.ring, chain.hub, findings);
  const fault = whyNot(findings);
  if (!checked || fault !== null) return open(`the kept statement does not verify: ${fault}`);
  return compare(kept, checked, chain, say);
};

const compare = (
  { row }: KeptStatement,
  { kid, at }: { readonly kid: string; readonly at: string | null },
  { hashes, headPosition, completeAsOf, losses, ring }: ChainToHold,
  say: (result: KeptOutcome['result'], detail: string) => KeptOutcome,
): KeptOutcome => {
  const here = hashes.get(row.position);
  if (here === row.hash)
    return say('passed', `the entry at position ${row.position} is the kept statement`);
  const loss = losses.find((one) => at !== null && isLostBy(one, row.position, at));
  if (loss)
    return say(
      'skipped_no_input',
      `the kept statement stands in a range of which a platform key acknowledged at ${loss.acknowledgedAt} that it was lost: entries ${loss.lostRange.from} to ${loss.lostRange.to}`,
    );
  // A leaked key that is retired can sign what never stood on the chain.
  if (ring.get(kid)?.retiredAt)
    return say(
      'skipped_no_input',
      `the kept statement is signed by the retired key ${kid} and not in the chain: either the chain was changed or that key leaked`,
    );
  if (here !== undefined)
    return say(
      'failed',
      `the kept statement has the hash ${row.hash} at this position: the operator signed both`,
    );
  if (row.position <= headPosition)
    return say('skipped_no_input', `the entry at position ${row.position} is not in the file`);
  if (completeAsOf === null || at === null)
    return say(
      'skipped_no_input',
      `the kept statement lies beyond the head, and no closing checkpoint says how far the chain went`,
    );
  return Date.parse(completeAsOf) - Date.parse(at) > MISSED_AFTER_MS
    ? say(
        'failed',
        `the kept statement was sealed at ${at} and is missing in a chain that was closed at ${completeAsOf}: the operator signed both`,
      )
    : say(
        'skipped_no_input',
        `the kept statement, sealed at ${at}, lies beyond the head; the file is complete as of ${completeAsOf}: fetch it again`,
      );
};

/** The first thing that speaks against a statement, in words; null where nothing does. */
const whyNot = (findings: Findings): string | null => {
  const { failures, reasons } = findings.report(NO_SUBJECT, 'none');
  const [failure] = failures;
  return failure
    ? `${failure.class}, ${failure.detail}`
    : (reasons[0]?.replace('cannot tell: ', '') ?? null);
};
