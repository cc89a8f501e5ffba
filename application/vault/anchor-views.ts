import { Type } from 'typebox';
import type { AnchoredObject } from '../../domain/vault/anchor.port.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { RewindFinding } from '../../domain/vault/rewind.ts';
import { AT, HASH, IDS, LATER } from '../call/example-story.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, nullable, oneOf, Sha256, Timestamp } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { AnchorMatch } from './anchor-matches.ts';

export const AnchorsSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      key: Type.String({
        description:
          'anchors/<chainKey>/<position, 12 digits>-<first 16 hex of the hash of the object>.cose; the object is the checkpoint',
      }),
      lastModified: Timestamp,
      size: Type.Integer({ description: 'Bytes' }),
    }),
  ),
  total: Type.Integer(),
});

export const ANCHORS_EXAMPLE = {
  data: [
    {
      key: `anchors/${IDS.record}/000000000003-${HASH.slice(0, 16)}.cose`,
      lastModified: AT,
      size: 612,
    },
  ],
  total: 1,
};

export const anchorsView = (objects: readonly AnchoredObject[]): ViewOf<typeof AnchorsSchema> => ({
  data: objects.map(({ key, lastModified, size }) => ({ key, lastModified, size })),
  total: objects.length,
});

export const AnchorMatchesSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      recordId: Type.String({
        description: 'The chain: a record, schema:<orgId>, or the zero UUID of the platform chain',
      }),
      chainPosition: Type.Integer(),
      match: Type.Boolean(),
      detail: nullable(Type.String({ description: 'What does not match' })),
    }),
  ),
  total: Type.Integer(),
});

export const MATCHES_EXAMPLE = {
  data: [{ recordId: IDS.record, chainPosition: 3, match: true, detail: null }],
  total: 1,
};

export const anchorMatchesView = (
  matches: readonly AnchorMatch[],
): ViewOf<typeof AnchorMatchesSchema> => ({
  data: matches.map(({ chainKey, position, match, detail }) => ({
    recordId: chainKey,
    chainPosition: position,
    match,
    detail,
  })),
  total: matches.length,
});

export const RewindsSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      chainKey: Type.String(),
      finding: oneOf(
        ['rewound', 'missing_locally'],
        'rewound: shorter than a signed checkpoint says, or another; missing_locally: not there',
      ),
      localPosition: Type.Integer({ description: '0 where the chain has no entry' }),
      localHash: nullable(Sha256),
      anchoredPosition: Type.Integer({ description: 'Where the checkpoint saw the chain end' }),
      anchoredHash: Sha256,
      detectedAt: Timestamp,
      acknowledgedAt: nullable(Timestamp),
    }),
  ),
  total: Type.Integer(),
});

export const REWINDS_EXAMPLE = {
  data: [
    {
      chainKey: IDS.record,
      finding: 'rewound',
      localPosition: 2,
      localHash: HASH,
      anchoredPosition: 3,
      anchoredHash: HASH,
      detectedAt: AT,
      acknowledgedAt: LATER,
    },
  ],
  total: 1,
};

export const rewindsView = (findings: readonly RewindFinding[]): ViewOf<typeof RewindsSchema> => ({
  data: findings.map((finding) => ({
    chainKey: finding.chainKey,
    finding: finding.finding,
    localPosition: finding.localPosition,
    localHash: finding.localHash && toHex(finding.localHash),
    anchoredPosition: finding.anchoredPosition,
    anchoredHash: toHex(finding.anchoredHash),
    detectedAt: finding.detectedAt,
    acknowledgedAt: finding.acknowledgedAt,
  })),
  total: findings.length,
});

export const ReconciledSchema = Type.Object({ ...RewindsSchema.properties, ...GUIDANCE });

const RESTORE =
  'Restore a backup that holds what is missing. Where there is none, acknowledge the loss: it is sealed, and verifiers report it.';
const ALL_AGREE = 'Every chain is the one that its checkpoints and anchors show.';
const ACKNOWLEDGE = {
  action: 'acknowledge',
  operation: 'acknowledgeRewind',
  input: { reason: '...' },
  description: 'Take note that the entries are lost, so that the chains are written again',
};

export const RECONCILED_EXAMPLE = {
  ...REWINDS_EXAMPLE,
  data: REWINDS_EXAMPLE.data.map((row) => ({ ...row, acknowledgedAt: null })),
  suggestion: RESTORE,
  nextSteps: [ACKNOWLEDGE],
};

export const reconciledView = (
  findings: readonly RewindFinding[],
  guide: Guide,
): ViewOf<typeof ReconciledSchema> => ({
  ...rewindsView(findings),
  suggestion: findings.length > 0 ? RESTORE : ALL_AGREE,
  nextSteps: findings.length > 0 ? guide.steps(ACKNOWLEDGE) : [],
});

export const AcknowledgedSchema = Type.Object({
  acknowledged: Type.Integer({ description: 'Findings' }),
  ...GUIDANCE,
});

const BACK_UP =
  'Back the database up now: no older copy holds the acknowledgement. Whoever holds an export or a signed statement of the lost entries can still show them.';
const LIST_FINDINGS = {
  action: 'list-findings',
  operation: 'listRewinds',
  input: {},
  description: 'Read what was lost, and when it was acknowledged',
};

export const ACKNOWLEDGED_EXAMPLE = {
  acknowledged: 1,
  suggestion: BACK_UP,
  nextSteps: [LIST_FINDINGS],
};

export const acknowledgedView = (
  acknowledged: number,
  guide: Guide,
): ViewOf<typeof AcknowledgedSchema> => ({
  acknowledged,
  suggestion:
    acknowledged > 0 ? BACK_UP : 'No finding was open, so there was nothing to acknowledge.',
  nextSteps: guide.steps(LIST_FINDINGS),
});
