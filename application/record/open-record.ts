import { actorOf, type CallContext } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { NotaryRecord, type RecordDraft } from '../../domain/record/notary-record.ts';
import { isNotarizeOnly, type RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import { resolveType } from '../../domain/record-type/resolve-type.ts';
import type { GenuineTypes } from '../record-type/genuine-types.ts';
import type { SealEvents } from '../sealing/seal-events.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { ContentCheck } from './content-check.ts';
import type { CreateRecordInput } from './create-record.ts';
import { deadlineOf } from './deadline.ts';
import type { NameParties } from './name-parties.ts';
import type { PresentRecord } from './present-record.ts';
import type { RecordView } from './views.ts';

/** Creation members of the contract that a later release takes. */
const LATER_MEMBERS = ['parentRecordId', 'references', 'onBehalfOf', 'federation'] as const satisfies readonly (keyof CreateRecordInput)[];

/** A record but for its id and its time, which belong to the moment it is sealed. */
export type Draft = (id: Uuid, at: string) => RecordDraft;

/** Opening a record, in two halves: what can be decided before any lock, and what is written. */
export class OpenRecord {
  constructor(
    private readonly recordTypes: RecordTypeReads,
    private readonly genuineTypes: GenuineTypes,
    private readonly nameParties: NameParties,
    private readonly contentCheck: ContentCheck,
    private readonly sealing: SealEvents,
    private readonly present: PresentRecord,
    private readonly ids: IdSource,
  ) {}

  /** Everything that can be said, and refused, before any lock is taken. */
  async draft(context: CallContext, input: CreateRecordInput): Promise<Draft> {
    refuseLaterMembers(input);
    const parties = await this.nameParties.principalOf(context.caller, input);
    const recordType = await this.resolve(parties.principal.orgId, input);
    await this.genuineTypes.assert(recordType);
    const named = await this.nameParties.performerOf(context.caller, input, parties, recordType);
    const refusal = this.contentCheck.criteria(recordType, input.criteria);
    if (refusal) throw refusal;
    if (isNotarizeOnly(recordType.manifest)) refuseExpiry(input);
    return (id, at) => ({
      id,
      recordType,
      ...named,
      criteria: input.criteria,
      platform: input.platform ?? 'api',
      platformRef: input.platformRef ?? null,
      message: input.message ?? null,
      autoActivate: input.autoActivate ?? false,
      expiresAt: isNotarizeOnly(recordType.manifest) ? null : deadlineOf(input, recordType.manifest.defaultTtlSeconds, at),
    });
  }

  private async resolve(orgId: Uuid, input: CreateRecordInput): Promise<RecordType> {
    const rows = await this.recordTypes.find(orgId, input.type);
    const usable = rows.some((row) => row.status === 'active');
    return resolveType(input, rows, usable ? [] : await this.recordTypes.activeNames(orgId));
  }

  /** Nothing is read here: a new chain has no head, so this unit of work waits for nobody. */
  async open(stores: Stores, context: CallContext, draft: Draft): Promise<RecordView> {
    const id = this.ids.next();
    const chain = this.sealing.begin(id);
    const change = NotaryRecord.create(draft(id, chain.at), chain.at);
    await stores.records.insert(change.after);
    const entry = await this.sealing.record(stores, chain, { actor: actorOf(context.caller), requestId: context.requestId }, change);
    return this.present.record(change.after, entry, context.caller);
  }
}

const refuseLaterMembers = (input: CreateRecordInput): void => {
  const used = LATER_MEMBERS.filter((member) => input[member] !== undefined);
  if (used.length === 0) return;
  throw new NotaryError('UNPROCESSABLE', `This release does not take ${used.join(', ')} yet; nothing was stored.`, {
    errors: used.map((member) => ({ path: `/${member}`, keyword: 'later', message: `${member} comes with a later release` })),
    suggestion: `Leave out ${used.join(', ')}.`,
  });
};

const refuseExpiry = (input: CreateRecordInput): void => {
  const used = (['expiresAt', 'ttlSeconds'] as const).filter((member) => input[member] !== undefined);
  if (used.length === 0) return;
  throw new NotaryError('UNPROCESSABLE', 'A notarized record is final when it is created and cannot expire.', {
    errors: used.map((member) => ({ path: `/${member}`, keyword: 'notarize-only', message: 'a notarize-only record does not expire' })),
    suggestion: `Leave out ${used.join(', ')}.`,
  });
};
