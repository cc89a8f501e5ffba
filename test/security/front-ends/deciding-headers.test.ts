import { describe, expect, it } from 'vitest';
import { converse, type Told } from '../../support/clients/sockets.ts';
import { useApi } from '../../support/service/api.ts';
import { mintKey } from '../../support/service/world.ts';

const api = useApi({ TRUSTED_PROXIES: '127.0.0.1' });

/** Sends the lines of one head, and a body of two bytes. */
const ask = async (target: string, lines: readonly string[]): Promise<Told> => {
  const head = [`POST ${target} HTTP/1.1`, 'Host: x', 'Content-Length: 2', ...lines];
  const { answers } = await converse(Number(new URL(api.world.url).port), [
    `${head.join('\r\n')}\r\n\r\n{}`,
  ]);
  return answers[0]!;
};
const problemOf = ({ text }: Told) => JSON.parse(text) as Record<string, unknown>;

describe.each(['/v1/records', '/a2a', '/mcp'])('the head of a request to %s', (target) => {
  it('is refused if it has more lines than are read, wherever the header that decides stands', async () => {
    const { world } = api;
    const { client } = await mintKey(world.admin, world.principal.id, {
      scopeProfile: 'agent-full',
      allowedIps: ['203.0.113.7'],
    });
    const credential = `Authorization: Bearer ${client.key}`;
    const json = 'Content-Type: application/json';
    const forwarded = 'X-Forwarded-For: 203.0.113.7';
    const outside = 'X-Forwarded-For: 198.51.100.1';
    expect((await ask(target, [credential, json, forwarded])).status).not.toBe(401);
    expect((await ask(target, [credential, json, outside])).status).toBe(401);
    const many = Array<string>(1_500).fill('a:');
    for (const lines of [
      [credential, json, ...many, outside],
      [credential, json, forwarded, ...many],
      [...many, credential, json, outside],
    ]) {
      const answer = await ask(target, lines);
      expect(answer.status).toBe(431);
      expect(problemOf(answer)).toMatchObject({
        code: 'HEADER_TOO_LARGE',
        detail: expect.stringContaining('may have 200'),
      });
    }
  });

  it('is refused if it has two of them in HTTP/1.0 without a Host, too', async () => {
    const lines = ['Authorization: Bearer one', 'Authorization: Bearer other', 'Content-Length: 2'];
    const { answers } = await converse(Number(new URL(api.world.url).port), [
      `POST ${target} HTTP/1.0\r\n${lines.join('\r\n')}\r\n\r\n{}`,
    ]);
    expect(answers[0]!.status).toBe(400);
    expect(problemOf(answers[0]!)).toMatchObject({
      detail: 'The request has more than one authorization header.',
    });
  });

  it.each([
    ['Authorization', 'Bearer one', 'Bearer other'],
    ['Content-Type', 'application/json', 'text/plain'],
    ['Idempotency-Key', 'one', 'other'],
  ])('is refused if it has two lines of %s', async (name, one, other) => {
    const answer = await ask(target, [`${name}: ${one}`, `${name.toLowerCase()}: ${other}`]);
    expect(answer.status).toBe(400);
    expect(problemOf(answer)).toMatchObject({
      code: 'VALIDATION_ERROR',
      detail: `The request has more than one ${name.toLowerCase()} header.`,
    });
  });
});
