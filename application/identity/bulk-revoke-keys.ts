import type { Static } from 'typebox';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type {
  ApiKeyFilter,
  ApiKeyReads,
  KeySelection,
} from '../../domain/identity/identity-store.port.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import { assertAdminAccessRemains } from './admin-access.ts';
import type { BulkRevokeInput } from './api-key-inputs.ts';
import { assertBounded } from './key-filter.ts';
import { ownOrg } from '../call/own-org.ts';
import { KEYS_PER_UNIT, type RevokeKeys } from './revoke-keys.ts';

/**
 * A call with filters revokes at most this many keys and takes about this long. Both are well
 * within the limits of a request.
 */
const KEYS_PER_CALL = 10_000;
const CALL_MS = 20_000;

export interface BulkRevocation {
  readonly revoked: readonly Uuid[];
  readonly alreadyRevoked: readonly Uuid[];
  readonly notFound: readonly Uuid[];
  /** More keys match than one call revokes. */
  readonly more: boolean;
}

/**
 * Revokes many keys. Keys that are named are revoked all together or not at all; keys that match
 * filters, in batches.
 */
export class BulkRevokeKeys {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly unitOfWork: UnitOfWork,
    private readonly apiKeys: ApiKeyReads,
    private readonly revokeKeys: RevokeKeys,
    private readonly notice: ChangeNotice,
    private readonly clock: Clock,
  ) {}

  async execute(
    context: CallContext,
    input: Static<typeof BulkRevokeInput>,
  ): Promise<BulkRevocation> {
    const { keyIds, reason = null, ...filter } = input;
    const hasFilter = Object.values(filter).some((value) => value !== undefined);
    if ((keyIds !== undefined) === hasFilter) throw eitherOr();
    assertBounded(filter);
    const result = await (keyIds
      ? this.named(context, keyIds, reason)
      : this.matching(context, filter, reason));
    this.tell(result.revoked);
    return result;
  }

  private tell(revoked: readonly Uuid[]): void {
    for (const id of revoked) this.notice.changed('api-key', id);
  }

  private named(
    context: CallContext,
    keyIds: readonly Uuid[],
    reason: string | null,
  ): Promise<BulkRevocation> {
    const ids = [...new Set(keyIds)];
    const selection: KeySelection = { ...ownOrg(context.caller, undefined), ids };
    return this.idempotent.run(context, async (stores) => {
      await assertAdminAccessRemains(stores, selection, this.clock.now());
      const keys = await stores.apiKeys.lockSelected(selection, ids.length);
      const active = keys.filter(({ isActive }) => isActive);
      const managed = active.find(({ managedBy }) => managedBy !== null);
      if (managed)
        throw new NotaryError(
          'PROVISIONING_MANAGED',
          `The key ${managed.id} is managed by provisioning files; no key was revoked.`,
        );
      await this.revokeKeys.revoke(stores, context, active, reason);
      const among = (found: readonly { readonly id: Uuid }[]): ReadonlySet<Uuid> =>
        new Set(found.map(({ id }) => id));
      const [known, wereActive] = [among(keys), among(active)];
      return {
        revoked: ids.filter((id) => wereActive.has(id)),
        alreadyRevoked: ids.filter((id) => known.has(id) && !wereActive.has(id)),
        notFound: ids.filter((id) => !known.has(id)),
        more: false,
      };
    });
  }

  /**
   * The last batch is revoked in the transaction that keeps the answer. A repeated call continues
   * where a crash ended the first.
   */
  private async matching(
    context: CallContext,
    filter: ApiKeyFilter,
    reason: string | null,
  ): Promise<BulkRevocation> {
    const { caller } = context;
    const swept: KeySelection = {
      ...filter,
      ...ownOrg(caller, undefined),
      isActive: true,
      unmanaged: true,
      ...(caller.apiKeyId ? { exceptId: caller.apiKeyId } : {}),
    };
    const found = await this.apiKeys.selectIds(swept, KEYS_PER_CALL + 1);
    const batches = inBatches(found.slice(0, KEYS_PER_CALL));
    const revoked: Uuid[] = [];
    const sweep = async (stores: Stores, at: number): Promise<readonly Uuid[]> => {
      const batch: KeySelection = { ...swept, ids: batches[at]! };
      // The whole selection before anything is revoked; then each batch again, because others may
      // revoke keys meanwhile.
      await assertAdminAccessRemains(stores, at === 0 ? swept : batch, this.clock.now(), swept);
      const keys = await stores.apiKeys.lockSelected(batch, KEYS_PER_UNIT);
      return (await this.revokeKeys.revoke(stores, context, keys, reason)).map(({ id }) => id);
    };
    const end = this.clock.now().getTime() + CALL_MS;
    let last = 0;
    for (; last < batches.length - 1 && this.clock.now().getTime() < end; last++) {
      const at = last;
      const part = await this.unitOfWork.transaction((stores) => sweep(stores, at), context);
      this.tell(part);
      revoked.push(...part);
    }
    return this.idempotent.run(context, async (stores) => ({
      revoked: [...revoked, ...(await sweep(stores, last))],
      alreadyRevoked: [],
      notFound: [],
      more: last < batches.length - 1 || found.length > KEYS_PER_CALL,
    }));
  }
}

/** At least one batch, which may be empty. */
const inBatches = (ids: readonly Uuid[]): readonly (readonly Uuid[])[] =>
  Array.from({ length: Math.max(1, Math.ceil(ids.length / KEYS_PER_UNIT)) }, (_, at) =>
    ids.slice(at * KEYS_PER_UNIT, (at + 1) * KEYS_PER_UNIT),
  );

const eitherOr = (): NotaryError =>
  new NotaryError(
    'VALIDATION_ERROR',
    'Give keyIds, or at least one of the filters ownerId, role, createdBefore, lastUsedBefore and neverUsed; not both.',
    {
      errors: [{ path: '/keyIds', keyword: 'oneOf', message: 'exactly one of keyIds and filters' }],
    },
  );
