import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { HubKeySecrets } from '../../application/federation/hub-key-secrets.port.ts';
import type { AgentPublicKey } from '../../domain/identity/agent-public-key.ts';
import { AesSealing } from './aes-sealing.ts';

/** The raw key stands at the end of its SubjectPublicKeyInfo (RFC 8410 section 4). */
const RAW = 32;

/** Private hub keys (PKCS #8), sealed under SECRETS_KEY. */
export class AesHubKeySecrets implements HubKeySecrets {
  private readonly sealing: AesSealing;

  /** @param secrets SECRETS_KEY, newest first. */
  constructor(secrets: readonly Uint8Array[]) {
    this.sealing = new AesSealing(secrets, 'service.hub-key');
  }

  make(id: string): { readonly publicKey: AgentPublicKey; readonly sealed: Uint8Array } {
    const pair = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    });
    return {
      publicKey: { curve: 'Ed25519', raw: Uint8Array.from(pair.publicKey.subarray(-RAW)) },
      sealed: this.sealing.seal(pair.privateKey, placeOf(id)),
    };
  }

  open(sealed: Uint8Array, id: string): ((bytes: Uint8Array) => Uint8Array) | null {
    const pkcs8 = this.sealing.open(sealed, placeOf(id));
    if (!pkcs8) return null;
    const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
    return (bytes) => Uint8Array.from(sign(null, bytes, key));
  }

  isOld(sealed: Uint8Array): boolean {
    return this.sealing.isOld(sealed);
  }

  move(sealed: Uint8Array, id: string): Uint8Array | null {
    const pkcs8 = this.sealing.open(sealed, placeOf(id));
    return pkcs8 && this.sealing.seal(pkcs8, placeOf(id));
  }
}

const placeOf = (id: string): string => `hub-key:${id}`;
