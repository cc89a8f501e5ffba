import { actorOf, type Caller } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { asserted } from '../../domain/identity/on-behalf-of.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { Party, RecordDraft } from '../../domain/record/creation.ts';
import {
  assertReferenceTarget,
  findReference,
  type ReferenceTarget,
} from '../../domain/kernel/reference-target.ts';
import type { Reference } from '../../domain/record/reference.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { actingOn } from '../../domain/record/sides.ts';
import { isNotarizeOnly, type RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import { resolveType } from '../../domain/record-type/resolve-type.ts';
import type { VerifiedTypes } from '../record-type/verified-types.ts';
import { furtherOrigin, originOf } from '../sealing/origin.ts';
import type { RecordChains } from '../sealing/record-chains.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { ApplyChange } from './apply-change.ts';
import type { ContentCheck } from './content-check.ts';
import type { AskedRecord } from './inputs.ts';
import { expiryOf } from './expiry.ts';
import { platformNamesNobody, type NameParties } from './name-parties.ts';
import type { NamePeer } from '../sharing/name-peer.ts';
import type { PresentRecord } from './present-record.ts';
import type { RecordResult } from './results.ts';

/** A record but for its id and its time, which belong to the moment it is sealed. */
export interface Draft {
  (id: Uuid, at: string, parent?: RecordState): RecordDraft;
  readonly references: readonly ReferenceTarget[];
}

/** Opens a record in two halves: what can be decided before any lock, and what is written. */
export class OpenRecord {
  constructor(
    private readonly recordTypes: RecordTypeReads,
    private readonly verifiedTypes: VerifiedTypes,
    private readonly nameParties: NameParties,
    private readonly contentCheck: ContentCheck,
    private readonly recordChains: RecordChains,
    private readonly applyChange: ApplyChange,
    private readonly present: PresentRecord,
    private readonly namePeer: NamePeer,
    private readonly ids: IdSource,
  ) {}

  /**
   * Everything that can be decided, and refused, before any lock is taken.
   *
   * @param parent the record under which this one is delegated.
   */
  async draft(context: CallContext, input: AskedRecord, parent?: RecordState): Promise<Draft> {
    const parties = await this.nameParties.principalOf(context.caller, input, parent);
    const recordType = await this.resolve(context.caller, parties.principal, input);
    await this.verifiedTypes.assert(recordType);
    const federation = input.federation
      ? await this.namePeer.of(input, input.federation, recordType)
      : null;
    const named = await this.nameParties.performerOf(context.caller, input, parties, recordType);
    const refusal = await this.contentCheck.criteria(context.caller, recordType, input.criteria, {
      principalAgentId: named.principal.agentId,
      performerAgentId: named.performer?.agentId ?? null,
    });
    if (refusal) throw refusal;
    if (isNotarizeOnly(recordType.manifest)) refuseExpiry(input);
    const references = (input.references ?? []).map(
      ({ kind, uri, digest = null, label = null }) => ({ kind, uri, digest, label }),
    );
    references.forEach((target, index) => assertReferenceTarget(target, `/references/${index}`));
    const record = (id: Uuid, at: string, lockedParent?: RecordState): RecordDraft => ({
      id,
      recordType,
      ...named,
      federation,
      criteria: input.criteria,
      platform: input.platform ?? 'api',
      platformRef: input.platformRef ?? null,
      message: input.message ?? null,
      autoActivate: input.autoActivate ?? false,
      expiresAt: isNotarizeOnly(recordType.manifest)
        ? null
        : expiryOf(input, recordType.manifest.defaultTtlSeconds, at),
      onBehalfOf: context.onBehalfOf ?? (input.onBehalfOf ? asserted(input.onBehalfOf) : null),
      parent: lockedParent,
    });
    return Object.assign(record, { references });
  }

  private async resolve(
    caller: Caller,
    { agentId, orgId }: Party,
    input: AskedRecord,
  ): Promise<RecordType> {
    const rows = await this.recordTypes.find(orgId, input.type);
    if (rows.length === 0 && caller.role === 'platform' && agentId === caller.agentId)
      throw platformNamesNobody();
    const usable = rows.some((row) => row.status === 'active');
    return resolveType(input, rows, usable ? [] : await this.recordTypes.activeNames(orgId));
  }

  /** A new chain has no head. So without references this unit of work reads nothing, and waits for nobody. */
  async open(
    stores: Stores,
    context: CallContext,
    draft: Draft,
    parent?: RecordState,
  ): Promise<RecordResult> {
    const id = this.ids.next();
    const chain = this.recordChains.begin(id);
    const drafted = draft(id, chain.at, parent);
    const { change, entry } = await this.applyChange.single(
      { stores, chain },
      originOf(context),
      NotaryRecord.create(drafted, chain.at),
      drafted.recordType,
    );
    const record = await this.addReferences(stores, context, change.after, draft.references);
    return this.present.record(record, entry, context.caller);
  }

  /** One entry each, as if they were added one after the other; but they commit together with the record. */
  private async addReferences(
    stores: Stores,
    context: CallContext,
    opened: RecordState,
    targets: readonly ReferenceTarget[],
  ): Promise<RecordState> {
    const { caller } = context;
    let state = opened;
    for (const target of targets) {
      if (findReference(state.references, target)) continue;
      const chain = await this.recordChains.lock(stores, state);
      const change = new NotaryRecord(state).addReference(
        actingOn(caller, state),
        { ...target, id: this.ids.next(), by: actorOf(caller) },
        chain.at,
      );
      const { entry } = await this.applyChange.single(
        { stores, chain },
        furtherOrigin(originOf(context)),
        change,
      );
      await stores.references.insert(change.reference as Reference, entry.position);
      state = change.after;
    }
    return state;
  }
}

const refuseExpiry = (input: AskedRecord): void => {
  const used = (['expiresAt', 'ttlSeconds'] as const).filter(
    (member) => (input[member] ?? undefined) !== undefined,
  );
  if (used.length === 0) return;
  throw new NotaryError(
    'UNPROCESSABLE',
    'A notarized record is final when it is created and cannot expire.',
    {
      errors: used.map((member) => ({
        path: `/${member}`,
        keyword: 'notarize-only',
        message: 'a notarize-only record does not expire',
      })),
      suggestion: `Leave out ${used.join(', ')}.`,
    },
  );
};
