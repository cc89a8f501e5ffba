import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { decodeBase64Strict } from '../../domain/kernel/base64.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import {
  manifestDigest,
  type Manifest,
  type ManifestBody,
  type RecordType,
} from '../../domain/record-type/manifest.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import {
  BUNDLE_FORMAT_VERSION,
  judgeBundle,
  type BundledManifest,
  type SchemaBundle,
} from '../../domain/record-type/schema-bundle.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { governedOrg } from '../call/own-org.ts';
import { signedStatement, type SignedStatement } from '../sealing/signed-statement.ts';
import type { SealSchema } from '../sealing/seal-schema.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import { managedVersions } from './locked-versions.ts';
import { otherDigest } from './one-digest.ts';

/** A bundle as it was sent; only its shape is checked. */
export interface ImportTypesInput {
  readonly formatVersion: string;
  readonly exportedAt: string;
  /** The org that exported it. */
  readonly orgId: Uuid;
  readonly manifests: readonly SentManifest[];
  readonly coseSign1: string;
  /** The org that imports it. */
  readonly targetOrgId?: Uuid;
}

interface SentManifest {
  readonly manifest: ManifestBody & Pick<Manifest, 'publisher' | 'version'>;
  readonly manifestDigest: string;
}

type SentBundle = Omit<SchemaBundle, 'manifests'> & { readonly manifests: readonly SentManifest[] };

export interface ImportedType {
  readonly recordType: RecordType;
  readonly signedStatement: SignedStatement;
}

export interface ImportedTypes {
  readonly created: readonly ImportedType[];
  /** Manifests that the org holds already, byte for byte. */
  readonly unchanged: readonly RecordType[];
}

/**
 * Imports the manifests of a signed bundle into an org, all or none. The manifests keep their publisher, and the labels
 * their owner. They are not examined again, because the hub's signature says that they were registered here.
 */
export class ImportTypes {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealSchema: SealSchema,
    private readonly vault: Vault,
    private readonly notice: ChangeNotice,
    private readonly ids: IdSource,
  ) {}

  /** @throws SCHEMA_DIGEST_MISMATCH; UNPROCESSABLE for an unknown signer; CONFLICTING_VERSION with every conflicting manifest */
  async execute(
    context: CallContext,
    { targetOrgId, coseSign1: text, ...sent }: ImportTypesInput,
  ): Promise<ImportedTypes> {
    const coseSign1 = signatureOf(text);
    const orgId = governedOrg(context.caller, targetOrgId);
    const manifests = await this.verifiedManifests({ ...sent, coseSign1 });
    const imported = await this.idempotent.run(context, (stores) =>
      this.take(stores, context, orgId, manifests),
    );
    this.notice.changed('record-type', orgId);
    return imported;
  }

  private async verifiedManifests({
    manifests,
    ...bundle
  }: SentBundle): Promise<readonly BundledManifest[]> {
    if (bundle.formatVersion !== BUNDLE_FORMAT_VERSION)
      throw new NotaryError(
        'UNPROCESSABLE',
        `The bundle has the format ${bundle.formatVersion}; this release takes ${BUNDLE_FORMAT_VERSION}.`,
        {
          allowedValues: [BUNDLE_FORMAT_VERSION],
          errors: [
            {
              path: '/formatVersion',
              keyword: 'enum',
              message: `must be ${BUNDLE_FORMAT_VERSION}`,
            },
          ],
        },
      );
    assertDigests(manifests);
    const worth = await judgeBundle(
      { ...bundle, manifests },
      this.vault.hub.hubId,
      this.vault.uncoveredKeyOf(bundle.exportedAt),
    );
    if (worth === 'altered')
      throw new NotaryError(
        'SCHEMA_DIGEST_MISMATCH',
        'The manifests of the bundle are not those that its signature is over: one was changed, added, removed or moved.',
        { errors: [{ path: '/manifests', keyword: 'digest', message: 'are not the signed ones' }] },
      );
    if (worth === 'foreign')
      throw new NotaryError(
        'UNPROCESSABLE',
        'The bundle was not signed by a key that this hub knows, or not as it stands.',
        {
          errors: [
            {
              path: '/coseSign1',
              keyword: 'signer',
              message: 'is not a signature of a known key over this bundle',
            },
          ],
          suggestion: 'Import the bundle as GET /v1/schemas/export of this hub gave it.',
        },
      );
    return manifests;
  }

  private async take(
    stores: Stores,
    context: CallContext,
    orgId: Uuid,
    manifests: readonly BundledManifest[],
  ): Promise<ImportedTypes> {
    if (!(await stores.orgs.find(orgId))) throw notFound('org');
    // Labels are locked before the chain, and in the same order as registration locks them.
    for (const label of [...new Set(manifests.map(({ manifest }) => manifest.publisher))].sort())
      await stores.recordTypes.lockPublisher(label);
    await stores.chains.lockHead(schemaChain(orgId));
    await assertNoConflict(stores, manifests);
    const created: ImportedType[] = [];
    const unchanged: RecordType[] = [];
    for (const bundled of manifests) {
      const { publisher, type, version } = bundled.manifest;
      const versions = await stores.recordTypes.versions(orgId, type, publisher);
      const own = versions.find((row) => row.version === version);
      if (own) {
        unchanged.push(own);
        continue;
      }
      await managedVersions(stores, context.caller, versions);
      created.push(await this.takeOne(stores, context, orgId, bundled));
    }
    return { created, unchanged };
  }

  private async takeOne(
    stores: Stores,
    context: CallContext,
    orgId: Uuid,
    { manifest, manifestDigest: digest }: BundledManifest,
  ): Promise<ImportedType> {
    const { publisher, type, version } = manifest;
    const entry = await this.sealSchema.seal(
      stores,
      { actor: actorOf(context.caller), requestId: context.requestId },
      {
        entryType: 'SCHEMA_IMPORTED',
        event: 'schema.imported',
        subject: { orgId, publisher, type, version, manifestDigest: digest, status: 'active' },
      },
    );
    const recordType: RecordType = {
      id: this.ids.next(),
      orgId,
      publisher,
      type,
      version,
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
      signedStatement: signedStatement(entry, this.vault.seal.signer.algorithm),
    };
  }
}

