import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { ok, openDecided } from '../support/service/world.ts';
import { realFetch } from '../support/clients/real-fetch.ts';

const api = useApi({ MAX_BODY_BYTES: String(8 * 1024 * 1024), RATE_LIMIT_EXPORTS: '2' });
const principal = () => api.world.principal.client;
const pathOf = (id: unknown, query = '') => `/v1/records/${String(id)}/audit-export${query}`;
const fetchText = async (path: string, headers: Record<string, string> = {}) => {
  const { url, key } = principal();
  const answer = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  return { answer, text: await answer.text() };
};

describe('NDJSON', () => {
  it.each([
    ['format=ndjson', '?format=ndjson&evidence=true', {}],
    ['Accept', '?evidence=true', { accept: 'application/x-ndjson' }],
  ])('200 by %s: a part a line, in all the JSON export', async (_by, query, headers) => {
    const { id } = await openDecided(api.world, 'accept');
    const document = await ok(principal().get(pathOf(id, '?evidence=true')));
    const { answer, text } = await fetchText(pathOf(id, query), headers);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(text.endsWith('\n')).toBe(true);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { kind, chain, record } = lines[0];
    expect({ kind, chain, record }).toEqual({
      kind: 'header',
      chain: { chainKey: id, head: document['chain'].head },
      record: document['record'],
    });
    expect(lines[1]).toEqual({ kind: 'manifest', manifest: document['manifest'] });
    const of = (wanted: string) =>
      lines.filter((line) => line.kind === wanted).map(({ kind: _, ...line }) => line);
    expect(of('entry')).toEqual(document['chain'].entries);
    expect(of('party')).toEqual(document['parties']);
    expect(of('key')).toEqual(document['keys']);
    expect(of('keyStatement')).toEqual(document['keyStatements']);
    expect(of('checkpoint')).toEqual([{ closing: true, ...document['checkpoint'] }]);
    expect(lines.at(-1)).toEqual({ kind: 'guide', ...document['verificationGuide'] });
  });
});

describe('CSV', () => {
  it('200: an entry a row, with the statement as JSON text', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const document = await ok(principal().get(pathOf(id)));
    const { answer, text } = await fetchText(pathOf(id), { accept: 'text/csv' });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = text.trimEnd().split('\r\n');
    expect(rows).toHaveLength(1 + document['chain'].entries.length);
    expect(rows[0]).toBe(
      'position,entryType,hash,previousHash,signingKeyId,algorithm,createdAt,coseSign1,statement,evidence,content,request',
    );
    const statement = JSON.stringify(document['chain'].entries[0].statement);
    expect(rows[1]).toContain(`"${statement.replaceAll('"', '""')}"`);
  });
});

describe('what is asked for', () => {
  it('406 where Accept takes none of the three; format= decides over Accept', async () => {
    const { id } = await openDecided(api.world, 'accept');
    expectProblem(
      await principal().get(pathOf(id), { accept: 'text/html' }),
      406,
      'NOT_ACCEPTABLE',
    );
    const { answer } = await fetchText(pathOf(id, '?format=csv'), { accept: 'text/html' });
    expect(answer.status).toBe(200);
    expectProblem(await principal().get(pathOf(id, '?format=xml')), 400, 'VALIDATION_ERROR');
  });
});

describe('exports at once', () => {
  /**
   * An answer whose body is not read. It is longer than the buffers of the sockets, so that it stays under way. The search
   * for secrets would read it, so this is the fetch of the runtime.
   */
  const open = (id: unknown, headers: Record<string, string> = {}) => {
    const { url, key } = principal();
    const leave = new AbortController();
    const answer = realFetch()(`${url}${pathOf(id, '?evidence=true')}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      signal: leave.signal,
    });
    return { answer, leave };
  };

  it('429 with Retry-After for the third of a key; one that is left gives its place back', async () => {
    const id = await openLong();
    const first = open(id);
    const second = open(id);
    expect((await first.answer).status).toBe(200);
    expect((await second.answer).status).toBe(200);
    const third = await principal().get(pathOf(id));
    expectProblem(third, 429, 'RATE_LIMITED');
    expect(third.headers.get('retry-after')).toBe('5');
    expect((await api.world.admin.get(pathOf(id))).status).toBe(200);
    first.leave.abort();
    await expect.poll(async () => (await principal().get(pathOf(id))).status).toBe(200);
    second.leave.abort();
  });

  it('HEAD, a refusal and an answer that was read hold no place', async () => {
    const { id } = await openDecided(api.world, 'accept');
    for (let again = 0; again < 4; again++) {
      const { url, key } = principal();
      const head = await fetch(`${url}${pathOf(id)}`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${key}` },
      });
      expect(head.status).toBe(200);
      const nobody = '00000000-0000-7000-8000-00000000dead';
      expect((await principal().get(pathOf(nobody))).status).toBe(404);
      expect((await principal().get(pathOf(id))).status).toBe(200);
    }
  });

  /** A chain whose export has many MiB. */
  const openLong = async (): Promise<string> => {
    const { performer, principal: side } = api.world;
    const record = await ok(
      side.client.post('/v1/records', {
        type: 'job',
        criteria: { goal: 'g' },
        performerAgentId: performer.id,
        autoActivate: true,
      }),
    );
    const id = String(record['id']);
    for (let round = 0; round < 3; round++) {
      const text = 'x'.repeat(6 * 1024 * 1024);
      await ok(
        performer.client.post(`/v1/records/${id}/completions`, { evidence: { score: 1, text } }),
      );
      if (round < 2) await ok(side.client.post(`/v1/records/${id}/revision`, { reason: 'again' }));
    }
    return id;
  };
});
