import { DAY_SECONDS, later, plusSeconds } from '../../../kernel/instant.ts';
import type { Awaiting } from '../../../record/record-state.ts';
import { TERMINAL } from '../../../record/record-status.ts';
import { otherSide } from '../../../record/sides.ts';
import { isTooEarly, isTooLate, type SealedStep, type StepRule } from './sealed-step.ts';
import type { SealedRecord } from './sealed-record.ts';

/** Who is awaited and when the record expires follow from the steps, and what a deadline forbids was not done. */
export const checkAwaiting: StepRule = (step, fail) => {
  const { entry, before, after } = step;
  if (!before) return;
  const awaited = awaitedAfter(step, before);
  if (awaited !== undefined && after.awaiting !== awaited)
    fail(`after this step the record awaits ${awaited ?? 'nobody'}, sealed is ${after.awaiting}`);
  const expiry = expiryAfter(step, before);
  if (expiry !== undefined && after.expiresAt !== expiry)
    fail(`after this step the record expires ${expiry ?? 'never'}, sealed is ${after.expiresAt}`);
  if (entry.entryType === 'RECORD_EXPIRED') {
    if (before.expiresAt === null) fail('a record without a deadline does not expire');
    else if (isTooEarly(entry.at, before.expiresAt))
      fail(`the record expired before its time, ${before.expiresAt}`);
  } else if (
    (entry.actor.kind !== 'system' || entry.entryType === 'GATE_EVALUATED') &&
    !TERMINAL.has(before.status) &&
    before.expiresAt !== null &&
    isTooLate(entry.at, before.expiresAt)
  )
    fail(`the record had expired at ${before.expiresAt}`);
};

/** Undefined where it depends on what the file does not hold. */
const awaitedAfter = (step: SealedStep, before: SealedRecord): Awaiting | undefined => {
  const { entry, after, manifest } = step;
  switch (entry.entryType) {
    case 'RECORD_PROPOSED':
    case 'RECORD_ACTIVATED':
    case 'PROPOSAL_ACCEPTED':
    case 'COUNTER_ACCEPTED':
    case 'REVISION_REQUESTED':
      return 'performer';
    case 'COUNTER_PROPOSED':
      return before.awaiting === 'principal' || before.awaiting === 'performer'
        ? otherSide(before.awaiting)
        : undefined;
    case 'COMPLETION_SUBMITTED':
      return before.gateMode === 'auto' ? 'gate' : 'principal';
    case 'CHILD_DELEGATED': {
      const [child] = entry.children ?? [];
      if (!child || TERMINAL.has(child.status)) return before.awaiting;
      if (!manifest) return undefined;
      return manifest.cascade.rule === 'none' ? before.awaiting : 'children';
    }
    case 'CASCADE_VERIFIED':
      return before.awaiting === 'children' ? 'performer' : before.awaiting;
    default:
      return TERMINAL.has(after.status) ? null : before.awaiting;
  }
};

const expiryAfter = (
  { entry, manifest }: SealedStep,
  { expiresAt }: SealedRecord,
): string | null | undefined => {
  switch (entry.entryType) {
    case 'COMPLETION_SUBMITTED':
      return (
        (manifest && later(expiresAt, plusSeconds(entry.at, manifest.verdictWindowSeconds))) ??
        undefined
      );
    case 'REVISION_REQUESTED':
      return expiresAt === null ? null : later(expiresAt, plusSeconds(entry.at, DAY_SECONDS));
    default:
      return expiresAt;
  }
};
