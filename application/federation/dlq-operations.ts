import { AT, IDS, LATER, pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { pageOf } from '../call/schemas.ts';
import { FederationDlqInput, RecoverFederationInput } from './dlq-inputs.ts';
import {
  DLQ_STEP,
  FederationDeadLetterSchema,
  RecoveredSchema,
  SENT_AGAIN,
  federationDeadLetterView,
  recoveredView,
} from './dlq-view.ts';
import { ListFederationDlq } from './list-federation-dlq.ts';
import { RecoverFederationDlq } from './recover-federation-dlq.ts';

const GROUP = 'Federation';
const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;

export const listFederationDlq = listing({
  id: 'listFederationDlq',
  words: {
    summary: 'List messages that a peer did not take, newest first',
    description:
      'The DLQ of federation. Messages of a record go in order, so where the first one is not taken all that follow wait here with it, until they are recovered. Nothing is dropped by age.',
    group: GROUP,
  },
  access: () => PLATFORM,
  input: FederationDlqInput,
  output: pageOf(FederationDeadLetterSchema),
  result: {
    description: 'A page of the DLQ',
    example: pageExample({
      id: '019c1f00-0000-7000-8000-0000000000d1',
      peerHubId: IDS.hub,
      recordId: IDS.record,
      sequence: 3,
      route: 'state-transitions',
      reason: 'blocked',
      attempts: 1,
      lastStatus: 413,
      lastError: 'The body is longer than 2097152 bytes.',
      createdAt: AT,
      stoppedAt: LATER,
    }),
  },
  useCase: ListFederationDlq,
  view: (slice, guide) => pageView(slice, guide, federationDeadLetterView),
});

export const recoverFederationDlq = operation({
  id: 'recoverFederationDlq',
  words: {
    summary: 'Send messages of the DLQ again',
    description:
      'All of them, or those of one peer or one record. Each lane goes on from its lowest sequence. Those of a revoked peer stay.',
    group: GROUP,
  },
  effect: 'write',
  access: () => PLATFORM,
  input: RecoverFederationInput,
  output: RecoveredSchema,
  examples: { peer: { peerHubId: IDS.hub } },
  result: {
    description: 'How many',
    example: { recovered: 3, remaining: 0, suggestion: SENT_AGAIN, nextSteps: [DLQ_STEP] },
  },
  target: ({ peerHubId }) => (peerHubId ? { kind: 'peer', id: peerHubId } : null),
  useCase: RecoverFederationDlq,
  view: (recovered, guide) => ({ view: recoveredView(recovered, guide) }),
});
