import {
  discardAnyWebhookDeadLetter,
  discardWebhookDeadLetter,
  getWebhooksHealth,
  listAllWebhookDeadLetters,
  listWebhookDeadLetters,
  listWebhookDeliveries,
  pingWebhook,
  retryAllWebhookDeadLetters,
  retryWebhookDeadLetter,
  setWebhookCircuit,
} from '../../../application/delivery/delivery-operations.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../application/delivery/webhook-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const PATH = '/v1/webhooks';
const ONE = `${PATH}/{id}`;
const names = { id: 'webhookId' } as const;

/** Webhooks, what was sent to them, and what was not. */
export const webhookBindings: readonly RestBinding[] = [
  bind(createWebhook, {
    method: 'POST',
    path: PATH,
    status: 201,
    query: ['orgId'],
    location: ({ id }) => `${PATH}/${id}`,
    locationWords: 'Path of the webhook',
  }),
  bind(listWebhooks, { method: 'GET', path: PATH }),
  bind(getWebhook, { method: 'GET', path: ONE, names }),
  bind(updateWebhook, { method: 'PATCH', path: ONE, names, whole: 'changes', needsBody: true }),
  bind(deleteWebhook, { method: 'DELETE', path: ONE, names }),
  bind(pingWebhook, {
    method: 'POST',
    path: `${ONE}/ping`,
    names,
    status: 200,
    takesEmptyBody: true,
  }),
  bind(rotateWebhookSecret, { method: 'POST', path: `${ONE}/rotate`, names, status: 200 }),
  bind(pauseWebhook, {
    method: 'POST',
    path: `${ONE}/pause`,
    names,
    status: 200,
    takesEmptyBody: true,
  }),
  bind(resumeWebhook, {
    method: 'POST',
    path: `${ONE}/resume`,
    names,
    status: 200,
    takesEmptyBody: true,
  }),
  bind(listWebhookDeliveries, { method: 'GET', path: `${ONE}/deliveries`, names }),
  bind(listWebhookDeadLetters, { method: 'GET', path: `${ONE}/dlq`, names }),
  bind(retryAllWebhookDeadLetters, {
    method: 'POST',
    path: `${ONE}/dlq/retry-all`,
    names,
    status: 200,
    takesEmptyBody: true,
  }),
  bind(retryWebhookDeadLetter, {
    method: 'POST',
    path: `${ONE}/dlq/{dlqId}/retry`,
    names,
    status: 200,
    takesEmptyBody: true,
  }),
  bind(discardWebhookDeadLetter, { method: 'DELETE', path: `${ONE}/dlq/{dlqId}`, names }),
  bind(getWebhooksHealth, { method: 'GET', path: '/v1/admin/webhooks/health' }),
  bind(setWebhookCircuit, {
    method: 'PATCH',
    path: '/v1/admin/webhooks/{id}/circuit-breaker',
    names,
  }),
  bind(listAllWebhookDeadLetters, { method: 'GET', path: '/v1/admin/webhook-dlq' }),
  bind(discardAnyWebhookDeadLetter, { method: 'DELETE', path: '/v1/admin/webhook-dlq/{dlqId}' }),
];
