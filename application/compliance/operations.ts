import { Type } from 'typebox';
import { listing, operation } from '../call/operation.ts';
import { pageExample } from '../call/example-story.ts';
import { pageView } from '../call/page-view.ts';
import {
  Base64,
  OrgFilter,
  PAGE_INPUT,
  Status,
  Timestamp,
  Uuid,
  oneOf,
  pageOf,
} from '../call/schemas.ts';
import { EXPORT_FORMATS } from '../ports/compliance-export.ts';
import {
  COMPLETED_EXPORT,
  CREATED_EXPORT,
  ComplianceExportSchema,
  EXAMPLES,
  GuidedExportSchema,
  downloadStep,
  exportView,
  guidedExportView,
  readStep,
} from './compliance-view.ts';
import { CreateComplianceExport } from './create-compliance-export.ts';
import { DownloadComplianceExport } from './download-compliance-export.ts';
import { GetComplianceExport } from './get-compliance-export.ts';
import { ListComplianceExports } from './list-compliance-exports.ts';

const Which = Type.Object({ exportId: Uuid }, { additionalProperties: false });

export const createComplianceExport = operation({
  id: 'createComplianceExport',
  words: {
    summary: 'Ask for an export of the records of an org',
    description:
      'Made in the background and kept for seven days: the newest 10,000 of the records with a party in the org that were created from one instant on and before another one. ndjson: a line is the audit export of a record, without evidence, as notary verify takes it; json: an array of the same; csv: a view of the entries. A record that somebody edited in the database is left out, counted and named. That it was taken is sealed as EXPORT_TAKEN, and entered in the log of reads of each org whose data it shows. An org has at most 10 that have not expired.',
    group: 'Audit',
  },
  effect: 'write',
  access: () => ({ scope: 'compliance:write' }),
  input: Type.Object(
    {
      from: { ...Timestamp, description: 'Records created then or later' },
      to: { ...Timestamp, description: 'Records created before then' },
      type: Type.Optional(
        Type.String({ minLength: 1, maxLength: 96, description: 'Of this type' }),
      ),
      status: Type.Optional(Status),
      format: Type.Optional({
        ...oneOf(EXPORT_FORMATS, 'The form of the file'),
        default: 'ndjson',
      }),
      orgId: Type.Optional({ ...Uuid, description: 'For platform keys: the org that it is of' }),
    },
    { additionalProperties: false },
  ),
  output: GuidedExportSchema,
  examples: {
    month: { from: CREATED_EXPORT.from, to: CREATED_EXPORT.to, format: 'ndjson' },
  },
  result: {
    description: 'The export was asked for',
    example: {
      ...CREATED_EXPORT,
      suggestion: EXAMPLES.WAIT,
      nextSteps: [readStep(CREATED_EXPORT.id)],
    },
  },
  problems: ['ORG_REQUIRED', 'NOT_FOUND', 'CONFLICT'],
  useCase: CreateComplianceExport,
  view: (made, guide) => ({ view: guidedExportView(made, guide), isNew: true }),
});

export const listComplianceExports = listing({
  id: 'listComplianceExports',
  words: {
    summary: 'List compliance exports, newest first',
    description: 'Those of the org; for a platform key those of all orgs, or of the one it names.',
    group: 'Audit',
  },
  access: () => ({ scope: 'compliance:read' }),
  input: Type.Object(
    { orgId: Type.Optional(OrgFilter), ...PAGE_INPUT },
    { additionalProperties: false },
  ),
  output: pageOf(ComplianceExportSchema),
  result: { description: 'A page of exports', example: pageExample(COMPLETED_EXPORT) },
  problems: ['NOT_FOUND'],
  useCase: ListComplianceExports,
  concerns: ({ rows }) => ({ orgs: rows.map(({ orgId }) => orgId) }),
  view: (slice, guide) => pageView(slice, guide, exportView),
});

export const getComplianceExport = operation({
  id: 'getComplianceExport',
  words: { summary: 'How far a compliance export is', group: 'Audit' },
  effect: 'read',
  access: () => ({ scope: 'compliance:read' }),
  input: Which,
  output: GuidedExportSchema,
  result: {
    description: 'The export',
    example: {
      ...COMPLETED_EXPORT,
      suggestion: EXAMPLES.FETCH,
      nextSteps: [downloadStep(COMPLETED_EXPORT.id)],
    },
  },
  problems: ['NOT_FOUND'],
  useCase: GetComplianceExport,
  concerns: ({ orgId }) => ({ orgs: [orgId] }),
  view: (found, guide) => ({ view: guidedExportView(found, guide) }),
});

export const downloadComplianceExport = operation({
  id: 'downloadComplianceExport',
  words: {
    summary: 'Download a compliance export',
    description:
      'From any node, in the format that it was asked for in. Its SHA-256 is the one that EXPORT_TAKEN seals.',
    group: 'Audit',
  },
  effect: 'read',
  access: () => ({ scope: 'compliance:read' }),
  input: Which,
  output: Type.Object({
    format: oneOf(EXPORT_FORMATS),
    parts: Type.Unsafe<AsyncIterable<Uint8Array>>(Type.Array(Base64)),
  }),
  result: { description: 'The file', example: { format: 'ndjson', parts: [] } },
  problems: ['NOT_FOUND', 'UNPROCESSABLE_STATE'],
  isStreamed: true,
  pool: 'exports',
  useCase: DownloadComplianceExport,
  concerns: ({ orgs }) => ({ orgs }),
  view: ({ of, parts }) => ({ view: { format: of.format, parts: parts() } }),
});
