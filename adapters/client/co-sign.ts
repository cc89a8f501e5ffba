import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { bytesOf, randomHex, sha256, type CryptoKey } from './digest.ts';

/** A request as it leaves. */
export interface RequestToSign {
  readonly method: string;
  /** The whole address, with the query, as the service is called from outside. */
  readonly url: string;
  /** Empty where there is no body. */
  readonly body: string | Uint8Array;
}

export interface CoSignatureHeaders {
  readonly 'content-digest': string;
  readonly 'signature-input': string;
  readonly signature: string;
}

/**
 * Signs a request as an HTTP message (RFC 9421) with the key of a certificate: method, target and body. The service seals
 * the signature with what the call does. The nonce is good once, so a repetition is signed anew.
 *
 * @param key a private Ed25519 key that may sign
 * @param now milliseconds since 1970
 */
export const coSign = async (
  key: CryptoKey,
  { method, url, body }: RequestToSign,
  now: number,
): Promise<CoSignatureHeaders> => {
  // RFC 9530 section 2; of a request without a body, of no bytes.
  const digest = `sha-256=:${encodeBase64(await sha256(body))}:`;
  const input = `("@method" "@target-uri" "content-digest");created=${Math.floor(now / 1_000)};nonce="${randomHex()}";tag="service-cosign"`;
  // RFC 9421 section 2.5.
  const base = [
    `"@method": ${method}`,
    `"@target-uri": ${url}`,
    `"content-digest": ${digest}`,
    `"@signature-params": ${input}`,
  ].join('\n');
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', key, bytesOf(base)));
  return {
    'content-digest': digest,
    'signature-input': `sig1=${input}`,
    signature: `sig1=:${encodeBase64(signature)}:`,
  };
};
