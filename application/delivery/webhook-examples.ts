import { AT, IDS } from '../call/example-story.ts';
import { EVENT } from '../event/examples.ts';

const ID = '019c1f00-0000-7000-8000-000000000020';
const DELIVERY_ID = '019c1f00-0000-7000-8000-000000000021';
const DLQ_ID = '019c1f00-0000-7000-8000-000000000022';

export const WEBHOOK = {
  id: ID,
  url: 'https://receiver.example.com/notary',
  eventTypes: ['record.fulfilled', 'record.failed'],
  recordTypes: ['*'],
  format: 'standard',
  signingAlg: 'hmac',
  secretGraceActive: false,
  secretGraceExpiresAt: null,
  isActive: true,
  isPaused: false,
  circuitState: 'closed',
  consecutiveFailures: 0,
  lastSuccessfulAt: null,
  createdAt: AT,
} as const;

export const OWNER = { ownerType: 'org', ownerId: IDS.org, managedBy: null } as const;

export const PINGED = {
  id: DELIVERY_ID,
  eventId: EVENT.id,
  eventType: 'webhook.ping',
  eventSequence: 0,
  status: 'DELIVERED',
  reason: null,
  attemptNumber: 1,
  responseStatus: 200,
  responseBody: 'ok',
  signature: `t=1769860800,v1=${'5f'.repeat(32)}`,
  requestBody: '{"createdAt":"2026-01-31T12:00:00.000Z","data":{},"eventSequence":0}',
  nextRetryAt: null,
  createdAt: AT,
  deliveredAt: AT,
} as const;

export const QUEUED_AGAIN = {
  ...PINGED,
  eventType: EVENT.type,
  eventSequence: 7,
  status: 'PENDING',
  responseStatus: null,
  responseBody: null,
  signature: null,
  requestBody: null,
  deliveredAt: null,
} as const;

export const DEAD_LETTER = {
  id: DLQ_ID,
  subscriptionId: ID,
  eventId: EVENT.id,
  eventType: EVENT.type,
  event: EVENT,
  reason: 'attempts_exhausted',
  attempts: 6,
  lastStatus: 500,
  createdAt: AT,
  expiresAt: '2026-02-07T12:00:00.000Z',
} as const;

export const STEP = (action: string, operation: string, description: string) => ({
  action,
  operation,
  input: { webhookId: ID },
  description,
});
