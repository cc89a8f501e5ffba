import type { Caller } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Keyset } from '../../domain/kernel/page.ts';
import { isDrift } from '../../domain/kernel/row-drift.ts';
import type { RecordFilter, RecordReads } from '../../domain/record/record-store.port.ts';
import { UnreadableError } from '../../domain/vault/parsed-statement.ts';
import { exportOfOne } from '../audit/audit-export-document.ts';
import type { ExportedRecords } from '../audit/exported-records.ts';
import {
  MAX_EXPORTED,
  MAX_OMISSIONS,
  type ComplianceExport,
  type ExportFormat,
  type Omission,
} from '../ports/compliance-export.ts';
import { EXPORT_TEXTS } from './export-text.ts';
import type { PieceWriter } from './piece-writer.ts';

const PAGE = 200;

/** A record of which something was edited that an export shows: it cannot be shown as what it was. */
class Unshowable extends Error {
  override readonly name = 'Unshowable';
}

export interface Written {
  readonly exported: number;
  readonly omitted: number;
  readonly omissions: readonly Omission[];
  /** Whose data it shows. */
  readonly orgs: readonly Uuid[];
}

/** The records of an export, and its text: what an admin of the org would export one by one, without evidence. */
export class ExportRecords {
  constructor(
    private readonly reads: Pick<RecordReads, 'ids' | 'count'>,
    private readonly exported: ExportedRecords,
  ) {}

  /** The newest that the filters meet, and how many they meet. */
  async newest({
    orgId,
    filters,
  }: ComplianceExport): Promise<{ readonly ids: readonly Uuid[]; readonly total: number }> {
    const { from, to, ...rest } = filters;
    const filter: RecordFilter = {
      ...rest,
      reader: { orgId },
      createdFrom: from,
      createdTo: to,
      sort: '-createdAt',
    };
    const ids: Uuid[] = [];
    let after: Keyset | null = null;
    do {
      const slice = { limit: Math.min(PAGE, MAX_EXPORTED - ids.length), after };
      const page = await this.reads.ids(filter, slice);
      ids.push(...page.rows);
      after = page.next;
    } while (after && ids.length < MAX_EXPORTED);
    return { ids, total: after ? await this.reads.count(filter) : ids.length };
  }

  /**
   * Record by record, so that no more than a part of one is in memory. A record that somebody edited is left out, whatever
   * was written of it: one edited row would otherwise keep everything else from those who audit it.
   */
  async write(
    { orgId, format }: ComplianceExport,
    ids: readonly Uuid[],
    writer: PieceWriter,
    signal: AbortSignal,
  ): Promise<Written> {
    const { before, between, after } = EXPORT_TEXTS[format];
    const orgs = new Set<Uuid>([orgId]);
    const omissions: Omission[] = [];
    let [exported, omitted] = [0, 0];
    await writer.add(before);
    for (const recordId of ids) {
      writer.mark();
      try {
        if (exported > 0) await writer.add(between);
        for await (const text of this.textOf(recordId, orgId, format, orgs)) {
          signal.throwIfAborted();
          await writer.add(text);
        }
        exported++;
      } catch (error) {
        if (!(error instanceof Unshowable)) throw error;
        writer.takeBack();
        omitted++;
        if (omissions.length < MAX_OMISSIONS) omissions.push({ recordId, reason: error.message });
      }
    }
    // A file of lines that has none is empty.
    if (exported > 0 || before !== '') await writer.add(after);
    return { exported, omitted, omissions, orgs: [...orgs] };
  }

  /** What its reader throws passes by: only what is wrong with the record itself leaves it out. */
  private async *textOf(
    recordId: Uuid,
    orgId: Uuid,
    format: ExportFormat,
    orgs: Set<Uuid>,
  ): AsyncGenerator<string> {
    try {
      const { shown, frame } = await this.exported.framed({ caller: adminOf(orgId) }, recordId, {});
      for (const { orgId: of, name } of shown.parties)
        if (of !== null && name !== null) orgs.add(of);
      yield* EXPORT_TEXTS[format].text(exportOfOne(frame, shown));
    } catch (error) {
      throw isEdited(error)
        ? new Unshowable(error.message.slice(0, MAX_REASON), { cause: error })
        : error;
    }
  }
}

const MAX_REASON = 300;

const isEdited = (error: unknown): error is Error =>
  isDrift(error) ||
  error instanceof UnreadableError ||
  (error instanceof NotaryError && error.code === 'CHAIN_REWIND_DETECTED');

/** A reader who sees what an admin of the org sees. It calls nothing. */
const adminOf = (orgId: Uuid): Caller => ({
  role: 'admin',
  authType: 'api_key',
  apiKeyId: null,
  agentId: null,
  orgId,
  name: '',
  scopes: [],
  allowed: new Set(),
  allowedIps: null,
  cert: null,
  oidc: null,
});
