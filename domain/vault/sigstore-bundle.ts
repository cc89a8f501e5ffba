import { encodeBase64 } from '../kernel/base64.ts';
import { ecdsaToDer } from './ecdsa-der.ts';
import type { Signer } from './signer.port.ts';
import { CANONICALIZATIONS } from './statement.ts';

/** Sigstore bundle v0.3 (protobuf-specs, sigstore_bundle.proto), as JSON: a DSSE envelope over one statement. */
export interface SigstoreBundle {
  readonly mediaType: typeof BUNDLE_MEDIA_TYPE;
  readonly verificationMaterial: {
    /** Names a key that the verifier knows from elsewhere: the keyId. */
    readonly publicKey: { readonly hint: string };
    readonly tlogEntries: readonly [];
  };
  readonly dsseEnvelope: {
    /** The statement in its RFC 8785 form, base64. */
    readonly payload: string;
    readonly payloadType: string;
    /** Base64: of Ed25519 the 64 bytes, of ES256 the DER form. */
    readonly signatures: readonly [{ readonly sig: string; readonly keyid: string }];
  };
}

export const BUNDLE_MEDIA_TYPE = 'application/vnd.dev.sigstore.bundle.v0.3+json';
export const DSSE_PAYLOAD_TYPE = CANONICALIZATIONS.jcs.contentType;

/** @param payload a statement in the JCS form, whatever the form of its chain is. */
export const signBundle = async (signer: Signer, payload: Uint8Array): Promise<SigstoreBundle> => {
  const signature = await signer.sign(preAuthEncoding(DSSE_PAYLOAD_TYPE, payload));
  const sig = signer.algorithm === 'ES256' ? ecdsaToDer(signature) : signature;
  return {
    mediaType: BUNDLE_MEDIA_TYPE,
    verificationMaterial: { publicKey: { hint: signer.keyId }, tlogEntries: [] },
    dsseEnvelope: {
      payload: encodeBase64(payload),
      payloadType: DSSE_PAYLOAD_TYPE,
      signatures: [{ sig: encodeBase64(sig), keyid: signer.keyId }],
    },
  };
};

/** What the signature is over (DSSE v1, protocol.md): lengths in bytes. */
export const preAuthEncoding = (payloadType: string, payload: Uint8Array): Uint8Array => {
  const type = utf8.encode(payloadType);
  const head = utf8.encode(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `);
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
};

const utf8 = new TextEncoder();
