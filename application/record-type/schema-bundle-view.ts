import { Type } from 'typebox';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import {
  BUNDLE_FORMAT_VERSION,
  MAX_BUNDLED,
  type SchemaBundle,
} from '../../domain/record-type/schema-bundle.ts';
import { Base64, Sha256, Timestamp, Uuid } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { MANIFEST_MEMBERS, Publisher, Version } from './manifest-schema.ts';

/** A manifest as it is stored, sealed by its digest and exported. */
export const CompleteManifestSchema = Type.Object(
  {
    ...Type.Required(Type.Object(MANIFEST_MEMBERS)).properties,
    publisher: Publisher,
    version: Version,
  },
  { additionalProperties: false, description: 'Complete, with every default filled in' },
);

/** What an export gives and an import takes. */
export const SchemaBundleSchema = Type.Object(
  {
    formatVersion: Type.String({ maxLength: 16, description: BUNDLE_FORMAT_VERSION }),
    exportedAt: Timestamp,
    orgId: { ...Uuid, description: 'The org that it was exported from' },
    manifests: Type.Array(
      Type.Object(
        {
          manifest: Type.Object(
            { ...MANIFEST_MEMBERS, publisher: Publisher, version: Version },
            { additionalProperties: false, description: 'Complete, with every default filled in' },
          ),
          manifestDigest: {
            ...Sha256,
            description: 'SHA-256 of the RFC 8785 form of the manifest',
          },
        },
        { additionalProperties: false },
      ),
      { maxItems: MAX_BUNDLED },
    ),
    coseSign1: {
      ...Base64,
      description:
        'COSE_Sign1 of the type schema-bundle over a statement that holds one digest of all manifests',
    },
  },
  { additionalProperties: false },
);

export const schemaBundleView = (bundle: SchemaBundle): ViewOf<typeof SchemaBundleSchema> => ({
  ...bundle,
  coseSign1: encodeBase64(bundle.coseSign1),
});
