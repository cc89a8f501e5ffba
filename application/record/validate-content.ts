import type { CallContext } from '../call/call-context.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { ZERO_UUID } from '../../domain/kernel/ids.ts';
import {
  gateInputsDigest,
  gateState,
  type GateDecision,
  type GateState,
} from '../../domain/record/gate.ts';
import type {
  GateEvaluator,
  GateInputs,
  GateResult,
} from '../../domain/record-type/gate-evaluator.port.ts';
import { isNotarizeOnly, type RecordType } from '../../domain/record-type/manifest.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { ContentCheck } from './content-check.ts';
import type { FindType, NamedType } from '../record-type/find-type.ts';
import type { VerifiedTypes } from '../record-type/verified-types.ts';

export interface ValidateContentInput extends NamedType {
  readonly content: { readonly criteria?: JsonObject; readonly evidence?: JsonObject };
}

export interface ContentVerdict {
  readonly recordType: RecordType;
  /** True if neither part is refused, and no blocking gate fails. */
  readonly valid: boolean;
  /** The refusal that the part would meet, or null; undefined if the part was not given. */
  readonly criteria: NotaryError | null | undefined;
  readonly evidence: NotaryError | null | undefined;
  /** Null if there was nothing to judge. */
  readonly gates: DryRun | null;
}

export interface DryRun {
  readonly state: GateDecision | 'SKIPPED';
  readonly now: string;
  readonly inputsDigest: string;
  readonly results: readonly GateResult[];
}

/** Tells how creation and submission would answer criteria and evidence. Nothing is stored. */
export class ValidateContent {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly findType: FindType,
    private readonly verifiedTypes: VerifiedTypes,
    private readonly contentCheck: ContentCheck,
    private readonly gates: GateEvaluator,
    private readonly clock: Clock,
  ) {}

  async execute(context: CallContext, input: ValidateContentInput): Promise<ContentVerdict> {
    const recordType = await this.findType.find(context, input);
    await this.verifiedTypes.assert(recordType);
    const verdict = await this.judge(context, recordType, input);
    // The kept answer of an Idempotency-Key is the only effect.
    return context.idempotency
      ? this.idempotent.run(context, () => Promise.resolve(verdict))
      : verdict;
  }

  private async judge(
    { caller }: CallContext,
    recordType: RecordType,
    { content: { criteria, evidence } }: ValidateContentInput,
  ): Promise<ContentVerdict> {
    const ofCriteria =
      criteria && (await this.contentCheck.criteria(caller, recordType, criteria, null));
    const ofEvidence =
      evidence &&
      (isNotarizeOnly(recordType.manifest)
        ? noCompletion(recordType)
        : await this.contentCheck.evidence(caller, recordType, evidence, null));
    const gates =
      criteria && evidence && !ofCriteria && !ofEvidence
        ? await this.dryRun(recordType, criteria, evidence)
        : null;
    return {
      recordType,
      criteria: ofCriteria,
      evidence: ofEvidence,
      gates,
      valid: !ofCriteria && !ofEvidence && !(gates && FAILING.has(gates.state)),
    };
  }

  /** Runs the gates over the first completion of a record that does not exist: no children, no dispute, no parties. */
  private async dryRun(
    { type, version, orgId, manifest }: RecordType,
    criteria: JsonObject,
    evidence: JsonObject,
  ): Promise<DryRun> {
    const now = this.clock.now().toISOString();
    const inputs: GateInputs = {
      criteria,
      evidence,
      record: {
        id: ZERO_UUID,
        orgId,
        type,
        contractVersion: version,
        platform: 'api',
        platformRef: null,
        principalAgentId: ZERO_UUID,
        performerAgentId: null,
        depth: 0,
        revisionCount: 0,
        createdAt: now,
        activatedAt: now,
      },
      completion: {
        id: ZERO_UUID,
        revision: 1,
        evidenceHash: hashJson(evidence),
        submittedAt: now,
      },
      children: [],
      dispute: null,
      now,
    };
    const inputsDigest = gateInputsDigest(inputs);
    if (manifest.operatingMode === 'encrypted')
      return { state: 'SKIPPED', now, inputsDigest, results: [] };
    await this.gates.prepare(manifest.gates);
    const results = this.gates.evaluate(manifest.gates, inputs);
    return { state: gateState(manifest.gateMode, results), now, inputsDigest, results };
  }
}

const FAILING: ReadonlySet<GateState> = new Set<GateState>(['FAILED', 'ADVISORY_FAILED']);

const noCompletion = ({ type, publisher, version }: RecordType): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `Records of ${type} are final when they are created and take no completion.`,
    {
      errors: [
        {
          path: '/evidence',
          keyword: 'notarize-only',
          message: 'a notarize-only type has no completion',
        },
      ],
      recordType: type,
      publisher,
      version,
    },
  );
