import { Type } from 'typebox';
import { operation } from '../call/operation.ts';
import { Uuid, oneOf } from '../call/schemas.ts';
import { recordTarget } from '../record/record-target.ts';
import { AttestationSchema, SigstoreBundleSchema } from './attestation-schema.ts';
import { AnyAuditExportSchema } from './audit-export-schema.ts';
import { ATTESTATION, AUDIT_EXPORT, SIGSTORE_BUNDLE } from './examples.ts';
import { ExportAttestation } from './export-attestation.ts';
import { ExportAudit } from './export-audit.ts';
import { ExportBundle } from './export-bundle.ts';

export const exportAudit = operation({
  id: 'exportAudit',
  words: {
    summary: 'Export the signed chain of a record for offline verification',
    description:
      'Closes with a checkpoint of the head: one that exists, as long as the head has not moved, else a new one. Entries are sent as they are read, so no chain is too long. With evidence=true the evidence stands at its COMPLETION_SUBMITTED entry, and what proposals and disputes said at theirs. NDJSON holds the same, a part a line; CSV is a view of the entries and no evidence. With subtree=true the records below are in it too, as far as this key may read them. A key has at most two exports under way (RATE_LIMIT_EXPORTS).',
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
      subtree: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Export the records below as well, as far as this key may read them',
        }),
      ),
      format: Type.Optional(oneOf(['json', 'csv', 'ndjson'], 'The form of the export')),
    },
    { additionalProperties: false },
  ),
  output: AnyAuditExportSchema,
  result: { description: 'The export', example: AUDIT_EXPORT },
  problems: ['CONFLICT', 'UNPROCESSABLE', 'CHAIN_REWIND_DETECTED'],
  target: recordTarget,
  isStreamed: true,
  pool: 'exports',
  useCase: ExportAudit,
  concerns: ({ orgs }) => ({ orgs }),
  view: ({ document }) => ({ view: document }),
});

export const exportAttestation = operation({
  id: 'exportAttestation',
  words: {
    summary: 'The signed structures of a record, and nothing beside them',
    description:
      'The COSE_Sign1 of every entry in order, then the checkpoint of the head: a CBOR sequence (RFC 8742). It holds no key and no evidence. With receipts=true each entry has its receipt from the log of its org in its unprotected header, label 394 (RFC 9942); take it off before you hash.',
    group: 'Audit',
  },
  effect: 'read',
  access: () => ({ scope: 'audit:read' }),
  input: Type.Object(
    {
      recordId: Uuid,
      receipts: Type.Optional(
        Type.Boolean({ default: false, description: 'Show the receipt of each entry beside it' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: AttestationSchema,
  result: { description: 'The structures', example: ATTESTATION },
  problems: ['CONFLICT', 'CHAIN_REWIND_DETECTED'],
  target: recordTarget,
  isStreamed: true,
  pool: 'exports',
  useCase: ExportAttestation,
  concerns: ({ orgs }) => ({ orgs }),
  view: ({ attestation }) => ({ view: attestation }),
});

export const exportBundle = operation({
  id: 'exportBundle',
  words: {
    summary: 'The newest statement of a record as a Sigstore bundle',
    description:
      'A DSSE envelope over the newest statement, in its RFC 8785 form, signed by the active key, which the hint names. Signed anew for each call.',
    group: 'Audit',
  },
  effect: 'read',
  access: () => ({ scope: 'audit:read' }),
  input: Type.Object({ recordId: Uuid }, { additionalProperties: false }),
  output: SigstoreBundleSchema,
  result: { description: 'The bundle', example: SIGSTORE_BUNDLE },
  problems: ['CONFLICT', 'CHAIN_REWIND_DETECTED'],
  target: recordTarget,
  useCase: ExportBundle,
  concerns: ({ orgs }) => ({ orgs }),
  view: ({ bundle }) => ({ view: bundle }),
});
