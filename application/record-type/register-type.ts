import { NotaryError, notFound, type FieldError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Org } from '../../domain/identity/org.ts';
import { examineManifest } from '../../domain/record-type/examine-manifest.ts';
import type { GateEvaluator } from '../../domain/record-type/gate-evaluator.port.ts';
import {
  completeManifest,
  manifestDigest,
  type Manifest,
  type ManifestBody,
  type RecordType,
} from '../../domain/record-type/manifest.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import type { SchemaValidators } from '../../domain/record-type/schema-validator.port.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import { managedByOf } from '../call/managed-rows.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { governedOrg } from '../call/own-org.ts';
import { signedStatement, type SignedStatement } from '../sealing/signed-statement.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';
import type { SealSchema } from '../sealing/seal-schema.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { managedVersions } from './locked-versions.ts';
import { registrationStatement } from './registration-statement.ts';
import { manifestDrift, type VerifiedTypes } from './verified-types.ts';
import { assertOneDigest, conflictingVersion } from './one-digest.ts';
import { managerOf, type ShownType } from './shown-type.ts';

export interface RegisterTypeInput extends ManifestBody {
  readonly orgId?: Uuid;
}

export interface RegisteredType extends ShownType {
  /** False if the same manifest was registered before. */
  readonly created: boolean;
  /** The entry that registered it, now or before. */
  readonly signedStatement: SignedStatement;
}

/** Registers a version of a record type in an org, once and for all. */
export class RegisterType {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealSchema: SealSchema,
    private readonly sealPlatform: SealPlatform,
    private readonly platform: PlatformLedger,
    private readonly verifiedTypes: VerifiedTypes,
    private readonly validators: SchemaValidators,
    private readonly gates: GateEvaluator,
    private readonly vault: Vault,
    private readonly notice: ChangeNotice,
    private readonly ids: IdSource,
  ) {}

  async execute(
    context: CallContext,
    { orgId: requested, ...manifest }: RegisterTypeInput,
  ): Promise<RegisteredType> {
    const orgId = governedOrg(context.caller, requested);
    // Compiling schemas and gates is costly, so it is done before any lock.
    await this.assertUsable(orgId, manifest);
    const registered = await this.registerCompared(context, orgId, manifest);
    this.notice.changed('record-type', orgId);
    return registered;
  }

  /** Whether schemas, gates and examples are valid depends neither on the publisher nor on the version. */
  private async assertUsable(orgId: Uuid, body: ManifestBody): Promise<void> {
    const draft = completeManifest(body, { orgSlug: 'draft', nextVersion: 1 });
    const errors = await examineManifest(draft, this.validators.of(orgId), this.gates);
    if (errors.length > 0)
      throw new NotaryError(
        'UNPROCESSABLE',
        `The manifest cannot be used: ${errors[0]?.path} ${errors[0]?.message}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}.`,
        { errors, recordType: body.type },
      );
  }

  /**
   * Only under the lock is it known which version the new one follows, and comparing the two may take seconds. No lock is
   * held for that: a missing comparison ends the unit of work, is made, and the work begins again.
   */
  private async registerCompared(
    context: CallContext,
    orgId: Uuid,
    body: ManifestBody,
  ): Promise<RegisteredType> {
    const compared = new Map<string, readonly FieldError[]>();
    for (;;) {
      try {
        return await this.idempotent.run(context, (stores) =>
          this.register(stores, context, orgId, body, compared),
        );
      } catch (error) {
        if (!(error instanceof NotCompared) || compared.size >= MAX_COMPARISONS) throw error;
        compared.set(
          error.newest.manifestDigest,
          await this.validators.of(orgId).compare(error.newest.manifest, error.manifest),
        );
      }
    }
  }

  private async register(
    stores: Stores,
    context: CallContext,
    orgId: Uuid,
    body: ManifestBody,
    compared: Compared,
  ): Promise<RegisteredType> {
    const org = await stores.orgs.find(orgId);
    if (!org) throw notFound('org');
    const publisher = body.publisher ?? org.slug;
    await this.claim(stores, context, publisher, org);
    const facts = await this.verifiedTypes.factsWithin(stores, orgId);
    const versions = (await stores.recordTypes.versions(orgId, body.type, publisher)).map(
      (row) => ({
        ...row,
        status: facts.versionOf(row)?.status ?? row.status,
      }),
    );
    const held = await stores.recordTypes.held(publisher, body.type);
    const manifest = completeManifest(body, {
      orgSlug: org.slug,
      nextVersion: Math.max(0, ...held.map(({ version }) => version)) + 1,
    });
    const digest = manifestDigest(manifest);
    const same =
      sameVersion(versions, manifest, digest) ??
      (body.version === undefined ? unchanged(versions[0], manifest) : null);
    if (same) return this.registered(stores, same);
    await managedVersions(stores, context.caller, versions);
    assertOneDigest(held, manifest, digest);
    // A version that the chain knows and no row holds was deleted behind the service.
    if (facts.versionOf(manifest)) throw manifestDrift(manifest);
    assertCompatible(versions, manifest, compared);
    const entry = await this.sealSchema.seal(
      stores,
      { actor: actorOf(context.caller), requestId: context.requestId },
      {
        entryType: 'SCHEMA_REGISTERED',
        event: 'schema.registered',
        subject: {
          orgId,
          publisher,
          type: manifest.type,
          version: manifest.version,
          manifestDigest: digest,
          status: 'active',
        },
      },
    );
    const recordType: RecordType = {
      id: this.ids.next(),
      orgId,
      publisher,
      type: manifest.type,
      version: manifest.version,
      manifest,
      manifestDigest: digest,
      status: 'active',
      registeredBy: context.caller.agentId ?? context.caller.apiKeyId,
      registeredAt: entry.at,
      entryPosition: entry.position,
    };
    await stores.recordTypes.insert(recordType);
    return {
      recordType,
      managedBy: managedByOf(context.caller),
      created: true,
      signedStatement: this.statement(entry),
    };
  }

  /**
   * A label belongs to whoever used it first; an org's slug is its own from the beginning. The platform chain says whose it
   * is. The row of the label is there to be locked, and what it says is not asked.
   */
  private async claim(
    stores: Stores,
    { caller, requestId }: CallContext,
    publisher: string,
    org: Org,
  ): Promise<void> {
    await stores.recordTypes.lockPublisher(publisher);
    const facts = await this.platform.factsWithin(stores.chains);
    const owner = facts.orgOfSlug(publisher) ?? facts.publisherOf(publisher);
    if (owner === org.id) return;
    if (owner !== null)
      throw new NotaryError(
        'RESERVED_PUBLISHER_LABEL',
        `The publisher label ${publisher} belongs to another org.`,
        { publisher },
      );
    await this.sealPlatform.seal(
      stores,
      { actor: actorOf(caller), requestId },
      { entryType: 'PUBLISHER_CLAIMED', orgId: org.id, rows: {}, members: { publisher } },
    );
  }

  private async registered(stores: Stores, recordType: RecordType): Promise<RegisteredType> {
    const { orgId, entryPosition } = recordType;
    const entry = await stores.chains.entryAt(schemaChain(orgId), entryPosition);
    return {
      recordType,
      managedBy: await managerOf(stores.provisionedRows, recordType),
      created: false,
      signedStatement: registrationStatement(recordType, entry, this.vault),
    };
  }

  private statement(entry: SealedEntry): SignedStatement {
    return signedStatement(entry, this.vault.seal.signer.algorithm);
  }
}

