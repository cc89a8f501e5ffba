import type { GateResult } from '../record-type/gate-evaluator.port.ts';
import { CASCADE_GATE_ID, type CascadeRule } from '../record-type/manifest.ts';
import type { RecordStatus } from './record-status.ts';

/** What the rule needs to know of a child. */
export interface CascadeChild {
  readonly status: RecordStatus;
  /** It was ACTIVE at some time (a notarize-only child is RECORDED instead). */
  readonly becameActive: boolean;
  /** A completion was submitted at some time. */
  readonly hasCompletion: boolean;
}

export interface CascadeOutcome {
  readonly satisfied: boolean;
  /** How many children count, and how many of those are fulfilled. */
  readonly counted: number;
  readonly fulfilled: number;
  /** How many must satisfy. */
  readonly needed: number;
}

/**
 * Whether the children satisfy the parent. With no counted child all-fulfilled holds; any-fulfilled and quorum do not.
 */
export const cascadeResult = (
  rule: CascadeRule,
  children: readonly CascadeChild[],
): CascadeOutcome => {
  const counted = children.filter(counts);
  const fulfilled = counted.filter((child) => SATISFYING.has(child.status)).length;
  const needed = NEEDED[rule.rule](counted.length, rule.quorum);
  return { satisfied: fulfilled >= needed, counted: counted.length, fulfilled, needed };
};

/** An unmet rule as a failed blocking gate; null if the rule is met. */
export const cascadeGate = (
  rule: CascadeRule,
  outcome: CascadeOutcome,
  inputsDigest: string,
): GateResult | null =>
  outcome.satisfied
    ? null
    : {
        gateId: CASCADE_GATE_ID,
        description: 'The delegated records satisfy the cascade rule of the type',
        outcome: 'fail',
        severity: 'block',
        expression: rule.rule === 'quorum' ? `quorum ${rule.quorum}` : rule.rule,
        inputsDigest,
        detail: `${outcome.fulfilled} of ${outcome.counted} counted children are fulfilled; the rule ${rule.rule} needs ${outcome.needed}`,
      };

const SATISFYING: ReadonlySet<RecordStatus> = new Set<RecordStatus>([
  'FULFILLED',
  'REMEDIATED',
  'RECORDED',
]);

/** A child that never began, or was called off before any work was delivered, says nothing about the parent. */
const counts = (child: CascadeChild): boolean =>
  child.status === 'RECORDED' ||
  (child.becameActive && !(child.status === 'CANCELLED' && !child.hasCompletion));

const NEEDED: {
  readonly [Rule in CascadeRule['rule']]: (counted: number, quorum: number | undefined) => number;
} = {
  none: () => 0,
  'all-fulfilled': (counted) => counted,
  'any-fulfilled': () => 1,
  quorum: (_counted, quorum) => quorum ?? 1,
};
