import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import { flattenedVerify, type FlattenedJWSInput } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { canonicalJson } from '../../domain/kernel/canonical-json.ts';
import { OPERATIONS } from '../../config/operations.ts';
import { typeScriptFiles } from '../support/runner/product-sources.ts';
import { useApi, type Api } from '../support/service/api.ts';
import { CARD_PATH, cardCheck } from '../support/clients/a2a.ts';
import { ok, type Body } from '../support/service/world.ts';

const own = useApi();
const p256 = useApi({ VAULT_ALGORITHM: 'ES256' });

// The SDK tells there of each signature that it tries in vain.
beforeAll(() => void vi.spyOn(console, 'debug').mockImplementation(() => undefined));
afterAll(() => void vi.restoreAllMocks());

const askedIn = (version: string) => ({ 'a2a-version': version });
const cardOf = ({ world }: Api, version = '1.0'): Promise<Body> =>
  ok(world.anonymous.get(CARD_PATH, askedIn(version)));
const kidOf = (card: Body): string => {
  const [{ protected: header }] = card['signatures'] as [{ protected: string }];
  const { alg, kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Body;
  expect([alg, typ]).toEqual([expect.stringMatching(/^(EdDSA|ES256)$/), 'JOSE']);
  return String(kid);
};
/** As it came, and as a client of the SDK has parsed it. */
const assertSigned = async ({ world }: Api, card: Body): Promise<void> => {
  await cardCheck(world.anonymous)(card as unknown as AgentCard);
  await cardCheck(world.anonymous)(AgentCard.fromJSON(card));
};

describe('the agent card', () => {
  it.each([
    ['Ed25519', own],
    ['ES256', p256],
  ])('is signed with %s by the key of the service, and the SDK verifies it', async (_, api) => {
    const card = await cardOf(api);
    expect(kidOf(card)).toBe(api.service.vault.keyId);
    await assertSigned(api, card);
    for (const changed of [
      { ...card, name: 'Another' },
      { ...card, securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Basic' } } } },
    ])
      await expect(cardCheck(api.world.anonymous)(changed as unknown as AgentCard)).rejects.toThrow(
        'signature',
      );
  });

  it('has one canonical form, for the SDK and for whoever takes the document as it is', async () => {
    const { signatures: _, ...card } = await cardOf(own);
    expect(canonicalizeAgentCard(card as unknown as AgentCard)).toBe(canonicalJson(card as never));
  });

  it('is signed anew after a rotation, and the older one still verifies', async () => {
    const before = await cardOf(own);
    const same = await cardOf(own);
    expect(same).toEqual(before);
    await ok(own.world.platform.post('/v1/admin/vault/signing-keys/rotate', {}));
    const after = await cardOf(own);
    expect(kidOf(after)).not.toBe(kidOf(before));
    await assertSigned(own, after);
    await assertSigned(own, before);
  });

  it('names one address in both versions, and what it can do', async () => {
    const card = await cardOf(own);
    expect(card['supportedInterfaces']).toEqual(
      ['1.0', '0.3'].map((protocolVersion) => ({
        url: `${own.world.url}/a2a`,
        protocolBinding: 'JSONRPC',
        protocolVersion,
      })),
    );
    expect(card['capabilities']).toMatchObject({ extendedAgentCard: true });
  });

  it('has skills that are made from operations, with inputs that these take', async () => {
    const { skills } = await cardOf(own);
    expect((skills as Body[]).map(({ id }) => id)).toEqual([
      'notarize',
      'open-record',
      'respond-to-proposal',
      'submit-completion',
      'render-verdict',
      'dispute',
      'inspect',
      'verify',
    ]);
    for (const { id, description, examples = [] } of skills as Body[])
      for (const example of examples as string[]) {
        const { skill, operation, input } = JSON.parse(example) as Body;
        const row = OPERATIONS.find((one) => one.id === operation)!;
        expect(skill).toBe(id);
        expect(description).toContain(`- ${row.id}: ${row.words.summary}`);
        expect(Object.keys(row.input.properties)).toEqual(
          expect.arrayContaining(Object.keys(input as object)),
        );
      }
  });

  it('has the form of 0.3, with the interfaces of 1.0, for a client that names 0.3 or no version', async () => {
    const { anonymous, url } = own.world;
    const legacy = await cardOf(own, '0.3');
    const { supportedInterfaces, skills, capabilities, ...current } = await cardOf(own);
    expect(legacy).toMatchObject({
      name: current['name'],
      protocolVersion: '0.3.0',
      url: `${url}/a2a`,
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ url: `${url}/a2a`, transport: 'JSONRPC' }],
      supportsAuthenticatedExtendedCard: true,
      security: [{ bearer: [] }],
      supportedInterfaces,
      skills,
      capabilities,
    });
    expect(legacy['securitySchemes'].bearer).toMatchObject({ type: 'http', scheme: 'Bearer' });
    expect(current).not.toHaveProperty('url');
    expect(await cardOf(own, '')).toEqual(legacy);
    for (const path of [CARD_PATH, `${CARD_PATH}?A2A-Version=0.3`, '/.well-known/agent.json'])
      expect(await ok(anonymous.get(path))).toEqual(legacy);
    expect((await anonymous.get(CARD_PATH, askedIn('9.0'))).status).toBe(400);
  });

  it('of 0.3 is signed as it is, and the SDK verifies what 1.0 reads of it', async () => {
    const legacy = await cardOf(own, '0.3');
    const { data } = await ok(own.world.anonymous.get('/v1/verification-keys'));
    const { publicKey } = (data as Body[]).find(({ keyId }) => keyId === kidOf(legacy))!;
    const key = createPublicKey({
      key: Buffer.from(String(publicKey), 'base64'),
      format: 'der',
      type: 'spki',
    });
    const { signatures, ...signed } = legacy;
    const payload = Buffer.from(canonicalJson(signed as never)).toString('base64url');
    const [whole] = signatures as [FlattenedJWSInput];
    await flattenedVerify({ ...whole, payload }, key);
    await assertSigned(own, legacy);
    const changed = { ...legacy, supportedInterfaces: [{ url: 'https://attacker.example' }] };
    await expect(cardCheck(own.world.anonymous)(changed as unknown as AgentCard)).rejects.toThrow(
      'signature',
    );
  });

  it('is loaded with the first request alone: nothing imports the front-end at the start', () => {
    const importing = ['config', 'application', 'adapters']
      .flatMap(typeScriptFiles)
      .filter((file) => !file.startsWith('adapters/a2a/'))
      .filter((file) =>
        /^import (?!type\b)[^;]*'[^']*\/a2a\/(?!spoken-versions\.)[^']*'/m.test(
          readFileSync(file, 'utf8'),
        ),
      );
    expect(importing).toEqual([]);
  });

  it('is cached for a short while, each form by its own ETag', async () => {
    const tags = new Set<string>();
    for (const version of ['0.3', '1.0']) {
      const { headers } = await own.world.anonymous.get(CARD_PATH, askedIn(version));
      expect(headers.get('cache-control')).toBe('public, max-age=60');
      expect(headers.get('vary')).toBe('A2A-Version');
      const etag = String(headers.get('etag'));
      tags.add(etag);
      const again = await fetch(`${own.world.url}${CARD_PATH}`, {
        headers: { ...askedIn(version), 'if-none-match': etag },
      });
      expect(again.status).toBe(304);
      expect(again.headers.get('vary')).toBe('A2A-Version');
    }
    expect(tags.size).toBe(2);
  });
});