const signatureOf = (text: string): Uint8Array => {
  const coseSign1 = decodeBase64Strict(text);
  if (coseSign1) return coseSign1;
  throw new NotaryError(
    'VALIDATION_ERROR',
    'The body is not valid: /coseSign1 is not canonical base64.',
    {
      errors: [
        { path: '/coseSign1', keyword: 'contentEncoding', message: 'is not canonical base64' },
      ],
    },
  );
};

/**
 * A manifest that leaves a default out has another digest than the registered one. A bundle that states the other digest
 * fails at the signature, which covers the digests of complete manifests.
 */
const assertDigests: (
  manifests: readonly SentManifest[],
) => asserts manifests is readonly BundledManifest[] = (manifests) =>
  manifests.forEach(assertDigest);

const assertDigest = ({ manifest, manifestDigest: stated }: SentManifest, index: number): void => {
  const incomingDigest = manifestDigest(manifest);
  if (incomingDigest === stated) return;
  const { publisher, type, version } = manifest;
  throw new NotaryError(
    'SCHEMA_DIGEST_MISMATCH',
    `The manifest of ${publisher}/${type} version ${version} has another digest than the bundle says; nothing was imported.`,
    {
      publisher,
      recordType: type,
      version,
      incomingDigest,
      existingDigest: stated,
      errors: [
        {
          path: `/manifests/${index}/manifestDigest`,
          keyword: 'digest',
          message: `the manifest has the digest ${incomingDigest}`,
        },
      ],
    },
  );
};

/** A version that its publisher deleted and registered anew is another version; an org that holds the old one cannot import it. */
const assertNoConflict = async (
  stores: Stores,
  manifests: readonly BundledManifest[],
): Promise<void> => {
  const refused: {
    readonly index: number;
    readonly bundled: BundledManifest;
    readonly existingDigest: string;
  }[] = [];
  for (const [index, bundled] of manifests.entries()) {
    const { publisher, type } = bundled.manifest;
    const existingDigest = otherDigest(
      await stores.recordTypes.held(publisher, type),
      bundled.manifest,
      bundled.manifestDigest,
    );
    if (existingDigest !== null) refused.push({ index, bundled, existingDigest });
  }
  const [first] = refused;
  if (!first) return;
  const { publisher, type, version } = first.bundled.manifest;
  throw new NotaryError(
    'CONFLICTING_VERSION',
    `${refused.length} of ${manifests.length} manifests stand against another manifest of the same publisher, type and version; nothing was imported.`,
    {
      publisher,
      recordType: type,
      version,
      incomingDigest: first.bundled.manifestDigest,
      existingDigest: first.existingDigest,
      errors: refused.map(({ index, existingDigest }) => ({
        path: `/manifests/${index}`,
        keyword: 'conflict',
        message: `the hub holds another manifest, with the digest ${existingDigest}`,
      })),
      suggestion: 'Import the bundle without these, or export it again from its source.',
    },
  );
};
