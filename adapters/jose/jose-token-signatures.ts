import type { JWK } from 'jose';
import { decodeBase64UrlStrict } from '../../domain/kernel/base64.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { isSoundEd25519Signature } from '../../domain/vault/ed25519-form.ts';
import type {
  TokenAlgorithm,
  TokenSignatures,
} from '../../application/identity/token-signatures.port.ts';

/**
 * Verifies signatures of tokens with the `jose` library, on the WebCrypto of the runtime, off the
 * main thread.
 */
export class JoseTokenSignatures implements TokenSignatures {
  async verify(compact: string, algorithm: TokenAlgorithm, jwk: JsonObject): Promise<boolean> {
    try {
      // Loaded with the first token, because most services never see one and should not hold the
      // library in memory.
      const { compactVerify, importJWK } = await import('jose');
      const key = await importJWK(jwk as JWK, algorithm);
      if (key instanceof Uint8Array) return false;
      await compactVerify(compact, key, { algorithms: [algorithm] });
      return algorithm !== 'EdDSA' || isSoundEd25519Signature(signatureOf(compact));
    } catch {
      return false;
    }
  }
}

const signatureOf = (compact: string): Uint8Array =>
  decodeBase64UrlStrict(compact.slice(compact.lastIndexOf('.') + 1)) ?? new Uint8Array(0);
