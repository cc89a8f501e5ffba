import { IDS, pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { pageOf } from '../call/schemas.ts';
import {
  ANSWERED,
  AdminDeadLetterSchema,
  DISCARDED,
  DeadLetterSchema,
  DeliveriesSchema,
  DiscardedSchema,
  NewDeliverySchema,
  QUEUED,
  RetriedSchema,
  adminDeadLetterView,
  deadLetterView,
  deliveryView,
  discardedView,
  newDeliveryView,
  retriedView,
} from './delivery-view.ts';
import { DiscardDeadLetter } from './discard-dead-letter.ts';
import { ListAllDeadLetters } from './list-all-dead-letters.ts';
import { ListDeadLetters } from './list-dead-letters.ts';
import { ListDeliveries } from './list-deliveries.ts';
import { PingWebhook } from './ping-webhook.ts';
import { RetryAllDeadLetters } from './retry-all-dead-letters.ts';
import { RetryDeadLetter } from './retry-dead-letter.ts';
import { SetCircuit } from './set-circuit.ts';
import { DEAD_LETTER, OWNER, PINGED, QUEUED_AGAIN, STEP, WEBHOOK } from './webhook-examples.ts';
import {
  AdminDeadLetterInput,
  AdminDeadLettersInput,
  CircuitInput,
  DeadLetterInput,
  DeadLettersInput,
  DeliveriesInput,
  HealthInput,
  WebhookInput,
} from './webhook-inputs.ts';
import {
  ChangedWebhookSchema,
  WebhookHealthSchema,
  changedWebhookView,
  webhookHealthView,
} from './webhook-view.ts';
import { WebhooksHealth } from './webhooks-health.ts';

const GROUP = 'Webhooks';
const WRITE = { scope: 'webhooks:write' } as const;
const READ = { scope: 'webhooks:read' } as const;
const ADMIN = { scope: 'admin:system', roles: ['admin', 'platform'] } as const;
const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;
const target = ({ webhookId }: { readonly webhookId?: string }) =>
  webhookId ? { kind: 'webhook', id: webhookId } : null;
const letterTarget = ({ dlqId }: { readonly dlqId?: string }) =>
  dlqId ? { kind: 'webhook-dlq', id: dlqId } : null;
const DELIVERIES = STEP(
  'view-deliveries',
  'listWebhookDeliveries',
  'Read what was sent, and what was answered',
);
const LIST_EVENTS = {
  action: 'list-events',
  operation: 'listEvents',
  input: {},
  description: 'List the events',
};

export const pingWebhook = operation({
  id: 'pingWebhook',
  words: {
    summary: 'Send a test event',
    description:
      'A real signed delivery of the type webhook.ping, sent at once; the answer says what came of it. It works while the webhook is paused or its circuit is open, and counts for no circuit.',
    group: GROUP,
  },
  effect: 'write',
  access: () => WRITE,
  input: WebhookInput,
  output: NewDeliverySchema,
  examples: { now: { webhookId: WEBHOOK.id } },
  result: {
    description: 'The delivery',
    example: { ...PINGED, suggestion: ANSWERED, nextSteps: [DELIVERIES] },
  },
  problems: ['UNPROCESSABLE', 'WEBHOOK_NOT_OWNED'],
  target,
  useCase: PingWebhook,
  view: (shown, guide) => ({ view: newDeliveryView(shown, guide) }),
});

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  words: {
    summary: 'Read the newest deliveries of a webhook',
    description: 'Each attempt is one; they are kept for 30 days.',
    group: GROUP,
  },
  effect: 'read',
  access: () => READ,
  input: DeliveriesInput,
  output: DeliveriesSchema,
  problems: ['WEBHOOK_NOT_OWNED'],
  result: { description: 'The deliveries, newest first', example: { data: [PINGED] } },
  useCase: ListDeliveries,
  concerns: ({ subscription }) => ({ orgs: [subscription.orgId] }),
  target,
  view: ({ deliveries }) => ({ view: { data: deliveries.map(deliveryView) } }),
});

export const listWebhookDeadLetters = listing({
  id: 'listWebhookDeadLetters',
  words: {
    summary: 'List what was not delivered to a webhook, newest first',
    description:
      'The DLQ. An entry is kept for seven days; event is read from the events themselves.',
    group: GROUP,
  },
  access: () => READ,
  input: DeadLettersInput,
  output: pageOf(DeadLetterSchema),
  problems: ['WEBHOOK_NOT_OWNED'],
  result: { description: 'A page of the DLQ', example: pageExample(DEAD_LETTER) },
  useCase: ListDeadLetters,
  concerns: ({ rows }) => ({ orgs: rows.map(({ letter }) => letter.orgId) }),
  target,
  view: (slice, guide) => pageView(slice, guide, deadLetterView),
});

