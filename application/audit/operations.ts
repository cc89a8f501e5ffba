import { Type } from 'typebox';
import { operation } from '../call/operation.ts';
import { Uuid, oneOf } from '../call/schemas.ts';
import { recordTarget } from '../record/record-target.ts';
import { AuditExportSchema } from './audit-export-schema.ts';
import { AUDIT_EXPORT } from './examples.ts';
import { ExportAudit } from './export-audit.ts';

export const exportAudit = operation({
  id: 'exportAudit',
  words: {
    summary: 'Export the signed chain of a record for offline verification',
    description:
      'Closes with a checkpoint of the head: one that exists, as long as the head has not moved, else a new one. Entries are sent as they are read, so no chain is too long. With evidence=true the evidence stands at its COMPLETION_SUBMITTED entry, and what proposals and disputes said at theirs. NDJSON holds the same, a part a line; CSV is a view of the entries and no evidence. A key has at most two exports under way.',
    group: 'Audit',
  },
  // A checkpoint is the service's own; nothing of the record changes.
  effect: 'read',
  access: () => ({ scope: 'audit:read' }),
  input: Type.Object(
    {
      recordId: Uuid,
      evidence: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Show the evidence at the entry of its completion',
        }),
      ),
      format: Type.Optional(oneOf(['json', 'csv', 'ndjson'], 'The form of the export')),
    },
    { additionalProperties: false },
  ),
  output: AuditExportSchema,
  result: { description: 'The export', example: AUDIT_EXPORT },
  problems: ['CONFLICT', 'CHAIN_REWIND_DETECTED'],
  target: recordTarget,
  streams: ['chain', 'entries'],
  pool: 'exports',
  useCase: ExportAudit,
  view: (document) => ({ view: document }),
});
