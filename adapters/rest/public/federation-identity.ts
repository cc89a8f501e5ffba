import { Type } from 'typebox';
import type { HubIdentity } from '../../../application/federation/hub-identity.ts';
import { PEER } from '../../../application/federation/peer-view.ts';
import { oneOf, Sha256, Uuid } from '../../../application/call/schemas.ts';
import { page, type Page } from '../page.ts';

const IdentitySchema = Type.Object({
  hubId: Uuid,
  name: Type.String(),
  baseUrl: Type.String(),
  publicKeyJwk: Type.Object({ kty: oneOf(['OKP']), crv: oneOf(['Ed25519']), x: Type.String() }),
  publicKeyThumbprint: { ...Sha256, description: 'RFC 9679 of publicKeyJwk: SHA-256' },
  vaultRoot: {
    ...Sha256,
    description:
      'SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain',
  },
  protocolVersions: Type.Array(Type.String()),
  vaultKeysUrl: Type.String(),
});

const EXAMPLE = {
  hubId: PEER.hubId,
  name: PEER.name,
  baseUrl: PEER.baseUrl,
  publicKeyJwk: PEER.publicKeyJwk,
  publicKeyThumbprint: PEER.publicKeyThumbprint,
  vaultRoot: PEER.vaultRoot,
  protocolVersions: ['1.0'],
  vaultKeysUrl: `${PEER.baseUrl}/v1/verification-keys`,
};

/** Who this hub is. Nobody is to believe it unseen: administrators compare it over another channel. */
export const federationPages = (identity: Pick<HubIdentity, 'document'>): readonly Page[] => [
  page({
    path: '/federation/v1/identity',
    operationId: 'getFederationIdentity',
    summary: 'Who this hub is to other hubs',
    description:
      'To register this hub, another one needs its hubId, baseUrl, publicKeyJwk and vaultRoot. Compare them with the administrator of this hub over a channel that you trust.',
    tag: 'Federation',
    problems: ['UNPROCESSABLE', 'SERVICE_UNAVAILABLE'],
    answers: {
      200: { description: 'The identity', schema: IdentitySchema, example: EXAMPLE },
    },
    render: async () => ({ status: 200, body: await identity.document() }),
  }),
];