const sameVersion = (
  versions: readonly RecordType[],
  manifest: Manifest,
  digest: string,
): RecordType | null => {
  const existing = versions.find((row) => row.version === manifest.version);
  if (!existing) return null;
  if (existing.manifestDigest === digest) return existing;
  throw conflictingVersion(manifest, digest, existing.manifestDigest);
};

/** Without a version, sending the newest manifest again is a repetition and not a new version. */
const unchanged = (newest: RecordType | undefined, manifest: Manifest): RecordType | null =>
  newest && manifestDigest({ ...manifest, version: newest.version }) === newest.manifestDigest
    ? newest
    : null;

/** The outcome of comparing the new schemas with those of another version, by the digest of that version. */
type Compared = ReadonlyMap<string, readonly FieldError[]>;

/** How often another registration may come first and become the newest version. */
const MAX_COMPARISONS = 5;

class NotCompared extends NotaryError {
  constructor(
    readonly newest: RecordType,
    readonly manifest: Manifest,
  ) {
    super(
      'CONFLICT',
      `Other versions of ${manifest.type} were registered at the same time; nothing was stored.`,
    );
  }
}

const assertCompatible = (
  versions: readonly RecordType[],
  manifest: Manifest,
  compared: Compared,
): void => {
  const newest = versions.find((row) => row.status === 'active');
  const errors = newest ? compared.get(newest.manifestDigest) : [];
  if (newest && !errors) throw new NotCompared(newest, manifest);
  if (errors && errors.length > 0)
    throw new NotaryError(
      'UNPROCESSABLE',
      `Version ${manifest.version} is not ${manifest.compatibilityMode} compatible with version ${newest?.version}.`,
      {
        errors,
        recordType: manifest.type,
        suggestion: 'Keep the schemas compatible, or choose another compatibilityMode.',
      },
    );
};
