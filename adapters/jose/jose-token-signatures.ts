import type { JWK } from 'jose';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
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
      return true;
    } catch {
      return false;
    }
  }
}
