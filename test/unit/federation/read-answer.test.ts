import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../application/federation/read-answer.ts';

const read = (status: number, body: unknown) =>
  readAnswer({
    status,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
const NOTHING = { answer: null, messages: [], expectedSequence: null, detail: null };

describe('the answer of a peer', () => {
  it('is read with its attestation and what came along', () => {
    const answer = { messageId: 'm', outcome: 'applied', attestation: 'YQ==' };
    expect(read(200, { ...answer, messages: [{ a: 1 }, 2, null, { b: 2 }] })).toEqual({
      ...NOTHING,
      answer,
      messages: [{ a: 1 }, { b: 2 }],
    });
  });

  it('is read where it refuses a step', () => {
    const problem = {
      outcome: 'refused',
      attestation: 'YQ==',
      code: 'UNPROCESSABLE_STATE',
      detail: 'The record is CANCELLED.',
      currentState: 'CANCELLED',
      attemptedState: 'ACTIVE',
    };
    expect(read(422, problem)).toEqual({ ...NOTHING, answer: problem, detail: problem.detail });
  });

  it('says which sequence the peer waits for', () => {
    expect(read(409, { expectedSequence: 3 }).expectedSequence).toBe(3);
    for (const expectedSequence of [0, -1, 1.5, '3', null, 1e300])
      expect(read(409, { expectedSequence }).expectedSequence).toBeNull();
    expect(read(422, { expectedSequence: 3 }).expectedSequence).toBeNull();
  });

  it.each([
    ['', 'no body'],
    ['{', 'no JSON'],
    ['[]', 'an array'],
    ['{"attestation":"YQ==","attestation":"YQ=="}', 'a member twice'],
    ['{"messageId":"m","outcome":"perhaps","attestation":"YQ=="}', 'an unknown outcome'],
    ['{"messageId":"m","outcome":"applied"}', 'no attestation'],
    ['{"messageId":"m","outcome":"applied","attestation":{}}', 'an attestation that is no text'],
  ])('proves nothing with %s (%s)', (body) => {
    expect(read(200, body).answer).toBeNull();
    expect(read(422, body).answer?.attestation ?? 'YQ==').toBe('YQ==');
  });

  it('brings sixteen messages at most', () => {
    const answer = { messageId: 'm', outcome: 'applied', attestation: 'YQ==' };
    const messages = Array.from({ length: 40 }, (_, n) => ({ n }));
    expect(read(200, { ...answer, messages }).messages).toHaveLength(16);
  });
});
