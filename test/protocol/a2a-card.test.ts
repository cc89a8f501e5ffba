import { readFileSync } from 'node:fs';
import { AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { canonicalJson } from '../../domain/kernel/canonical-json.ts';
import { OPERATIONS } from '../../config/operations.ts';
import { typeScriptFiles } from '../support/product-sources.ts';
import { useApi, type Api } from '../support/api.ts';
import { CARD_PATH, cardCheck } from '../support/a2a.ts';
import { ok, type Body } from '../support/world.ts';

const own = useApi();
const p256 = useApi({ VAULT_ALGORITHM: 'ES256' });

// The SDK tells there of each signature that it tries in vain.
beforeAll(() => void vi.spyOn(console, 'debug').mockImplementation(() => undefined));
afterAll(() => void vi.restoreAllMocks());

const cardOf = ({ world }: Api): Promise<Body> => ok(world.anonymous.get(CARD_PATH));
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

  it('has the form of 0.3 for whoever asks for that, by header or query', async () => {
    const { body, headers } = await own.world.anonymous.get(CARD_PATH, { 'a2a-version': '0.3' });
    expect(body).toMatchObject({
      protocolVersion: '0.3.0',
      url: `${own.world.url}/a2a`,
      preferredTransport: 'JSONRPC',
      supportsAuthenticatedExtendedCard: true,
      security: [{ bearer: [] }],
    });
    expect(headers.get('vary')).toBe('A2A-Version');
    expect(await ok(own.world.anonymous.get(`${CARD_PATH}?A2A-Version=0.3`))).toEqual(body);
    expect((await own.world.anonymous.get(CARD_PATH, { 'a2a-version': '9.0' })).status).toBe(400);
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

  it('is cached for a short while, by its ETag too', async () => {
    const { headers } = await own.world.anonymous.get(CARD_PATH);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    const again = await fetch(`${own.world.url}${CARD_PATH}`, {
      headers: { 'if-none-match': String(headers.get('etag')) },
    });
    expect(again.status).toBe(304);
  });
});
