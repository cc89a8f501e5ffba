import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { FederatedStory } from '../support/federated-story.ts';
import type { LyingHub } from '../support/lying-hub.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

const active = async (): Promise<LyingHub> => {
  const story: FederatedStory = await hubs.opened();
  await ok(story.onMirror('accept'));
  await story.agree('ACTIVE');
  return hubs.lyingMirrorAfter(story);
};

/** Words that an entry has room for. */
const onBehalfOf: JsonObject = {
  subject: { iss: 'https://issuer.example', sub: 'x'.repeat(55_000) },
  validated: true,
  provenance: 'token_exchange',
  act: [],
};

/** A step that home refuses under seal, and keeps with all entries that came with it. */
const refusedStep = async (liar: LyingHub, before: number): Promise<void> => {
  if (liar.sequence > 1)
    await liar.say('STEP_REFUSED', ['add-reference', 'ACTIVE', 'ACTIVE'], {
      actor: { kind: 'system' },
      peer: { statementHash: 'ab'.repeat(32), code: 'UNPROCESSABLE' },
      reference: undefined,
    });
  for (let n = 0; n < before; n++)
    await liar.say('CHILD_DELEGATED', ['delegate', 'ACTIVE', 'ACTIVE'], {
      actor: hubs.performerActor,
      peer: undefined,
      reference: undefined,
      onBehalfOf,
      children: [
        { id: randomUUID(), status: 'ACTIVE', headHash: 'ab'.repeat(32), disputed: false },
      ],
    });
  await liar.say('STEP_OFFERED', ['add-reference', 'ACTIVE', 'ACTIVE'], {
    actor: hubs.performerActor,
    peer: undefined,
    children: undefined,
    reference: { id: randomUUID(), kind: 'document', uri: 'x', digest: null, label: null },
  });
  const answer = await liar.send(await liar.message({ action: 'add-reference', state: 'ACTIVE' }));
  expect(answer.body['attestation']).toBeTypeOf('string');
};

/** What a message costs that is not the next one, and is answered 409. */
const costOf = async (liar: LyingHub): Promise<number> => {
  liar.sequence += 5;
  const body = await liar.message();
  const entries = [Buffer.from(liar.told.at(-1)!).toString('base64')];
  const before = process.cpuUsage();
  for (let turn = 0; turn < 10; turn++)
    expect((await liar.send({ ...body, entries, messageId: randomUUID() })).status).toBe(409);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10_000;
};

describe('a peer that sends a short message out of its order', { timeout: 120_000 }, () => {
  // Home reads all that the peer ever sent of the record, and verifies each MAC, to say that a message is missing.
  it('costs home no more where it sent much before', async () => {
    const slim = await active();
    await refusedStep(slim, 0);
    const fat = await active();
    for (let n = 0; n < 8; n++) await refusedStep(fat, 22);
    const [few, much] = [await costOf(slim), await costOf(fat)];
    expect(much).toBeLessThan(3 * few);
  });
});
