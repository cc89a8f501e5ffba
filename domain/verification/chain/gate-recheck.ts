import type { JsonObject, JsonValue } from '../../kernel/canonical-json.ts';
import { gateInputsDigest } from '../../record/gate.ts';
import type { RecordFacts } from '../../record/record-facts.ts';
import type { GateClaim, RecordStatePredicate } from '../../record/record-statement.ts';
import type { GateEvaluator, GateInputs } from '../../record-type/gate-evaluator.port.ts';
import type { Manifest } from '../../record-type/manifest.ts';
import type { Findings } from '../report/report.ts';

/** Gates that the service evaluated, with what it takes to evaluate them again. */
export interface Judgement {
  readonly position: number;
  readonly entryType: RecordStatePredicate['entryType'];
  readonly gate: GateClaim;
  /** Of the record, once the completion was submitted. */
  readonly facts: RecordFacts;
  readonly completion: JudgedCompletion | null;
}

export interface JudgedCompletion {
  readonly id: string;
  /** From 1. */
  readonly revision: number;
  readonly evidenceHash: string;
  readonly submittedAt: string;
  /** Undefined where the file does not hold it. */
  readonly evidence: JsonValue | undefined;
}

/** What the file shows of the record, as far as gates see it and no entry holds it. */
export interface GateSources {
  readonly chainKey: string;
  /** Null where they are not those that the chain binds, which was reported. */
  readonly criteria: JsonObject | null;
  readonly manifest: Manifest | null;
}

/**
 * Makes the inputs of each evaluation anew and evaluates the gates again: the digest of the inputs and each outcome have
 * to be those that were sealed. A judgement that saw children or a dispute rests on other chains and on content that no
 * export of this version holds, so it is not settled here; nor is one whose evidence the file does not hold.
 */
export const recheckGates = async (
  judgements: readonly Judgement[],
  { chainKey, criteria, manifest }: GateSources,
  evaluator: GateEvaluator,
  findings: Findings,
): Promise<void> => {
  if (manifest) await evaluator.prepare(manifest.gates);
  for (const judgement of judgements) {
    findings.looked('gates');
    const { completion, facts, gate, position } = judgement;
    const isAlone = facts.childCount === 0 && judgement.entryType !== 'DISPUTE_RESOLVED';
    if (!manifest || !criteria || completion?.evidence === undefined || !isAlone) {
      findings.unsettle('gates');
      continue;
    }
    const fail = (detail: string): void =>
      findings.fail(
        'gates',
        'chain',
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        { chainKey, position },
        detail,
      );
    const inputs = inputsOf(facts, completion, completion.evidence, criteria);
    if (gateInputsDigest(inputs) !== gate.inputsDigest) {
      fail('the gates judged other inputs than the chain and the evidence make');
      continue;
    }
    if (gate.state === 'SKIPPED') continue;
    const results = evaluator.evaluate(manifest.gates, inputs);
    const differing = results.filter(
      ({ gateId, outcome }, index) =>
        gate.results[index]?.gateId !== gateId || gate.results[index].outcome !== outcome,
    );
    if (differing.length > 0)
      fail(
        `evaluated again, the gates give ${differing.map(({ gateId, outcome }) => `${gateId}: ${outcome}`).join(', ')}`,
      );
  }
};

/** In the form in which the service hashed them (`gate.inputsDigest`). */
const inputsOf = (
  facts: RecordFacts,
  completion: JudgedCompletion,
  evidence: JsonValue,
  criteria: JsonObject,
): GateInputs => ({
  criteria,
  evidence,
  record: {
    id: facts.recordId,
    orgId: facts.orgId,
    type: facts['schema.type'],
    contractVersion: facts['schema.version'],
    platform: facts.platform,
    platformRef: facts.platformRef,
    principalAgentId: facts.principalAgentId,
    performerAgentId: facts.performerAgentId ?? null,
    depth: facts.depth,
    revisionCount: facts.revisionCount,
    createdAt: facts.createdAt,
    activatedAt: facts.activatedAt,
  },
  completion: {
    id: completion.id,
    revision: completion.revision,
    evidenceHash: completion.evidenceHash,
    submittedAt: completion.submittedAt,
  },
  children: [],
  dispute: null,
  now: completion.submittedAt,
});
