import type { CallContext } from '../../domain/identity/caller.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import { governedOrg } from '../identity/own-org.ts';

export interface GetTypeInput {
  readonly type: string;
  readonly version?: number;
  readonly publisher?: string;
  readonly orgId?: Uuid;
}

/** One version of a record type: the newest active one, else the newest, unless a version is named. */
export class GetType {
  constructor(private readonly recordTypes: RecordTypeReads) {}

  /** @throws NOT_FOUND, AMBIGUOUS_PUBLISHER with publishers[] */
  async execute({ caller }: CallContext, input: GetTypeInput): Promise<RecordType> {
    const all = await this.recordTypes.find(governedOrg(caller, input.orgId), input.type);
    const rows = all.filter((row) => (input.publisher === undefined || row.publisher === input.publisher) && (input.version === undefined || row.version === input.version));
    const publishers = [...new Set(rows.map((row) => row.publisher))].sort();
    if (publishers.length > 1) throw new NotaryError('AMBIGUOUS_PUBLISHER', `The record type ${input.type} is registered by ${publishers.length} publishers.`, { publishers, recordType: input.type, suggestion: 'Name one of publishers with the query parameter publisher.' });
    const found = rows.find((row) => row.status === 'active') ?? rows[0];
    if (!found) throw notFound('record type');
    return found;
  }
}
