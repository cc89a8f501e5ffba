import { contentOf } from '../../domain/record/content.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { cascadeGate, cascadeResult } from '../../domain/record/cascade.ts';
import { cascadeChild, childInput, type Child } from '../../domain/record/child.ts';
import { gateInputsDigest, gateState } from '../../domain/record/gate.ts';
import type { GateOutcome } from '../../domain/record/gate.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type {
  GateEvaluator,
  GateInputs,
  GateResult,
} from '../../domain/record-type/gate-evaluator.port.ts';
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
    const cascade = cascadeGate(
      manifest.cascade,
      cascadeResult(manifest.cascade, children.map(cascadeChild)),
      inputsDigest,
    );
    // Of an encrypted record the service sees only ciphertext: the principal decrypts and evaluates.
    const isSkipped = manifest.operatingMode === 'encrypted';
    const results = [
      ...(isSkipped ? [] : await this.evaluated(manifest, inputs)),
      ...(cascade ? [cascade] : []),
    ];
    const state = isSkipped ? 'SKIPPED' : gateState(manifest.gateMode, results);
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

  private async evaluated(manifest: Manifest, inputs: GateInputs): Promise<readonly GateResult[]> {
    // Gates that are not compiled yet are compiled one by one, so that no other call waits for all of them.
    await this.gates.prepare(manifest.gates);
    return this.gates.evaluate(manifest.gates, inputs);
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
