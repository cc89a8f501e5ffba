import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ShownType } from './shown-type.ts';
import type { RecordType, RecordTypeStatus } from '../../domain/record-type/manifest.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { governedOrg } from '../call/own-org.ts';
import type { SealSchema } from '../sealing/seal-schema.ts';
import { signedStatement, type SignedStatement } from '../sealing/signed-statement.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { NamedType } from './find-type.ts';
import type { VerifiedTypes } from './verified-types.ts';
import { lockVersions, managedVersions } from './locked-versions.ts';

export interface ChangedVersion extends ShownType {
  /** Null where the version had this status already, and nothing was written. */
  readonly signedStatement: SignedStatement | null;
}

/** Disables versions of a record type, or enables them again: the named version, or all. Each change is sealed in an entry of its own. */
export class ChangeTypeStatus {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealSchema: SealSchema,
    private readonly verifiedTypes: VerifiedTypes,
    private readonly vault: Vault,
    private readonly notice: ChangeNotice,
  ) {}

  /** @returns newest version first, never empty. */
  async execute(
    context: CallContext,
    input: NamedType & { readonly status: RecordTypeStatus },
  ): Promise<readonly ChangedVersion[]> {
    const orgId = governedOrg(context.caller, input.orgId);
    const changed = await this.idempotent.run(context, (stores) =>
      this.change(stores, context, orgId, input),
    );
    this.notice.changed('record-type', orgId);
    return changed;
  }

  private async change(
    stores: Stores,
    context: CallContext,
    orgId: Uuid,
    input: NamedType & { readonly status: RecordTypeStatus },
  ): Promise<readonly ChangedVersion[]> {
    const { rows } = await lockVersions(stores, this.verifiedTypes, orgId, input);
    const managed = await managedVersions(stores, context.caller, rows);
    const statements = new Map<Uuid, SignedStatement>();
    // Oldest first, as they stand on the chain.
    for (const row of rows.toReversed())
      if (row.status !== input.status)
        statements.set(row.id, await this.changeOne(stores, context, row, input.status));
    return rows.map((row) => ({
      recordType: { ...row, status: input.status },
      managedBy: managed.has(row.id) ? 'provisioning' : null,
      signedStatement: statements.get(row.id) ?? null,
    }));
  }

  private async changeOne(
    stores: Stores,
    context: CallContext,
    { orgId, publisher, type, version, manifestDigest }: RecordType,
    status: RecordTypeStatus,
  ): Promise<SignedStatement> {
    const changed = await stores.recordTypes.setStatus({ orgId, publisher, type, version }, status);
    if (changed !== 1)
      throw new Error(
        `version ${version} of ${publisher}/${type} changed while its chain was locked`,
      );
    const entry = await this.sealSchema.seal(
      stores,
      { actor: actorOf(context.caller), requestId: context.requestId },
      {
        entryType: 'SCHEMA_STATUS_CHANGED',
        event: 'schema.status_changed',
        subject: { orgId, publisher, type, version, manifestDigest, status },
      },
    );
    return signedStatement(entry, this.vault.seal.signer.algorithm);
  }
}