export const retryWebhookDeadLetter = operation({
  id: 'retryWebhookDeadLetter',
  words: {
    summary: 'Send an event of the DLQ again',
    description: 'For the owner of the webhook, and for keys with webhooks:manage.',
    group: GROUP,
  },
  effect: 'write',
  access: () => WRITE,
  input: DeadLetterInput,
  output: NewDeliverySchema,
  examples: { now: { webhookId: WEBHOOK.id, dlqId: DEAD_LETTER.id } },
  result: {
    description: 'The new delivery',
    example: { ...QUEUED_AGAIN, suggestion: QUEUED, nextSteps: [DELIVERIES] },
  },
  problems: ['UNPROCESSABLE', 'WEBHOOK_NOT_OWNED', 'INSUFFICIENT_SCOPE'],
  target: letterTarget,
  useCase: RetryDeadLetter,
  view: (shown, guide) => ({ view: newDeliveryView(shown, guide) }),
});

export const retryAllWebhookDeadLetters = operation({
  id: 'retryAllWebhookDeadLetters',
  words: {
    summary: 'Send everything in the DLQ of a webhook again',
    description: 'The oldest 1,000 of a call. Entries of an inactive webhook stay.',
    group: GROUP,
  },
  effect: 'write',
  access: () => WRITE,
  input: WebhookInput,
  output: RetriedSchema,
  examples: { now: { webhookId: WEBHOOK.id } },
  result: {
    description: 'How many',
    example: { retried: 3, skippedInactive: 0, suggestion: QUEUED, nextSteps: [DELIVERIES] },
  },
  problems: ['WEBHOOK_NOT_OWNED', 'INSUFFICIENT_SCOPE'],
  target,
  useCase: RetryAllDeadLetters,
  view: (retried, guide) => ({ view: retriedView(retried, guide) }),
});

const DISCARD_RESULT = {
  description: 'Discarded',
  example: {
    id: DEAD_LETTER.id,
    deleted: true,
    suggestion: DISCARDED,
    nextSteps: [LIST_EVENTS],
  },
};

export const discardWebhookDeadLetter = operation({
  id: 'discardWebhookDeadLetter',
  words: { summary: 'Discard an entry of the DLQ', group: GROUP },
  effect: 'write',
  access: () => WRITE,
  input: DeadLetterInput,
  output: DiscardedSchema,
  result: DISCARD_RESULT,
  problems: ['WEBHOOK_NOT_OWNED', 'INSUFFICIENT_SCOPE'],
  target: letterTarget,
  useCase: DiscardDeadLetter,
  view: (letter, guide) => ({ view: discardedView(letter, guide) }),
});

export const getWebhooksHealth = listing({
  id: 'getWebhooksHealth',
  words: { summary: 'How the receivers do, newest webhook first', group: GROUP },
  access: () => ADMIN,
  input: HealthInput,
  output: pageOf(WebhookHealthSchema),
  problems: ['NOT_FOUND'],
  result: {
    description: 'A page of webhooks',
    example: pageExample({ ...WEBHOOK, ...OWNER, orgId: IDS.org, deadLetters: 0 }),
  },
  useCase: WebhooksHealth,
  concerns: ({ rows }) => ({ orgs: rows.map(({ subscription }) => subscription.orgId) }),
  view: (slice, guide) => pageView(slice, guide, webhookHealthView),
});

export const listAllWebhookDeadLetters = listing({
  id: 'listAllWebhookDeadLetters',
  words: { summary: 'List what was not delivered on the whole hub, newest first', group: GROUP },
  access: () => PLATFORM,
  input: AdminDeadLettersInput,
  output: pageOf(AdminDeadLetterSchema),
  result: {
    description: 'A page of the DLQ',
    example: pageExample({ ...DEAD_LETTER, orgId: IDS.org, subscriptionActive: true }),
  },
  useCase: ListAllDeadLetters,
  concerns: ({ rows }) => ({ orgs: rows.map(({ letter }) => letter.orgId) }),
  view: (slice, guide) => pageView(slice, guide, adminDeadLetterView),
});

export const discardAnyWebhookDeadLetter = operation({
  id: 'discardAnyWebhookDeadLetter',
  words: { summary: 'Discard an entry of any DLQ', group: GROUP },
  effect: 'write',
  access: () => PLATFORM,
  input: AdminDeadLetterInput,
  output: DiscardedSchema,
  result: DISCARD_RESULT,
  problems: [],
  target: letterTarget,
  useCase: DiscardDeadLetter,
  view: (letter, guide) => ({ view: discardedView(letter, guide) }),
});

export const setWebhookCircuit = operation({
  id: 'setWebhookCircuit',
  words: {
    summary: 'Open or close the circuit of a webhook',
    description: 'What an operator opened stays open until it is closed here.',
    group: GROUP,
  },
  effect: 'write',
  access: () => ADMIN,
  input: CircuitInput,
  output: ChangedWebhookSchema,
  examples: { close: { webhookId: WEBHOOK.id, state: 'closed' } },
  result: {
    description: 'The webhook',
    example: {
      ...WEBHOOK,
      suggestion: 'Send a ping to see that the receiver answers.',
      nextSteps: [DELIVERIES],
    },
  },
  problems: [],
  target,
  useCase: SetCircuit,
  view: (shown, guide) => ({ view: changedWebhookView(shown, guide) }),
});
