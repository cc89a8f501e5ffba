import { describe, expect, it } from 'vitest';
import { InlineJsonReader } from '../../../adapters/json-work/inline-json-reader.ts';
import type { LaneParts } from '../../../application/federation/lane-parts.ts';
import { SendLane } from '../../../application/federation/send-lane.ts';
import { NO_FAILURES } from '../../../domain/federation/lane.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';

const NOW = '2026-03-01T00:00:00.000Z';
const LANE = { recordId: 'record', peerHubId: 'peer', failures: NO_FAILURES };
const ATTESTED = JSON.stringify({ messageId: 'm', outcome: 'applied', attestation: 'YQ==' });

/** One message, an answer to it, and what comes of taking that. */
const ranWith = async (failure: Error) => {
  const logged: unknown[] = [];
  const head = { ...LANE, messageId: 'm', sequence: 1, route: 'state-transitions' };
  const parts = {
    outgoing: { after: () => Promise.resolve([head]) },
    peers: { find: () => Promise.resolve({ hubId: 'peer', status: 'ACTIVE' }) },
    transport: {
      post: () =>
        Promise.resolve({ status: 200, retryAfterSeconds: null, body: Buffer.from(ATTESTED) }),
    },
    signAnew: { fresh: (it: unknown) => Promise.resolve(it), refresh: () => Promise.resolve() },
    take: { execute: () => Promise.reject(failure) },
    json: new InlineJsonReader({ maxDepth: 64 }),
    clock: { now: () => new Date(NOW) },
    ids: { next: () => 'id' },
    log: { error: (fields: { readonly err?: unknown }) => void logged.push(fields.err) },
  } as unknown as LaneParts;
  const run = await new SendLane(parts, LANE, false).run(new AbortController().signal);
  return { run, logged };
};

describe('an answer of a peer', () => {
  it.each([
    ['the database fails', new Error('Data too long for column')],
    ['a row was edited', new NotaryError('CONFLICT', 'The row is another one.')],
  ])('that cannot be taken because %s counts as a failure, and is logged', async (_, failure) => {
    const { run, logged } = await ranWith(failure);
    expect(logged).toEqual([failure]);
    expect(run).toMatchObject({
      wasAway: true,
      wasThere: false,
      state: {
        failures: { attempts: 1, since: NOW },
        dueAt: '2026-03-01T00:00:05.000Z',
        stopped: null,
        lastError: 'The answer of the peer could not be taken here; the log says why.',
      },
    });
  });

  it('that does not verify is no fault of this hub, and its beginning is kept', async () => {
    const { run, logged } = await ranWith(new NotaryError('UNPROCESSABLE', 'x'.repeat(100_000)));
    expect(logged).toEqual([]);
    expect(run.wasAway).toBe(false);
    expect(run.state.failures.attempts).toBe(1);
    expect(run.state.lastError).toBe('x'.repeat(500));
  });
});
