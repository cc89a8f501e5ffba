import type { JsonValue } from '../kernel/canonical-json.ts';
import { hashJson } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Manifest } from './manifest.ts';
import { issuerOf, signStatement, type Seal } from '../vault/chain.ts';
import { schemaChain } from '../vault/chain-key.ts';
import { typOf } from '../vault/cose-sign1.ts';
import { openEntry, type KeyLookup } from '../vault/open-entry.ts';
import { STATEMENT_TYPE, type Statement } from '../vault/statement.ts';

export const BUNDLE_FORMAT_VERSION = '1.0';
export const MAX_BUNDLED = 1_000;

export interface BundledManifest {
  readonly manifest: Manifest;
  readonly manifestDigest: string;
}

/**
 * The manifests of one org as a document, with the hub's signature over their digests. `exportedAt`
 * is ISO 8601 with milliseconds.
 */
export interface SchemaBundle {
  readonly formatVersion: string;
  readonly exportedAt: string;
  readonly orgId: Uuid;
  readonly manifests: readonly BundledManifest[];
  readonly coseSign1: Uint8Array;
}

/**
 * Signs a bundle. The statement holds one digest over all manifests, so its size does not depend on
 * their number. It is on no chain, and its predicate type is not one of those of chain entries.
 */
export const sealBundle = async (
  seal: Seal,
  predicateBase: string,
  bundle: Omit<SchemaBundle, 'coseSign1' | 'formatVersion'>,
): Promise<SchemaBundle> => {
  const unsigned = {
    formatVersion: BUNDLE_FORMAT_VERSION,
    exportedAt: bundle.exportedAt,
    orgId: bundle.orgId,
  };
  const manifestsDigest = bundleDigest(bundle.manifests);
  const statement: Statement = {
    _type: STATEMENT_TYPE,
    subject: [{ name: `schemas/${bundle.orgId}`, digest: { sha256: manifestsDigest } }],
    predicateType: `${predicateBase}/schema-bundle/v1`,
    predicate: { ...unsigned, manifestsDigest, count: bundle.manifests.length },
  };
  return {
    ...unsigned,
    manifests: bundle.manifests,
    coseSign1: await signStatement(
      seal,
      'schema-bundle',
      schemaChain(bundle.orgId),
      statement,
      bundle.exportedAt,
    ),
  };
};

/** SHA-256 of the RFC 8785 form of `[{publisher, type, version, manifestDigest}, ...]`, in the order of the bundle. */
export const bundleDigest = (manifests: readonly BundledManifest[]): string =>
  hashJson(
    manifests.map(({ manifest: { publisher, type, version }, manifestDigest }): JsonValue => ({
      publisher,
      type,
      version,
      manifestDigest,
    })),
  );

/**
 * The result of checking the signature of a bundle. `foreign`: no key of this hub signed a bundle
 * of this org and time. `altered`: a key of this hub did, but over other digests.
 */
export const judgeBundle = async (
  bundle: SchemaBundle,
  hubId: Uuid,
  keys: KeyLookup,
): Promise<'genuine' | 'foreign' | 'altered'> => {
  const opened = await openEntry(bundle.coseSign1, keys);
  if (!opened) return 'foreign';
  const { header, predicate } = opened;
  const isBundle =
    header.typ === typOf('schema-bundle') &&
    header.chain === undefined &&
    header.iss === issuerOf(hubId) &&
    header.sub === schemaChain(bundle.orgId);
  const isThisOne =
    predicate['formatVersion'] === bundle.formatVersion &&
    predicate['exportedAt'] === bundle.exportedAt &&
    predicate['orgId'] === bundle.orgId;
  if (!isBundle || !isThisOne) return 'foreign';
  return predicate['manifestsDigest'] === bundleDigest(bundle.manifests) ? 'genuine' : 'altered';
};
