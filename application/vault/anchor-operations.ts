import { Type } from 'typebox';
import { IDS } from '../call/example-story.ts';
import { operation } from '../call/operation.ts';
import { Uuid } from '../call/schemas.ts';
import { AcknowledgeRewind } from './acknowledge-rewind.ts';
import {
  ACKNOWLEDGED_EXAMPLE,
  ANCHORS_EXAMPLE,
  AnchorMatchesSchema,
  anchorMatchesView,
  AcknowledgedSchema,
  acknowledgedView,
  AnchorsSchema,
  anchorsView,
  MATCHES_EXAMPLE,
  RECONCILED_EXAMPLE,
  ReconciledSchema,
  reconciledView,
  REWINDS_EXAMPLE,
  RewindsSchema,
  rewindsView,
} from './anchor-views.ts';
import { ListAnchors } from './list-anchors.ts';
import { ListRewinds } from './list-rewinds.ts';
import { ReconcileAnchors } from './reconcile-anchors.ts';
import { VerifyAnchors } from './verify-anchors.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;
const OF_CHAIN = {
  ...Uuid,
  description: 'The record, or the zero UUID for the platform chain',
} as const;
const NOTHING = Type.Object({}, { additionalProperties: false });

export const listAnchors = operation({
  id: 'listAnchors',
  words: {
    summary: 'The copies of the checkpoints of one chain outside of the database',
    description:
      'The zero UUID names the platform chain, whose newest checkpoint is anchored in every sweep.',
    group: 'Vault',
  },
  effect: 'read',
  access: () => PLATFORM,
  input: Type.Object({ recordId: OF_CHAIN }, { additionalProperties: false }),
  output: AnchorsSchema,
  result: { description: 'Objects in the order of positions', example: ANCHORS_EXAMPLE },
  problems: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
  useCase: ListAnchors,
  view: (objects) => ({ view: anchorsView(objects) }),
});

export const verifyAnchors = operation({
  id: 'verifyAnchors',
  words: {
    summary: 'Compare anchors with the checkpoints in the database',
    description:
      'Of one chain, or 20 of all by chance. What was recorded as anchored and is missing in the store does not match.',
    group: 'Vault',
  },
  effect: 'read',
  access: () => PLATFORM,
  input: Type.Object({ recordId: Type.Optional(OF_CHAIN) }, { additionalProperties: false }),
  output: AnchorMatchesSchema,
  examples: { sample: {}, ofOneChain: { recordId: IDS.record } },
  result: { description: 'Each anchor that was compared', example: MATCHES_EXAMPLE },
  problems: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
  useCase: VerifyAnchors,
  view: (matches) => ({ view: anchorMatchesView(matches) }),
});

export const reconcileAnchors = operation({
  id: 'reconcileAnchors',
  words: {
    summary: 'Compare every chain with its newest checkpoint and with every anchor, now',
    description:
      'A chain that is shorter than a signed checkpoint says, or another, is refused to writers until the loss is acknowledged.',
    group: 'Vault',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: NOTHING,
  output: ReconciledSchema,
  examples: { now: {} },
  result: { description: 'The findings that nobody acknowledged', example: RECONCILED_EXAMPLE },
  problems: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
  useCase: ReconcileAnchors,
  view: (findings, guide) => ({ view: reconciledView(findings, guide) }),
});

export const listRewinds = operation({
  id: 'listRewinds',
  words: {
    summary: 'Chains that were found to be rewound',
    description: 'The newest finding first, 1000 at most; acknowledged ones stay listed.',
    group: 'Vault',
  },
  effect: 'read',
  access: () => PLATFORM,
  input: NOTHING,
  output: RewindsSchema,
  result: { description: 'The findings', example: REWINDS_EXAMPLE },
  useCase: ListRewinds,
  view: (findings) => ({ view: rewindsView(findings) }),
});

export const acknowledgeRewind = operation({
  id: 'acknowledgeRewind',
  words: {
    summary: 'Acknowledge that entries are lost, so that their chains are written again',
    description:
      'Each loss is sealed on the platform chain with its range, and verifiers report it. Restore a backup that holds the entries instead, where there is one. A restore brings revoked keys back: the answer lists what the anchors know to be revoked and the database does not. Call it again to read the list again.',
    group: 'Vault',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object(
    {
      chainKey: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Of one chain; all findings where it is left out',
        }),
      ),
      reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    },
    { additionalProperties: false },
  ),
  output: AcknowledgedSchema,
  examples: {
    all: {},
    withReason: { reason: 'The disk failed; the backup of the night was restored' },
  },
  result: {
    description: 'How many findings were acknowledged, and what has to be revoked again',
    example: ACKNOWLEDGED_EXAMPLE,
  },
  problems: ['CHAIN_REWIND_DETECTED', 'SERVICE_UNAVAILABLE'],
  useCase: AcknowledgeRewind,
  view: (acknowledged, guide) => ({ view: acknowledgedView(acknowledged, guide) }),
});
