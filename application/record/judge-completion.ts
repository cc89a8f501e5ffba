import { contentOf } from '../../domain/record/content.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { cascadeGate, cascadeResult } from '../../domain/record/cascade.ts';
import { cascadeChild, childInput, type Child } from '../../domain/record/child.ts';
import { gateInputsDigest, gateState } from '../../domain/record/gate.ts';
import type { GateOutcome } from '../../domain/record/gate.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { GateEvaluator, GateInputs } from '../../domain/record-type/gate-evaluator.port.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';

/** What the gates judge: one completion of one record, as of the moment it was submitted. */
export interface Judged {
  readonly record: RecordState;
  readonly completion: {
    readonly id: string;
    readonly revision: number;
    readonly evidence: JsonObject;
    readonly evidenceHash: string;
    readonly submittedAt: string;
  };
  readonly children: readonly Child[];
  /** What an expression sees of the dispute in which the gates are asked again. */
  readonly dispute?: JsonObject;
}

/** Phase 2: every gate of the type, and its cascade rule, over one completion. */
export class JudgeCompletion {
  constructor(private readonly gates: GateEvaluator) {}

  /** `now` is the time of submission, so the result does not depend on when the completion is judged. */
  async completion(
    manifest: Manifest,
    { record, completion, children, dispute }: Judged,
  ): Promise<GateOutcome> {
    const inputs: GateInputs = {
      criteria: contentOf(record.criteria),
      evidence: completion.evidence,
      record: recordInput(record),
      completion: {
        id: completion.id,
        revision: completion.revision,
        evidenceHash: completion.evidenceHash,
        submittedAt: completion.submittedAt,
      },
      children: children.map(childInput),
      dispute: dispute ?? null,
      now: completion.submittedAt,
    };
    const inputsDigest = gateInputsDigest(inputs);
    // The service sees only ciphertext: the principal decrypts and evaluates.
    if (manifest.operatingMode === 'encrypted')
      return {
        state: 'SKIPPED',
        results: [],
        claim: { state: 'SKIPPED', now: inputs.now, inputsDigest, results: [] },
      };
    // Gates that are not compiled yet are compiled one by one, so that no other call waits for all of them.
    await this.gates.prepare(manifest.gates);
    const cascade = cascadeGate(
      manifest.cascade,
      cascadeResult(manifest.cascade, children.map(cascadeChild)),
      inputsDigest,
    );
    const results = [...this.gates.evaluate(manifest.gates, inputs), ...(cascade ? [cascade] : [])];
    const state = gateState(manifest.gateMode, results);
    return {
      state,
      results,
      claim: {
        state,
        now: inputs.now,
        inputsDigest,
        results: results.map(({ gateId, outcome, severity, inputsDigest: digest, detail }) => ({
          gateId,
          outcome,
          severity,
          inputsDigest: digest,
          detail,
        })),
      },
    };
  }
}

const recordInput = (record: RecordState): JsonObject => ({
  id: record.id,
  orgId: record.orgId,
  type: record.schema.type,
  contractVersion: record.schema.version,
  platform: record.platform,
  platformRef: record.platformRef,
  principalAgentId: record.principalAgentId,
  performerAgentId: record.performerAgentId,
  depth: record.depth,
  revisionCount: record.revisionCount,
  createdAt: record.createdAt,
  activatedAt: record.activatedAt,
});
