import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import { MAX_COUNTED_RECORDS } from '../../domain/record-type/record-type-store.port.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { governedOrg } from '../call/own-org.ts';
import type { SealSchema } from '../sealing/seal-schema.ts';
import { signedStatement, type SignedStatement } from '../sealing/signed-statement.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { NamedType } from './find-type.ts';
import type { VerifiedTypes } from './verified-types.ts';
import { managedVersions, lockVersions } from './locked-versions.ts';

export interface DeletedVersion {
  readonly recordType: RecordType;
  readonly signedStatement: SignedStatement;
}

/**
 * Another process may create records of a disabled type until it learns of the change, which takes a second, and until
 * the last of them is stored. Nothing is deleted before that, ms.
 */
const SETTLED_AFTER = 2_000;
const MAX_ROUNDS = 5;

/** Deletes disabled versions of a record type that no record pins. Their entries stay on the chain for ever. */
export class DeleteType {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealSchema: SealSchema,
    private readonly verifiedTypes: VerifiedTypes,
    private readonly vault: Vault,
    private readonly notice: ChangeNotice,
    private readonly clock: Clock,
    private readonly wait: (milliseconds: number) => Promise<unknown>,
  ) {}

  /**
   * @returns newest version first, never empty.
   * @throws STATUS_NOT_DISABLED; RECORDS_REFERENCE_TYPE with pinnedRecords, unattributableRecords
   */
  async execute(context: CallContext, input: NamedType): Promise<readonly DeletedVersion[]> {
    const orgId = governedOrg(context.caller, input.orgId);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      try {
        const deleted = await this.idempotent.run(context, (stores) =>
          this.remove(stores, context, orgId, input),
        );
        this.notice.changed('record-type', orgId);
        return deleted;
      } catch (error) {
        if (!(error instanceof Unsettled)) throw error;
        await this.wait(error.milliseconds);
      }
    }
    throw new NotaryError(
      'SERVICE_UNAVAILABLE',
      'The record types of the org change all the time; nothing was deleted.',
      { retryAfter: 5 },
    );
  }

  private async remove(
    stores: Stores,
    context: CallContext,
    orgId: Uuid,
    input: NamedType,
  ): Promise<readonly DeletedVersion[]> {
    const { rows, head } = await lockVersions(stores, this.verifiedTypes, orgId, input);
    await managedVersions(stores, context.caller, rows);
    assertDisabled(rows);
    await assertUnused(stores, rows);
    this.assertSettled(head);
    const deleted: DeletedVersion[] = [];
    // Oldest first, as they stand on the chain.
    for (const row of rows.toReversed())
      deleted.unshift({
        recordType: row,
        signedStatement: await this.removeOne(stores, context, row),
      });
    return deleted;
  }

  /** The head of the org's schema chain is at least as young as the newest act on this type. */
  private assertSettled(head: ChainHead | null): void {
    const left = head ? Date.parse(head.at) + SETTLED_AFTER - this.clock.now().getTime() : 0;
    if (left > 0) throw new Unsettled(Math.min(left, SETTLED_AFTER));
  }

  private async removeOne(
    stores: Stores,
    context: CallContext,
    { id, orgId, publisher, type, version, manifestDigest }: RecordType,
  ): Promise<SignedStatement> {
    if ((await stores.recordTypes.remove(id)) !== 1)
      throw new Error(
        `version ${version} of ${publisher}/${type} changed while its chain was locked`,
      );
    const entry = await this.sealSchema.seal(
      stores,
      { actor: actorOf(context.caller), requestId: context.requestId },
      {
        entryType: 'SCHEMA_DELETED',
        event: 'schema.deleted',
        subject: { orgId, publisher, type, version, manifestDigest },
      },
    );
    return signedStatement(entry, this.vault.seal.signer.algorithm);
  }
}

/** Rolls the unit of work back, which has to run again in a moment. */
class Unsettled extends Error {
  override readonly name = 'Unsettled';
  constructor(readonly milliseconds: number) {
    super('the disabling is too young');
  }
}

const assertDisabled = (rows: readonly RecordType[]): void => {
  const active = rows.filter((row) => row.status === 'active').map((row) => row.version);
  const [first] = rows;
  if (active.length === 0 || !first) return;
  throw new NotaryError(
    'STATUS_NOT_DISABLED',
    `Version ${active.join(', ')} of ${first.publisher}/${first.type} is active; only what is disabled can be deleted.`,
    {
      recordType: first.type,
      publisher: first.publisher,
      currentStatus: 'active',
      suggestion: 'Disable it first: PATCH the same path with {"status": "disabled"}.',
    },
  );
};

const assertUnused = async (stores: Stores, rows: readonly RecordType[]): Promise<void> => {
  let pinnedRecords = 0;
  for (const row of rows) pinnedRecords += await stores.recordTypes.countRecords(row);
  const [first] = rows;
  if (pinnedRecords === 0 || !first) return;
  const count =
    pinnedRecords >= MAX_COUNTED_RECORDS ? `${MAX_COUNTED_RECORDS} or more` : String(pinnedRecords);
  // Every record names its publisher, so each can be attributed.
  throw new NotaryError(
    'RECORDS_REFERENCE_TYPE',
    `Records use ${first.publisher}/${first.type}: ${count}.`,
    { recordType: first.type, publisher: first.publisher, pinnedRecords, unattributableRecords: 0 },
  );
};
