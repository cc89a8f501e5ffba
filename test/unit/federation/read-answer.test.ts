import { describe, expect, it } from 'vitest';
import { InlineJsonReader } from '../../../adapters/json-work/inline-json-reader.ts';
import { readAnswer } from '../../../application/federation/read-answer.ts';

const json = new InlineJsonReader({ maxDepth: 64 });
const read = (status: number, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readAnswer({ status, body: Buffer.from(text) }, 'peer', json);
};
const NOTHING = { answer: null, messages: [], expectedSequence: null, detail: null };

describe('the answer of a peer', () => {
  it('is read with its attestation and what came along', async () => {
    const answer = { messageId: 'm', outcome: 'applied', attestation: 'YQ==' };
    expect(await read(200, { ...answer, messages: [{ a: 1 }, 2, null, { b: 2 }] })).toEqual({
      ...NOTHING,
      answer,
      messages: [{ a: 1 }, { b: 2 }],
    });
  });

  it('is read where it refuses a step', async () => {
    const problem = {
      outcome: 'refused',
      attestation: 'YQ==',
      code: 'UNPROCESSABLE_STATE',
      detail: 'The record is CANCELLED.',
      currentState: 'CANCELLED',
      attemptedState: 'ACTIVE',
    };
    expect(await read(422, problem)).toEqual({
      ...NOTHING,
      answer: problem,
      detail: problem.detail,
    });
  });

  it('says which sequence the peer waits for', async () => {
    expect((await read(409, { expectedSequence: 3 })).expectedSequence).toBe(3);
    for (const expectedSequence of [0, -1, 1.5, '3', null, 1e300])
      expect((await read(409, { expectedSequence })).expectedSequence).toBeNull();
    expect((await read(422, { expectedSequence: 3 })).expectedSequence).toBeNull();
  });

  it.each([
    ['', 'no body'],
    ['{', 'no JSON'],
    ['[]', 'an array'],
    ['{"attestation":"YQ==","attestation":"YQ=="}', 'a member twice'],
    ['{"messageId":"m","outcome":"perhaps","attestation":"YQ=="}', 'an unknown outcome'],
    ['{"messageId":"m","outcome":"applied"}', 'no attestation'],
    ['{"messageId":"m","outcome":"applied","attestation":{}}', 'an attestation that is no text'],
  ])('proves nothing with %s (%s)', async (body) => {
    expect((await read(200, body)).answer).toBeNull();
    expect((await read(422, body)).answer?.attestation ?? 'YQ==').toBe('YQ==');
  });

  it('brings sixteen messages at most', async () => {
    const answer = { messageId: 'm', outcome: 'applied', attestation: 'YQ==' };
    const messages = Array.from({ length: 40 }, (_, n) => ({ n }));
    expect((await read(200, { ...answer, messages })).messages).toHaveLength(16);
  });
});
