import { Type } from 'typebox';
import { BUNDLE_MEDIA_TYPE } from '../../domain/vault/sigstore-bundle.ts';
import { Base64, Uuid } from '../call/schemas.ts';
import { streamed } from '../call/streamed-view.ts';

export const AttestationSchema = Type.Object({
  recordId: Uuid,
  structures: streamed(Type.Array(Base64)),
});

export const SigstoreBundleSchema = Type.Object(
  {
    mediaType: Type.Literal(BUNDLE_MEDIA_TYPE),
    verificationMaterial: Type.Object({
      publicKey: Type.Object({ hint: Type.String({ description: 'The keyId' }) }),
      tlogEntries: Type.Array(Type.Unknown(), { maxItems: 0 }),
    }),
    dsseEnvelope: Type.Object({
      payload: Base64,
      payloadType: Type.String(),
      signatures: Type.Array(Type.Object({ sig: Base64, keyid: Type.String() }), {
        minItems: 1,
        maxItems: 1,
      }),
    }),
  },
  { description: 'Sigstore bundle v0.3' },
);
