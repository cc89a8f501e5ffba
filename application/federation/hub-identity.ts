import { assertPeerBaseUrl, hubKeyJwk } from '../../domain/federation/peer-claim.ts';
import type { PublicJwk } from '../../domain/identity/agent-public-key.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import type { Vault } from '../sealing/vault.ts';
import type { HubKeys } from './hub-keys.ts';

/** The versions of the protocol that this hub speaks, best first. */
export const PROTOCOL_VERSIONS = ['1.0'] as const;

/** Who this hub is to its peers, as `GET /federation/v1/identity` says. */
export interface HubIdentityDocument {
  readonly hubId: Uuid;
  readonly name: string;
  readonly baseUrl: string;
  readonly publicKeyJwk: PublicJwk;
  readonly publicKeyThumbprint: string;
  readonly vaultRoot: string;
  readonly protocolVersions: readonly string[];
  readonly vaultKeysUrl: string;
}

/** What another hub has to be told of this one, out of band and in a handshake. */
export class HubIdentity {
  constructor(
    private readonly vault: Vault,
    private readonly keys: Pick<HubKeys, 'current'>,
    private readonly name: string,
    private readonly publicUrl: string,
  ) {}

  get hubId(): Uuid {
    return this.vault.hub.hubId;
  }

  /** SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain, lowercase hex. */
  get vaultRoot(): string {
    return fingerprintOf(publicKeyFromSpki(this.vault.keys.at(-1)!.publicKey));
  }

  /** @throws UNPROCESSABLE where peers could not reach this hub by PUBLIC_URL. */
  get baseUrl(): string {
    try {
      return assertPeerBaseUrl(this.publicUrl);
    } catch (cause) {
      throw new NotaryError(
        'UNPROCESSABLE',
        `Peers reach a hub by https, and PUBLIC_URL is ${this.publicUrl}.`,
        {
          suggestion:
            'Put a proxy with TLS before the service, and set PUBLIC_URL to its origin, such as https://hub.example.',
        },
        { cause },
      );
    }
  }

  /** @throws UNPROCESSABLE where this host cannot compute Ed25519. */
  async document(): Promise<HubIdentityDocument> {
    const { publicKey, thumbprint } = await this.keys.current();
    return {
      hubId: this.hubId,
      name: this.name,
      baseUrl: this.publicUrl,
      publicKeyJwk: hubKeyJwk(publicKey),
      publicKeyThumbprint: thumbprint,
      vaultRoot: this.vaultRoot,
      protocolVersions: PROTOCOL_VERSIONS,
      vaultKeysUrl: `${this.publicUrl}/v1/verification-keys`,
    };
  }
}
