import { ALGORITHMS } from '../../domain/vault/algorithm.ts';
import { encodeBase64Url } from '../../domain/kernel/base64.ts';
import {
  canonicalDocument,
  canonicalDocumentBytes,
} from '../../domain/kernel/canonical-document.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import { activeSeal } from './active-seal.ts';
import type { Vault } from './vault.ts';

/** A detached JWS (RFC 7515 appendix F): whoever has the document has its payload. Both parts are base64url. */
export interface DocumentSignature {
  readonly protected: string;
  readonly signature: string;
}

/** Signs what the service publishes of itself, by the active key of the vault. */
export class SignDocument {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly vault: Vault,
  ) {}

  /** The key that signs now, also where another node rotated it. */
  async keyId(): Promise<string> {
    await this.vault.refreshIfRotated();
    return this.vault.seal.signer.keyId;
  }

  /** Over the RFC 8785 form of the document. `kid` is the key's id among the verification keys. */
  sign(document: JsonObject): Promise<DocumentSignature & { readonly keyId: string }> {
    const payload = encodeBase64Url(canonicalDocumentBytes(document));
    return this.unitOfWork.transaction(async (stores) => {
      const { signer } = await activeSeal(stores, this.vault);
      const { keyId, algorithm } = signer;
      const header = canonicalDocument({
        alg: ALGORITHMS[algorithm].jose,
        kid: keyId,
        typ: 'JOSE',
      });
      const encoded = encodeBase64Url(new TextEncoder().encode(header));
      const signature = await signer.sign(new TextEncoder().encode(`${encoded}.${payload}`));
      return { keyId, protected: encoded, signature: encodeBase64Url(signature) };
    });
  }
}
