import type { Caller, CallContext } from '../../domain/identity/caller.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import { governedOrg, readerOf } from '../identity/own-org.ts';

export interface GetTypeInput {
  readonly type: string;
  readonly version?: number;
  readonly publisher?: string;
  readonly orgId?: Uuid;
}

/** One version of a record type: the newest active one, else the newest, unless a version is named. */
export class GetType {
  constructor(
    private readonly recordTypes: RecordTypeReads,
    private readonly records: RecordReads,
  ) {}

  /** @throws NOT_FOUND, AMBIGUOUS_PUBLISHER with publishers[] */
  async execute({ caller }: CallContext, input: GetTypeInput): Promise<RecordType> {
    const own = await this.find(governedOrg(caller, input.orgId), input);
    const found = own ?? (await this.pinned(caller, input));
    if (!found) throw notFound('record type');
    return found;
  }

  private async find(orgId: Uuid, input: GetTypeInput): Promise<RecordType | null> {
    const all = await this.recordTypes.find(orgId, input.type);
    const rows = all.filter((row) => (input.publisher === undefined || row.publisher === input.publisher) && (input.version === undefined || row.version === input.version));
    const publishers = [...new Set(rows.map((row) => row.publisher))].sort();
    if (publishers.length > 1) throw new NotaryError('AMBIGUOUS_PUBLISHER', `The record type ${input.type} is registered by ${publishers.length} publishers.`, { publishers, recordType: input.type, suggestion: 'Name one of publishers with the query parameter publisher.' });
    return rows.find((row) => row.status === 'active') ?? rows[0] ?? null;
  }

  /** A party of a record may read the manifest that it works under, whosever it is. */
  private async pinned(caller: Caller, { type, publisher, version }: GetTypeInput): Promise<RecordType | null> {
    const reader = readerOf(caller);
    if (!reader || publisher === undefined || version === undefined) return null;
    const orgId = await this.records.pinnedBy(reader, { type, publisher, version });
    return orgId === null ? null : this.find(orgId, { type, publisher, version });
  }
}
