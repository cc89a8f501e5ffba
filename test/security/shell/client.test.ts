import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NotaryClient, NotaryProblem } from '../../../adapters/client/client.ts';
import type { NotaryClientSettings } from '../../../adapters/client/notary-client.ts';
import { FlakyService, json, problem } from '../../support/peers/flaky-service.ts';

/** What is at the address of the service means harm: to the memory, the time, the terminal or the key of a client. */
let service: FlakyService;
beforeAll(async () => {
  service = await FlakyService.open();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.seen.length = 0;
});
const client = (changes: Partial<NotaryClientSettings> = {}): NotaryClient =>
  new NotaryClient({
    url: service.url,
    credential: 'k',
    retry: { baseMs: 1, maxMs: 5 },
    ...changes,
  });

describe('an answer', () => {
  it('without an end is read as far as the caller takes, and not asked for again', async () => {
    service.behave = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    await expect(client({ maxAnswerBytes: 1_000_000 }).whoami()).rejects.toThrow(
      'more than 1000000 bytes',
    );
    expect(service.seen).toHaveLength(1);
  });

  it('that refuses is one line in logs, whatever it holds', async () => {
    const detail = 'no\u001b[2J\r\nroot: all is well\u202e\u2028x';
    service.behave = (response) => problem(response, 400, 'VALIDATION_ERROR', {}, { detail });
    const error = (await client()
      .whoami()
      .catch((cause: unknown) => cause)) as NotaryProblem;
    expect(error).toBeInstanceOf(NotaryProblem);
    expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
    expect(error.document?.detail).toBe(detail);
  });

  it('that says retryable in another way than yes or no does not', async () => {
    service.behave = (response) =>
      problem(response, 400, 'VALIDATION_ERROR', {}, { retryable: 'false' });
    await expect(client().whoami()).rejects.toMatchObject({ retryable: false });
    expect(service.seen).toHaveLength(1);
  });
});

describe('a listing', () => {
  it('that turns in a circle ends, and does not look whole', async () => {
    const next = ['a', 'b', 'a', 'b', 'a'];
    service.behave = (response, count) =>
      json(response, 200, { data: [count], total: 9, hasMore: true, nextCursor: next[count - 1] });
    const seen: unknown[] = [];
    const walk = async (): Promise<void> => {
      for await (const one of client().records.list()) seen.push(one);
    };
    await expect(walk()).rejects.toThrow('leads back');
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe('a caller without a limit of time', () => {
  it('waits as long as it is asked to, and is not back at once', async () => {
    service.behave = (response) =>
      problem(response, 429, 'RATE_LIMITED', { 'retry-after': '999999999' });
    const ended = AbortSignal.timeout(1_000);
    const patient = client({ timeoutMs: Infinity, attemptTimeoutMs: Infinity });
    await expect(patient.whoami({ signal: ended })).rejects.toHaveProperty('name', 'TimeoutError');
    expect(service.seen).toHaveLength(1);
  });
});
