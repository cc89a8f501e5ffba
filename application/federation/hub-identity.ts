import type { PublicJwk } from '../../domain/identity/agent-public-key.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

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
