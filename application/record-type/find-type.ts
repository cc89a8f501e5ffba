import type { Caller } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import { governedOrg, readerOf } from '../call/own-org.ts';
import type { VerifiedTypes } from './verified-types.ts';

export interface NamedType {
  readonly type: string;
  readonly version?: number;
  readonly publisher?: string;
  readonly orgId?: Uuid;
}

/** Finds one version of a record type that a caller may read: the named one, else the newest active one, else the newest. */
export class FindType {
  constructor(
    private readonly recordTypes: RecordTypeReads,
    private readonly records: RecordReads,
    private readonly verifiedTypes: VerifiedTypes,
  ) {}

  /** @throws NOT_FOUND, AMBIGUOUS_PUBLISHER with publishers[], CONFLICT with reason payload_drift */
  async find({ caller }: CallContext, name: NamedType): Promise<RecordType> {
    const own = await this.inOrg(governedOrg(caller, name.orgId), name);
    const found = own ?? (await this.pinned(caller, name));
    if (!found) throw notFound('record type');
    await this.verifiedTypes.assert(found);
    return found;
  }

  private async inOrg(orgId: Uuid, name: NamedType): Promise<RecordType | null> {
    const rows = ofOnePublisher(await this.recordTypes.find(orgId, name.type), name);
    return rows.find((row) => row.status === 'active') ?? rows[0] ?? null;
  }

  /** A party of a record may read the manifest that the record pins, whichever org owns it. */
  private async pinned(
    caller: Caller,
    { type, publisher, version }: NamedType,
  ): Promise<RecordType | null> {
    const reader = readerOf(caller);
    if (!reader || publisher === undefined || version === undefined) return null;
    const orgId = await this.records.pinnedBy(reader, { type, publisher, version });
    return orgId === null ? null : this.inOrg(orgId, { type, publisher, version });
  }
}

/**
 * The rows of a type to which a request refers.
 *
 * @throws AMBIGUOUS_PUBLISHER where they belong to several publishers
 */
export const ofOnePublisher = (
  all: readonly RecordType[],
  { type, publisher, version }: Pick<NamedType, 'type' | 'publisher' | 'version'>,
): readonly RecordType[] => {
  const rows = all.filter(
    (row) =>
      (publisher === undefined || row.publisher === publisher) &&
      (version === undefined || row.version === version),
  );
  const publishers = [...new Set(rows.map((row) => row.publisher))].sort();
  if (publishers.length > 1)
    throw new NotaryError(
      'AMBIGUOUS_PUBLISHER',
      `The record type ${type} is registered by ${publishers.length} publishers.`,
      {
        publishers,
        recordType: type,
        suggestion: 'Name one of publishers with the query parameter publisher.',
      },
    );
  return rows;
};
