import type {
  ComplianceExport,
  ExportAsker,
  ExportFilters,
  ExportFormat,
  MadeExport,
} from '../../../application/ports/compliance-export.ts';
import { BYTES, INSTANT, INTEGER, json, nullable, oneOf, TEXT, UUID } from '../tables/codec.ts';
import { column, derived } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';
import { table } from '../tables/tables.ts';

/** The MAC covers the hashes of the pieces, so these need none. */
export const COMPLIANCE_EXPORTS = sealedTable('compliance_exports', {
  id: column('id', UUID),
  orgId: column('org_id', UUID),
  // One value while it is to be made, else NULL: so the job finds it by index.
  inFlight: derived(
    'in_flight',
    nullable(TEXT),
    ({ made, failure }: Pick<ComplianceExport, 'made' | 'failure'>) =>
      made === null && failure === null ? 'export' : null,
  ),
  format: column('format', oneOf<ExportFormat>()),
  filters: column('filters', json<ExportFilters>()),
  askedBy: column('asked_by', json<ExportAsker>()),
  createdAt: column('created_at', INSTANT),
  expiresAt: column('expires_at', INSTANT),
  attempts: column('attempts', INTEGER),
  claim: column('claim', nullable(UUID)),
  made: column('made', nullable(json<MadeExport>())),
  failure: column('failure', nullable(TEXT)),
});

export const COMPLIANCE_EXPORT_PIECES = table('compliance_export_pieces', {
  exportId: column('export_id', UUID),
  claim: column('claim', UUID),
  ordinal: column('ordinal', INTEGER),
  content: column('content', BYTES),
});
