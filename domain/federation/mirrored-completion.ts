import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Completion } from '../record/completion.ts';
import type { GateState } from '../record/gate.ts';
import type { GateClaim, RecordStatePredicate } from '../record/record-statement.ts';
import type { RecordState } from '../record/record-state.ts';
import type { Manifest } from '../record-type/manifest.ts';
import type { GateResult } from '../record-type/gate-evaluator.port.ts';
import type { ActorClaim } from '../vault/statement.ts';

/** A completion that home applied, as the mirror keeps it. */
export const completionSubmitted = (
  record: RecordState,
  predicate: RecordStatePredicate,
  evidence: JsonObject,
  given: {
    readonly actor: ActorClaim;
    readonly position: number;
    readonly at: string;
    readonly manifest: Manifest;
  },
): Completion => ({
  id: predicate.completionId as string,
  recordId: record.id,
  revision: record.revisionCount + 1,
  evidence,
  evidenceHash: predicate.evidenceHash as string,
  submittedBy: given.actor,
  submittedAt: given.at,
  gate: gateOf(predicate, given.manifest, given.at) ?? {
    state: 'PENDING',
    evaluatedAt: null,
    results: [],
  },
  verdict: null,
  entryPosition: given.position,
});

/** The same after a gate or a verdict of home. */
export const completionJudged = (
  completion: Completion,
  predicate: RecordStatePredicate,
  given: { readonly actor: ActorClaim; readonly at: string; readonly manifest: Manifest },
): Completion => {
  const { entryType, verdict, reason = null, gate } = predicate;
  if (entryType === 'GATE_EVALUATED')
    return { ...completion, gate: gateOf(predicate, given.manifest, given.at) ?? completion.gate };
  if (entryType !== 'VERDICT_RENDERED' || verdict === undefined) return completion;
  return {
    ...completion,
    verdict: {
      verdict,
      reason,
      renderedBy: given.actor,
      renderedAt: given.at,
      ...(gate && 'claimedBy' in gate ? { gateResults: gate.results } : {}),
    },
  };
};

const gateOf = (
  { gate }: RecordStatePredicate,
  manifest: Manifest,
  at: string,
): Completion['gate'] | null =>
  gate && 'state' in gate
    ? {
        state: gate.state as GateState,
        evaluatedAt: at,
        results: gate.results.map((result) => resultOf(result, manifest)),
      }
    : null;

/** The entry names the gates; the manifest, whose digest it seals too, describes them. */
const resultOf = (result: GateClaim['results'][number], { gates }: Manifest): GateResult => {
  const gate = gates.find(({ id }) => id === result.gateId);
  return {
    gateId: result.gateId,
    description: gate?.description ?? '',
    expression: gate?.expression ?? '',
    outcome: result.outcome,
    severity: result.severity,
    inputsDigest: result.inputsDigest,
    detail: result.detail,
  };
};
