import { expect, it } from 'vitest';
import { SignedCard } from '../../../adapters/a2a/signed-card.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';

const signer = () => {
  const state = { key: 'one', signatures: 0 };
  return {
    state,
    keyId: () => Promise.resolve(state.key),
    sign: async (_document: JsonObject) => {
      const keyId = state.key;
      state.signatures++;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { keyId, protected: 'x', signature: 'y' };
    },
  };
};

it('a crowd that asks at once after a rotation costs the signer one card', async () => {
  const documents = signer();
  const card = new SignedCard({ name: 'Notary', securitySchemes: {} }, documents);
  const crowd = () => Promise.all(Array.from({ length: 200 }, () => card.read()));
  const first = await crowd();
  expect([documents.state.signatures, new Set(first.map(({ etag }) => etag)).size]).toEqual([2, 1]);
  documents.state.key = 'two';
  await crowd();
  await crowd();
  expect(documents.state.signatures).toBe(4);
});

it('whoever asks after a rotation gets a card of the new key, also while one of the old is made', async () => {
  const documents = signer();
  const card = new SignedCard({ name: 'Notary', securitySchemes: {} }, documents);
  const old = card.read();
  await new Promise((resolve) => setTimeout(resolve, 1));
  documents.state.key = 'two';
  const fresh = await card.read();
  expect(fresh).toMatchObject({ keyId: 'two' });
  await old;
});
