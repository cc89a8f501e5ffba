import { pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { pageOf } from '../call/schemas.ts';
import { CreateWebhook } from './create-webhook.ts';
import { DeleteWebhook } from './delete-webhook.ts';
import { GetWebhook } from './get-webhook.ts';
import { ListWebhooks } from './list-webhooks.ts';
import { PauseWebhook } from './pause-webhook.ts';
import { ResumeWebhook } from './resume-webhook.ts';
import { RotateWebhookSecret } from './rotate-webhook-secret.ts';
import { UpdateWebhook } from './update-webhook.ts';
import { OWNER, STEP, WEBHOOK } from './webhook-examples.ts';
import {
  CreateWebhookInput,
  ListWebhooksInput,
  RotateWebhookInput,
  UpdateWebhookInput,
  WebhookInput,
} from './webhook-inputs.ts';
import {
  ChangedWebhookSchema,
  DELETED,
  DeletedWebhookSchema,
  KEEP_SECRET,
  WebhookDetailSchema,
  WebhookSchema,
  WebhookWithSecretSchema,
  changedWebhookView,
  deletedWebhookView,
  webhookDetailView,
  webhookView,
  webhookWithSecretView,
} from './webhook-view.ts';

const GROUP = 'Webhooks';
const WRITE = { scope: 'webhooks:write' } as const;
const READ = { scope: 'webhooks:read' } as const;
const target = ({ webhookId }: { readonly webhookId?: string }) =>
  webhookId ? { kind: 'webhook', id: webhookId } : null;
const SECRET = 'whsec_4f2a8c1e9b7d6035a1c4e8f20b9d7362kQ3xZ7mP1vT';
const PING = STEP('ping', 'pingWebhook', 'Send a signed test event');
const GUIDED = { suggestion: 'Send a ping to see that the receiver answers.', nextSteps: [PING] };

export const createWebhook = operation({
  id: 'createWebhook',
  words: {
    summary: 'Tell a receiver what happens',
    description:
      'A webhook of an agent key gets what GET /v1/events gives that agent; one of an admin key what it gives the org. Deliveries come at least once, one at a time; tell them apart by X-Service-Idempotency-Key.',
    group: GROUP,
  },
  effect: 'write',
  access: () => WRITE,
  input: CreateWebhookInput,
  output: WebhookWithSecretSchema,
  secrets: ['secret'],
  examples: {
    outcomes: { url: WEBHOOK.url, eventTypes: WEBHOOK.eventTypes },
    everything: { url: WEBHOOK.url, eventTypes: ['*'], format: 'cloudevents' },
  },
  result: {
    description: 'The webhook, with its secret',
    example: { ...WEBHOOK, secret: SECRET, suggestion: KEEP_SECRET, nextSteps: [PING] },
  },
  problems: ['UNPROCESSABLE', 'ORG_REQUIRED', 'NOT_FOUND', 'FORBIDDEN'],
  useCase: CreateWebhook,
  view: (shown, guide) => ({ view: webhookWithSecretView(shown, guide) }),
});

export const listWebhooks = listing({
  id: 'listWebhooks',
  words: {
    summary: 'List webhooks, newest first',
    description:
      'An agent key lists its own, an admin key those of its org, a platform key those that its agent created.',
    group: GROUP,
  },
  access: () => READ,
  input: ListWebhooksInput,
  output: pageOf(WebhookSchema),
  problems: ['NOT_FOUND'],
  result: { description: 'A page of webhooks', example: pageExample(WEBHOOK) },
  useCase: ListWebhooks,
  concerns: ({ rows }) => ({ orgs: rows.map(({ subscription }) => subscription.orgId) }),
  view: (slice, guide) => pageView(slice, guide, webhookView),
});

export const getWebhook = operation({
  id: 'getWebhook',
  words: { summary: 'Read a webhook', group: GROUP },
  effect: 'read',
  access: () => READ,
  input: WebhookInput,
  output: WebhookDetailSchema,
  problems: ['WEBHOOK_NOT_OWNED'],
  result: { description: 'The webhook', example: { ...WEBHOOK, ...OWNER, ...GUIDED } },
  useCase: GetWebhook,
  concerns: ({ subscription }) => ({ orgs: [subscription.orgId] }),
  target,
  view: (shown, guide) => ({ view: webhookDetailView(shown, guide) }),
});

export const updateWebhook = operation({
  id: 'updateWebhook',
  words: {
    summary: 'Change a webhook',
    description:
      'What waits goes to the new url in the new format. The scheme stays as it was created, whatever eventTypes are named.',
    group: GROUP,
  },
  effect: 'write',
  access: () => WRITE,
  input: UpdateWebhookInput,
  output: ChangedWebhookSchema,
  examples: {
    url: { webhookId: WEBHOOK.id, changes: { url: 'https://receiver.example.com/new' } },
    arm: { webhookId: WEBHOOK.id, changes: { isActive: true } },
  },
  result: { description: 'The webhook', example: { ...WEBHOOK, ...GUIDED } },
  problems: ['UNPROCESSABLE', 'WEBHOOK_NOT_OWNED', 'PROVISIONING_MANAGED'],
  target,
  useCase: UpdateWebhook,
  view: (shown, guide) => ({ view: changedWebhookView(shown, guide) }),
});

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  words: {
    summary: 'Delete a webhook',
    description:
      'What waits goes to its DLQ, which stays readable. A deleted webhook is never revived.',
    group: GROUP,
  },
  effect: 'write',
  access: () => WRITE,
  input: WebhookInput,
  output: DeletedWebhookSchema,
  result: {
    description: 'Deleted',
    example: {
      id: WEBHOOK.id,
      deleted: true,
      deadLetters: 0,
      suggestion: DELETED,
      nextSteps: [STEP('view-dlq', 'listWebhookDeadLetters', 'Read what was not delivered')],
    },
  },
  problems: ['WEBHOOK_NOT_OWNED', 'PROVISIONING_MANAGED'],
  target,
  useCase: DeleteWebhook,
  view: (deleted, guide) => ({ view: deletedWebhookView(deleted, guide) }),
});

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  words: {
    summary: 'Give a webhook another secret',
    description:
      'Until the grace ends both secrets sign each delivery, so that the receiver can change over. A second rotation drops the oldest.',
    group: GROUP,
  },
  effect: 'write',
  access: () => WRITE,
  input: RotateWebhookInput,
  output: WebhookWithSecretSchema,
  secrets: ['secret'],
  examples: { atOnce: { webhookId: WEBHOOK.id, gracePeriodSeconds: 0 } },
  result: {
    description: 'The webhook, with its new secret',
    example: { ...WEBHOOK, secret: SECRET, suggestion: KEEP_SECRET, nextSteps: [PING] },
  },
  problems: ['UNPROCESSABLE', 'WEBHOOK_NOT_OWNED', 'PROVISIONING_MANAGED'],
  target,
  useCase: RotateWebhookSecret,
  view: (shown, guide) => ({ view: webhookWithSecretView(shown, guide) }),
});

