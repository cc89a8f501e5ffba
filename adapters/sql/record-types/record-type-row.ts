import type { Manifest, RecordTypeStatus } from '../../../domain/record-type/manifest.ts';
import { HEX, INSTANT, INTEGER, json, nullable, oneOf, TEXT, UUID } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { table } from '../tables/tables.ts';

export const RECORD_TYPES = table('record_types', {
  id: column('id', UUID),
  orgId: column('org_id', UUID),
  publisher: column('publisher', TEXT),
  type: column('type', TEXT),
  version: column('version', INTEGER),
  manifest: column('manifest', json<Manifest>()),
  manifestDigest: column('manifest_digest', HEX),
  status: column('status', oneOf<RecordTypeStatus>()),
  registeredBy: column('registered_by', nullable(UUID)),
  registeredAt: column('registered_at', INSTANT),
  entryPosition: column('entry_position', INTEGER),
});

export const RECORD_TYPES_OF_NAME = `${RECORD_TYPES.select} WHERE org_id = ? AND type = ? ORDER BY version DESC, publisher`;
