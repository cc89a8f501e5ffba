import { Type } from 'typebox';
import type { AnchoredObject } from '../../domain/vault/anchor.port.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import { REVOCABLE_KINDS } from '../../domain/vault/revocation.ts';
import type { RewindFinding } from '../../domain/vault/rewind.ts';
import { AT, HASH, IDS, LATER } from '../call/example-story.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, nullable, oneOf, Sha256, Timestamp } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { AcknowledgedRewind } from './acknowledge-rewind.ts';
import type { LostRevocationReport } from './lost-revocations.ts';
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

const LostRevocationsSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        kind: oneOf(REVOCABLE_KINDS),
        id: Type.String({ description: 'Of a signing key: agentId/thumbprint' }),
        entryType: Type.String({ description: 'The lost entry of the platform chain' }),
        revokedAt: Timestamp,
      }),
      { description: 'Newest first, 1000 at most' },
    ),
    total: Type.Integer(),
    knownFrom: nullable({
      ...Timestamp,
      description: 'What was revoked before this time may be missing; null if nothing is',
    }),
    knownTo: nullable({
      ...Timestamp,
      description:
        'What was revoked after this time is missing; null if the anchors hold no list of revocations',
    }),
  },
  {
    description:
      'What was revoked after the copy that was put back, and can be used again: revoke it again. It is what the signed lists beside the anchors know. Until then the service is degraded (revocations_lost)',
  },
);
const MAX_SHOWN = 1_000;

export const lostRevocationsView = ({
  lost,
  knownFrom,
  knownTo,
}: LostRevocationReport): ViewOf<typeof LostRevocationsSchema> => ({
  data: lost
    .slice(0, MAX_SHOWN)
    .map(({ kind, id, entryType, at }) => ({ kind, id, entryType, revokedAt: at })),
  total: lost.length,
  knownFrom,
  knownTo,
});

const REVOKE_AGAIN = 'Revoke what lostRevocations lists again: it can be used until you do.';

export const AcknowledgedSchema = Type.Object({
  acknowledged: Type.Integer({ description: 'Findings' }),
  lostRevocations: LostRevocationsSchema,
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
  lostRevocations: {
    data: [{ kind: 'api_key', id: IDS.key, entryType: 'API_KEY_REVOKED', revokedAt: AT }],
    total: 1,
    knownFrom: null,
    knownTo: LATER,
  },
  suggestion: BACK_UP,
  nextSteps: [LIST_FINDINGS],
};

export const acknowledgedView = (
  { findings, revocations }: AcknowledgedRewind,
  guide: Guide,
): ViewOf<typeof AcknowledgedSchema> => ({
  acknowledged: findings,
  lostRevocations: lostRevocationsView(revocations),
  suggestion: [
    ...(revocations.lost.length > 0 ? [REVOKE_AGAIN] : []),
    findings > 0 ? BACK_UP : 'No finding was open, so there was nothing to acknowledge.',
  ].join(' '),
  nextSteps: guide.steps(LIST_FINDINGS),
});