export const pauseWebhook = operation({
  id: 'pauseWebhook',
  words: {
    summary: 'Pause a webhook',
    description:
      'What happened before waits; what happens until it is resumed is never delivered. A webhook that provisioning manages may be paused too.',
    group: GROUP,
  },
  effect: 'write',
  access: () => WRITE,
  input: WebhookInput,
  output: ChangedWebhookSchema,
  examples: { now: { webhookId: WEBHOOK.id } },
  result: { description: 'The webhook', example: { ...WEBHOOK, isPaused: true, ...GUIDED } },
  problems: ['UNPROCESSABLE', 'WEBHOOK_NOT_OWNED'],
  target,
  useCase: PauseWebhook,
  view: (shown, guide) => ({ view: changedWebhookView(shown, guide) }),
});

export const resumeWebhook = operation({
  id: 'resumeWebhook',
  words: { summary: 'Resume a webhook', group: GROUP },
  effect: 'write',
  access: () => WRITE,
  input: WebhookInput,
  output: ChangedWebhookSchema,
  examples: { now: { webhookId: WEBHOOK.id } },
  result: { description: 'The webhook', example: { ...WEBHOOK, ...GUIDED } },
  problems: ['UNPROCESSABLE', 'WEBHOOK_NOT_OWNED'],
  target,
  useCase: ResumeWebhook,
  view: (shown, guide) => ({ view: changedWebhookView(shown, guide) }),
});
