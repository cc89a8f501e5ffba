import type { Caller } from '../../domain/identity/caller.ts';
import { expandScopes, SCOPES } from '../../domain/identity/scopes.ts';
import { contentOfKind } from '../../domain/federation/content.ts';
import type { StateTransitionMessage } from '../../domain/federation/message.ts';
import { isObject, type JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordStatePredicate } from '../../domain/record/record-statement.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AskedReference } from '../record/add-reference.ts';
import type { AskedTransition } from '../record/transition-record.ts';
import type { PeerCall } from '../call/peer-call.ts';

/** The use cases by which a party acts, wherever it lives. */
export interface StepUseCases {
  readonly transition: UseCase<AskedTransition>;
  readonly submitCompletion: UseCase<{ recordId: Uuid; evidence: JsonObject }>;
  readonly openDispute: UseCase<{
    recordId: Uuid;
    grounds?: string;
    statement?: string;
    evidence?: JsonObject;
  }>;
  readonly submitDisputeEvidence: UseCase<{ recordId: Uuid; evidence: JsonObject }>;
  readonly escalateDispute: UseCase<{
    recordId: Uuid;
    reason?: string | null;
    toTier?: number;
  }>;
  readonly resolveDispute: UseCase<{ recordId: Uuid; outcome: 'OVERTURNED'; resolution: string }>;
  readonly withdrawDispute: UseCase<{ recordId: Uuid }>;
  readonly addReference: UseCase<AskedReference>;
}

interface UseCase<Input> {
  execute(context: CallContext, input: Input): Promise<unknown>;
}

/** Carries out a step that a mirror asks for, by the use case that carries out the same act of a local party. */
export class PerformStep {
  constructor(private readonly useCases: StepUseCases) {}

  /**
   * @param predicate of the STEP_OFFERED: it seals the act's parameters, and the hashes of its content.
   * @throws NotaryError where home refuses the step, as it would refuse a local party.
   */
  async perform(
    peerHubId: Uuid,
    recordId: Uuid,
    message: StateTransitionMessage,
    predicate: RecordStatePredicate,
    requestId: string,
    peer: PeerCall,
  ): Promise<void> {
    const caller = callerOf(peerHubId, predicate.performerAgentId);
    const context: CallContext = { caller, requestId, peer };
    const { reason } = predicate;
    const because = reason === undefined ? {} : { reason };
    switch (message.projection.action) {
      case 'accept':
      case 'accept-counter':
        await this.useCases.transition.execute(context, {
          recordId,
          action: message.projection.action,
          criteriaHash: predicate.criteriaHash,
        });
        return;
      case 'reject':
      case 'cancel':
        await this.useCases.transition.execute(context, {
          recordId,
          action: message.projection.action,
          ...because,
        });
        return;
      case 'counter-propose':
        await this.useCases.transition.execute(context, {
          recordId,
          action: 'counter-propose',
          criteria: contentOfKind(message.content.items, 'criteria') as JsonObject,
          ...counterMessage(message),
        });
        return;
      case 'submit-completion':
        await this.useCases.submitCompletion.execute(context, {
          recordId,
          evidence: contentOfKind(message.content.items, 'evidence') as JsonObject,
        });
        return;
      case 'open-dispute':
        await this.useCases.openDispute.execute(context, { recordId, ...openingOf(message) });
        return;
      case 'submit-dispute-evidence':
        await this.useCases.submitDisputeEvidence.execute(context, {
          recordId,
          evidence: openingOf(message).evidence ?? {},
        });
        return;
      case 'escalate-dispute':
        // The mirror may not know yet that the dispute went up meanwhile.
        await this.useCases.escalateDispute.execute(context, {
          recordId,
          ...because,
          ...(predicate.dispute?.tier === undefined ? {} : { toTier: predicate.dispute.tier }),
        });
        return;
      case 'resolve-dispute':
        await this.useCases.resolveDispute.execute(context, {
          recordId,
          outcome: 'OVERTURNED',
          resolution: reason ?? 'The performer concedes.',
        });
        return;
      case 'withdraw-dispute':
        await this.useCases.withdrawDispute.execute(context, { recordId });
        return;
      case 'add-reference':
        await this.useCases.addReference.execute(context, {
          recordId,
          ...referenceOf(predicate),
        });
        return;
      default:
        throw new NotaryError(
          'UNPROCESSABLE',
          `The action ${message.projection.action} is no step of a performer.`,
          { reason: 'INVALID_ACTION' },
        );
    }
  }
}

/** What the step gives an id to. */
export const idOf = (
  { completionId, dispute, reference }: RecordStatePredicate,
  action: string,
): Uuid | null => {
  if (action === 'submit-completion') return completionId ?? null;
  if (action === 'open-dispute') return dispute?.id ?? null;
  return action === 'add-reference' ? (reference?.id ?? null) : null;
};

const callerOf = (peerHubId: Uuid, agentId: Uuid | null): Caller => ({
  role: 'agent',
  authType: 'api_key',
  apiKeyId: null,
  agentId,
  orgId: null,
  name: `hub ${peerHubId}`,
  scopes: SCOPES,
  allowed: expandScopes(SCOPES),
  allowedIps: null,
  cert: null,
  oidc: null,
  peerHubId,
});

const counterMessage = ({ content }: StateTransitionMessage): { readonly message?: string } => {
  const message = contentOfKind(content.items, 'message');
  return typeof message === 'string' ? { message } : {};
};

const openingOf = ({ content }: StateTransitionMessage) => {
  const said = contentOfKind(content.items, 'dispute');
  if (!isObject(said ?? undefined)) return {};
  const { grounds, statement, evidence } = said as JsonObject;
  return {
    ...(typeof grounds === 'string' ? { grounds } : {}),
    ...(typeof statement === 'string' ? { statement } : {}),
    ...(isObject(evidence) ? { evidence } : {}),
  };
};

const referenceOf = ({ reference }: RecordStatePredicate) => {
  if (!reference)
    throw new NotaryError('UNPROCESSABLE', 'The step names no reference.', { reason: 'BROKEN' });
  const { kind, uri, digest, label } = reference;
  return { kind, uri, digest, label };
};
