import { Type } from 'typebox';
import { AT, HASH, IDS } from '../call/example-story.ts';
import type { Guide, NextStep } from '../call/guide.ts';
import { GUIDANCE, Sha256, Status, Timestamp, Uuid, nullable, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import {
  EXPORT_FORMATS,
  MAX_EXPORTED,
  MAX_OMISSIONS,
  stateOf,
  type ComplianceExport,
} from '../ports/compliance-export.ts';

export const ComplianceExportSchema = Type.Object({
  id: Uuid,
  orgId: Uuid,
  state: oneOf(['created', 'completed', 'failed']),
  format: oneOf(EXPORT_FORMATS),
  from: Timestamp,
  to: Timestamp,
  type: nullable(Type.String()),
  status: nullable(Status),
  total_records: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Records that the filters meet; null until completed',
    }),
  ),
  exported_records: nullable(
    Type.Integer({ minimum: 0, maximum: MAX_EXPORTED, description: 'The newest of them' }),
  ),
  omitted_records: nullable(
    Type.Integer({
      minimum: 0,
      maximum: MAX_EXPORTED,
      description: 'Of the newest, those that somebody edited in the database: they are left out',
    }),
  ),
  omissions: nullable(
    Type.Array(Type.Object({ recordId: Uuid, reason: Type.String() }), {
      maxItems: MAX_OMISSIONS,
      description: 'The first of these, and what is wrong with each',
    }),
  ),
  truncated: nullable(
    Type.Boolean({ description: 'Whether the filters meet more than one export takes' }),
  ),
  sha256: nullable({ ...Sha256, description: 'Of the file, as EXPORT_TAKEN seals it' }),
  reason: nullable(Type.String({ description: 'Why it failed' })),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});

export const GuidedExportSchema = Type.Object({
  ...ComplianceExportSchema.properties,
  ...GUIDANCE,
});

export const exportView = (one: ComplianceExport): ViewOf<typeof ComplianceExportSchema> => ({
  id: one.id,
  orgId: one.orgId,
  state: stateOf(one),
  format: one.format,
  from: one.filters.from,
  to: one.filters.to,
  type: one.filters.type ?? null,
  status: one.filters.status ?? null,
  total_records: one.made?.total ?? null,
  exported_records: one.made?.exported ?? null,
  omitted_records: one.made?.omitted ?? null,
  omissions: one.made && [...one.made.omissions],
  truncated: one.made && one.made.total > one.made.exported + one.made.omitted,
  sha256: one.made?.sha256 ?? null,
  reason: one.failure,
  createdAt: one.createdAt,
  expiresAt: one.expiresAt,
});

export const WAIT = 'Read the export until its state is completed, then download it.';
const FETCH = 'Download it before it expires, and compare its SHA-256.';
const INCOMPLETE =
  'Records are left out of it: somebody edited them in the database. omissions says which; tell the operator.';
const AGAIN = 'It failed: ask for another one.';

export const readStep = (exportId: string): NextStep => ({
  action: 'read',
  operation: 'getComplianceExport',
  input: { exportId },
  description: 'Read how far it is',
});
export const downloadStep = (exportId: string): NextStep => ({
  action: 'download',
  operation: 'downloadComplianceExport',
  input: { exportId },
  description: 'Download it',
});

export const guidedExportView = (
  one: ComplianceExport,
  guide: Guide,
): ViewOf<typeof GuidedExportSchema> => {
  const state = stateOf(one);
  return {
    ...exportView(one),
    suggestion: {
      created: WAIT,
      completed: one.made?.omitted ? INCOMPLETE : FETCH,
      failed: AGAIN,
    }[state],
    nextSteps: guide.steps(
      ...(state === 'created' ? [readStep(one.id)] : []),
      ...(state === 'completed' ? [downloadStep(one.id)] : []),
    ),
  };
};

export const CREATED_EXPORT = {
  id: IDS.key,
  orgId: IDS.org,
  state: 'created',
  format: 'ndjson',
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-02-01T00:00:00.000Z',
  type: null,
  status: null,
  total_records: null,
  exported_records: null,
  omitted_records: null,
  omissions: null,
  truncated: null,
  sha256: null,
  reason: null,
  createdAt: AT,
  expiresAt: '2026-02-10T12:00:00.000Z',
};

export const COMPLETED_EXPORT = {
  ...CREATED_EXPORT,
  state: 'completed',
  total_records: 812,
  exported_records: 812,
  omitted_records: 0,
  omissions: [],
  truncated: false,
  sha256: HASH,
};

export const EXAMPLES = { WAIT, FETCH };
