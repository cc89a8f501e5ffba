import { createPublicKey } from 'node:crypto';
import { verifyAgentCardSignature } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import type { Client as A2aClient } from '@a2a-js/sdk/client';
import { ok, type Body, type Client } from '../service/world.ts';

export const CARD_PATH = '/.well-known/agent-card.json';

/** The SDK's own check of a card, with the keys that the service lists. */
export const cardCheck = (anonymous: Client) =>
  verifyAgentCardSignature(async (kid) => {
    const { data } = await ok(anonymous.get('/v1/verification-keys'));
    const key = (data as Body[]).find(({ keyId }) => keyId === kid);
    if (!key) throw new Error(`no verification key ${kid}`);
    const der = Buffer.from(String(key['publicKey']), 'base64');
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  });

/** The official client, unchanged, with the credential of this agent. @param isLegacy speaks 0.3. */
export const a2aClient = async (
  { url, key }: Client,
  {
    isLegacy = false,
    more = {},
  }: { isLegacy?: boolean; more?: Readonly<Record<string, string>> } = {},
): Promise<A2aClient> => {
  const withKey: typeof fetch = (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as object), authorization: `Bearer ${key}`, ...more },
    });
  const compat = isLegacy ? { legacyCompat: { enabled: true } } : {};
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl: withKey, ...compat })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl: withKey, ...compat }),
  });
  const card = await new DefaultAgentCardResolver({ fetchImpl: withKey, ...compat }).resolve(url);
  const supportedInterfaces = isLegacy
    ? card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === '0.3')
    : card.supportedInterfaces;
  return factory.createFromAgentCard({ ...card, supportedInterfaces });
};
