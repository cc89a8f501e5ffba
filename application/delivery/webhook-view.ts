import { Type } from 'typebox';
import type { WebhookFormat } from '../../domain/delivery/delivery-body.ts';
import { isActive, isPaused } from '../../domain/delivery/subscription.ts';
import type { SubscriptionState } from '../../domain/delivery/webhook-store.port.ts';
import type { Guide, NextStep } from '../call/guide.ts';
import { GUIDANCE, nullable, oneOf, Uuid } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { WEBHOOK_MEMBERS } from './webhook-inputs.ts';

const OWNER = {
  ownerType: oneOf(['agent', 'org']),
  ownerId: Uuid,
  managedBy: nullable(oneOf(['provisioning'])),
};

export const WebhookSchema = Type.Object(WEBHOOK_MEMBERS);
export const WebhookDetailSchema = Type.Object({ ...WEBHOOK_MEMBERS, ...OWNER, ...GUIDANCE });
export const ChangedWebhookSchema = Type.Object({ ...WEBHOOK_MEMBERS, ...GUIDANCE });
export const WebhookWithSecretSchema = Type.Object({
  ...WEBHOOK_MEMBERS,
  secret: nullable(
    Type.String({ description: 'Shown once; null of the asymmetric schemes, and in a replay' }),
  ),
  ...GUIDANCE,
});
export const WebhookHealthSchema = Type.Object({
  ...WEBHOOK_MEMBERS,
  ...OWNER,
  orgId: Uuid,
  deadLetters: Type.Integer({ minimum: 0 }),
});
export const DeletedWebhookSchema = Type.Object({
  id: Uuid,
  deleted: Type.Literal(true),
  deadLetters: Type.Integer({
    minimum: 0,
    description: 'What the DLQ of the webhook holds; what the webhook had not read yet follows',
  }),
  ...GUIDANCE,
});

/** A subscription as a call left it. */
export interface ShownWebhook extends SubscriptionState {
  /** When it is shown, ISO 8601: the grace of a secret ends by itself. */
  readonly at: string;
}

export interface WebhookWithSecret extends ShownWebhook {
  readonly secret: string | null;
}

export const webhookView = ({
  subscription,
  reader: { circuit },
  at,
}: ShownWebhook): ViewOf<typeof WebhookSchema> => {
  const { previousSecret, previousSecretUntil: until } = subscription;
  const isInGrace = previousSecret !== null && until !== null && until > at;
  return {
    id: subscription.id,
    url: subscription.url,
    eventTypes: [...subscription.eventTypes],
    recordTypes: [...subscription.recordTypes],
    // No push configuration is shown here.
    format: subscription.format as WebhookFormat,
    signingAlg: subscription.scheme,
    secretGraceActive: isInGrace,
    secretGraceExpiresAt: isInGrace ? until : null,
    isActive: isActive(subscription),
    isPaused: isPaused(subscription),
    circuitState: circuit.state,
    consecutiveFailures: circuit.consecutiveFailures,
    lastSuccessfulAt: circuit.lastSuccessfulAt,
    createdAt: subscription.createdAt,
  };
};

const ownerView = ({ subscription: { ownerType, ownerId, managedBy } }: SubscriptionState) =>
  ({ ownerType: ownerType === 'agent' ? 'agent' : 'org', ownerId, managedBy }) as const;

export const webhookDetailView = (
  shown: ShownWebhook,
  guide: Guide,
): ViewOf<typeof WebhookDetailSchema> => ({
  ...webhookView(shown),
  ...ownerView(shown),
  ...guidanceOf(shown, guide),
});

export const changedWebhookView = (
  shown: ShownWebhook,
  guide: Guide,
): ViewOf<typeof ChangedWebhookSchema> => ({ ...webhookView(shown), ...guidanceOf(shown, guide) });

export const webhookWithSecretView = (
  shown: WebhookWithSecret,
  guide: Guide,
): ViewOf<typeof WebhookWithSecretSchema> => ({
  ...webhookView(shown),
  secret: shown.secret,
  suggestion: shown.secret === null ? VERIFY_BY_KEYS : KEEP_SECRET,
  nextSteps: guide.steps(...stepsOf(shown)),
});

export const webhookHealthView = (
  shown: ShownWebhook & { readonly deadLetters: number },
): ViewOf<typeof WebhookHealthSchema> => ({
  ...webhookView(shown),
  ...ownerView(shown),
  orgId: shown.subscription.orgId,
  deadLetters: shown.deadLetters,
});

export interface DeletedWebhook {
  readonly id: string;
  readonly deadLetters: number;
}

export const deletedWebhookView = (
  { id, deadLetters }: DeletedWebhook,
  guide: Guide,
): ViewOf<typeof DeletedWebhookSchema> => ({
  id,
  deleted: true,
  deadLetters,
  suggestion: DELETED,
  nextSteps: guide.steps(
    step('view-dlq', 'listWebhookDeadLetters', id, 'Read what was not delivered'),
  ),
});

/** Also in the examples of the answers. */
export const KEEP_SECRET =
  'Keep the secret where the receiver finds it: it is shown once. Then send a ping.';
export const VERIFY_BY_KEYS =
  'The receiver verifies by the key that keyid names, at GET /v1/verification-keys. Send a ping to try it.';
export const DELETED = 'Nothing is sent any more. Its DLQ stays readable until its entries expire.';
const WELL = 'Send a ping to see that the receiver answers.';
const PAUSED = 'What happens now is never delivered. Resume it to go on.';
const INACTIVE = 'Nothing is sent. Set isActive to true once the receiver is well.';
const OPEN =
  'The receiver failed ten times in a row, or an operator opened the circuit. New events go to the DLQ; retry them there when it is well.';

const guidanceOf = (shown: ShownWebhook, guide: Guide) => ({
  suggestion: suggestionFor(shown),
  nextSteps: guide.steps(...stepsOf(shown)),
});

const suggestionFor = ({ subscription, reader: { circuit } }: SubscriptionState): string => {
  if (subscription.deletedAt !== null) return DELETED;
  if (!isActive(subscription)) return INACTIVE;
  if (isPaused(subscription)) return PAUSED;
  return circuit.state === 'closed' ? WELL : OPEN;
};

const step = (action: string, operation: string, id: string, description: string): NextStep => ({
  action,
  operation,
  input: { webhookId: id },
  description,
});

export const PING_STEP = (id: string): NextStep =>
  step('ping', 'pingWebhook', id, 'Send a signed test event');
const DELIVERIES_STEP = (id: string): NextStep =>
  step('view-deliveries', 'listWebhookDeliveries', id, 'Read what was sent, and what was answered');
const DLQ_STEP = (id: string): NextStep =>
  step('view-dlq', 'listWebhookDeadLetters', id, 'Read what was not delivered');

const stepsOf = ({ subscription, reader: { circuit } }: SubscriptionState): readonly NextStep[] => {
  const { id } = subscription;
  if (!isActive(subscription)) return [DLQ_STEP(id)];
  return [
    ...(isPaused(subscription)
      ? [step('resume', 'resumeWebhook', id, 'Deliver what happens from now on')]
      : []),
    PING_STEP(id),
    DELIVERIES_STEP(id),
    ...(circuit.state === 'closed' ? [] : [DLQ_STEP(id)]),
  ];
};
