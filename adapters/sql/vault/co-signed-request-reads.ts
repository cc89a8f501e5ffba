import type { CoSignedRequestReads } from '../../../domain/identity/co-signed-request-store.port.ts';
import { firstOf } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { bytesFromSql } from '../base/values.ts';

export class SqlCoSignedRequestReads implements CoSignedRequestReads {
  constructor(private readonly reader: Reader) {}

  async at(chainKey: string, position: number): Promise<Uint8Array | null> {
    const row = firstOf(
      await this.reader.all<{ readonly body: Uint8Array }>(BODY_OF_ENTRY, [chainKey, position]),
    );
    return row && bytesFromSql(row.body);
  }
}

const BODY_OF_ENTRY =
  'SELECT r.body FROM co_signed_entries e JOIN co_signed_requests r ON r.id = e.request_id WHERE e.chain_key = ? AND e.position = ?';
