import { DatabaseSync } from '@photostructure/sqlite';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { bodyHeaders, sha256, useCoSigners, type Holder } from '../support/clients/co-signing.ts';
import { OIDC_ENV } from '../support/peers/oidc.ts';
import {
  chainOf,
  deliver,
  GOAL,
  ok,
  openJob,
  type Body,
  type Client,
} from '../support/service/world.ts';

const api = useApi(OIDC_ENV);
const signers = useCoSigners(
  api,
  'records:write records:read audit:read completions:write disputes:write',
);
let principal: Holder;
let performer: Holder;
beforeAll(async () => {
  principal = await signers.holder();
  performer = await signers.holder(api.world.performer.id);
});

const note = (text: string): Body => ({ type: 'note', criteria: { text } });
const job = (extra: Body = {}): Body => ({
  type: 'job',
  criteria: GOAL,
  performerAgentId: api.world.performer.id,
  autoActivate: true,
  ...extra,
});
const exportOf = (client: Client, id: unknown, evidence = false): Promise<Body> =>
  ok(client.get(`/v1/records/${String(id)}/audit-export${evidence ? '?evidence=true' : ''}`));
/** What the entries of an export show as their request: null where it is left out. */
const requestsOf = async (client: Client, id: unknown, evidence = false): Promise<unknown[]> =>
  (await exportOf(client, id, evidence))['chain'].entries.map(({ request }: Body) =>
    request === undefined ? null : Buffer.from(request as string, 'base64').toString(),
  );
const blocksOf = async (id: unknown): Promise<unknown[]> =>
  (await chainOf(api.world.platform, id)).map((entry) => entry['statement'].predicate.coSignature);

const database = (): InstanceType<typeof DatabaseSync> =>
  new DatabaseSync(
    api.service.container.get(TOKENS.settings).DATABASE_URL.replace('sqlite://', ''),
    { timeout: 5_000 },
  );
const countOf = (table: string): number => {
  const opened = database();
  const { count } = opened.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get() as Body;
  opened.close();
  return count as number;
};

describe('the body of a co-signed request', () => {
  it('is kept as it was received, byte for byte, and exported beside its entry', async () => {
    const body = ` {"criteria" : {"text":"\u00fc\\u00fc"}, "type":"note"}\n`;
    const { id } = await ok(signers.send(principal, 'POST', '/v1/records', body));
    expect(await requestsOf(principal.client, id)).toEqual([body]);
    const document = await exportOf(principal.client, id);
    const [entry] = document['chain'].entries;
    expect(entry.statement.predicate.coSignature.contentDigest).toBe(
      `sha-256=:${sha256(Buffer.from(entry.request, 'base64').toString()).toString('base64')}:`,
    );
    const { failures } = await verifyAuditExport(JSON.stringify(document), {
      trust: trustOf({ kind: 'none' }),
      trustEmbedded: true,
    });
    expect(failures).toEqual([]);
  });

  it('is kept under either coverage, empty where there was none, and not for what was not signed', async () => {
    const { id } = await ok(principal.client.post('/v1/records', job()));
    const reason = JSON.stringify({ reason: `late: ${String(id)}` });
    await deliver(api.world, id);
    await ok(
      principal.client.call(
        'POST',
        `/v1/records/${String(id)}/revision`,
        reason,
        bodyHeaders(principal, reason),
      ),
    );
    await ok(signers.send(principal, 'POST', `/v1/records/${String(id)}/cancel`));
    expect(await requestsOf(principal.client, id)).toEqual([null, null, reason, '', null]);
  });

  it('that holds evidence or content is shown only where that is asked for', async () => {
    const { id } = await ok(
      signers.send(
        principal,
        'POST',
        '/v1/records',
        JSON.stringify(job({ autoActivate: false, message: 'secret offer' })),
      ),
    );
    await ok(signers.send(performer, 'POST', `/v1/records/${String(id)}/accept`, '{}'));
    const completion = JSON.stringify({ evidence: { score: 1, log: 'secret log' } });
    await ok(signers.send(performer, 'POST', `/v1/records/${String(id)}/completions`, completion));
    expect(await requestsOf(principal.client, id)).toEqual([null, '{}', null]);
    const [proposal, , delivered] = await requestsOf(principal.client, id, true);
    expect(proposal).toContain('secret offer');
    expect(delivered).toBe(completion);
  });

  it('edited, moved or removed behind the service is not shown, and cannot be so through SQL that the schema allows', async () => {
    const [one, other] = await Promise.all(
      ['one', 'other'].map(async (text) =>
        ok(signers.send(principal, 'POST', '/v1/records', JSON.stringify(note(text)))),
      ),
    );
    const opened = database();
    const edit = (sql: string): void => void opened.prepare(sql).run();
    for (const table of ['co_signed_requests', 'co_signed_entries'])
      for (const sql of [`DELETE FROM ${table}`, `UPDATE ${table} SET rowid = rowid`])
        if (!(table === 'co_signed_entries' && sql.includes('rowid')))
          expect(() => edit(sql)).toThrow(/append-only/);
    for (const table of ['co_signed_requests', 'co_signed_entries'])
      for (const event of ['update', 'delete']) edit(`DROP TRIGGER ${table}_no_${event}`);
    const missing = async (id: unknown): Promise<void> =>
      expect(await requestsOf(principal.client, id)).toEqual([null]);
    expect(await requestsOf(principal.client, one!['id'])).toEqual([JSON.stringify(note('one'))]);
    const requestOf = `(SELECT request_id FROM co_signed_entries WHERE chain_key = '${String(one!['id'])}')`;
    edit(`UPDATE co_signed_requests SET body = x'7b7d' WHERE id = ${requestOf}`);
    await missing(one!['id']);
    edit(
      `UPDATE co_signed_entries SET request_id = ${requestOf} WHERE chain_key = '${String(other!['id'])}'`,
    );
    await missing(other!['id']);
    edit(`DELETE FROM co_signed_entries WHERE chain_key = '${String(other!['id'])}'`);
    await missing(other!['id']);
    opened.close();
  });
});

describe('a co-signed bulk creation', () => {
  it('seals the co-signature in the entry of each item with its index, and keeps the body once', async () => {
    const items = [note('zero'), { type: 'nobody-has-this' }, job(), note('three')];
    const body = JSON.stringify(items);
    const before = countOf('co_signed_requests');
    const { status, body: answer } = await signers.send(
      principal,
      'POST',
      '/v1/records/bulk',
      body,
    );
    expect(status).toBe(207);
    const ids = answer['data'].map(({ record }: Body) => record?.id ?? null);
    expect(ids.map((id: unknown) => id === null)).toEqual([false, true, false, false]);
    for (const [index, id] of ids.entries()) {
      if (id === null) continue;
      const [block] = await blocksOf(id);
      expect(block).toMatchObject({
        coverage: 'request',
        certId: principal.certId,
        targetUri: `${api.world.url}/v1/records/bulk`,
        item: index,
      });
      expect((await requestsOf(principal.client, id))[0]).toBe(body);
    }
    expect(countOf('co_signed_requests')).toBe(before + 1);
    const report = await verifyAuditExport(
      JSON.stringify(await exportOf(principal.client, ids[3])),
      { trust: trustOf({ kind: 'none' }), trustEmbedded: true },
    );
    expect({ failures: report.failures, coSignatures: report.checks.coSignatures }).toEqual({
      failures: [],
      coSignatures: { result: 'passed', count: 1 },
    });
  });

  it('over the body alone likewise, and keeps nothing where every item is refused', async () => {
    const body = JSON.stringify([note('a'), note('b')]);
    const { body: answer } = await principal.client.call(
      'POST',
      '/v1/records/bulk',
      body,
      bodyHeaders(principal, body),
    );
    const blocks = await Promise.all(
      answer['data'].map(async ({ record }: Body) => (await blocksOf(record.id))[0]),
    );
    expect(blocks).toMatchObject([
      { coverage: 'body', path: '/v1/records/bulk', item: 0 },
      { coverage: 'body', path: '/v1/records/bulk', item: 1 },
    ]);
    const before = countOf('co_signed_requests');
    const bad = JSON.stringify([{ type: 'nobody-has-this' }, {}]);
    expect((await signers.send(principal, 'POST', '/v1/records/bulk', bad)).status).toBe(207);
    expect(countOf('co_signed_requests')).toBe(before);
  });

  it('seals for whom the caller acts, as a single creation does', async () => {
    const subject = await signers.oidc.forge({
      sub: 'alice',
      act: { sub: api.world.principal.id },
    });
    const { body } = await api.world.principal.client.call(
      'POST',
      '/v1/records/bulk',
      JSON.stringify([note('a')]),
      { 'x-service-subject-token': subject },
    );
    const [entry] = await chainOf(api.world.platform, body['data'][0].record.id);
    expect(entry!['statement'].predicate.onBehalfOf).toMatchObject({
      validated: true,
      provenance: 'token_exchange',
      subject: { sub: 'alice' },
    });
  });

  it('does not show its body to the other party of one record: it speaks of the others too', async () => {
    const body = JSON.stringify([note('of nobody else'), job()]);
    const { body: answer } = await signers.send(principal, 'POST', '/v1/records/bulk', body);
    const { id } = answer['data'][1].record;
    expect(await requestsOf(performer.client, id, true)).toEqual([null]);
    for (const client of [principal.client, api.world.platform])
      expect(await requestsOf(client, id)).toEqual([body]);
  });

  it('under an Idempotency-Key acts once, also where the retry is signed anew', async () => {
    const body = JSON.stringify([note('once')]);
    const send = async () =>
      principal.client.call('POST', '/v1/records/bulk', body, {
        ...(await signers.requestHeaders(principal, 'POST', '/v1/records/bulk', body)),
        'idempotency-key': key,
      });
    const key = randomUUID();
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('a co-signed call that writes several entries', () => {
  it('seals the co-signature on the first of each chain, so that no nonce stands twice on one', async () => {
    const body = JSON.stringify({
      ...note('with references'),
      references: [1, 2].map((at) => ({ kind: 'url', uri: `https://example.org/${at}` })),
    });
    const { id } = await ok(signers.send(principal, 'POST', '/v1/records', body));
    const chain = await chainOf(api.world.platform, id);
    expect(
      chain.map((entry) => [
        entry['entryType'],
        entry['statement'].predicate.coSignature !== undefined,
      ]),
    ).toEqual([
      ['RECORD_RECORDED', true],
      ['REFERENCE_ADDED', false],
      ['REFERENCE_ADDED', false],
    ]);
    expect(new Set(chain.map((entry) => entry['statement'].predicate.requestId)).size).toBe(1);
  });

  it('delegation: the child and its parent have the same one, and the parent’s other side does not see the body', async () => {
    const parent = await openJob(api.world);
    const body = JSON.stringify({
      type: 'job',
      criteria: { goal: 'hidden' },
      parentRecordId: parent['id'],
    });
    const before = countOf('co_signed_requests');
    const { id } = await ok(signers.send(performer, 'POST', '/v1/records', body));
    const [ofChild] = await blocksOf(id);
    expect(ofChild).toMatchObject({ coverage: 'request' });
    expect((await blocksOf(parent['id'])).at(-1)).toEqual(ofChild);
    expect(countOf('co_signed_requests')).toBe(before + 1);
    expect((await requestsOf(principal.client, parent['id'], true)).at(-1)).toBeNull();
    expect((await requestsOf(performer.client, parent['id'])).at(-1)).toBe(body);
    expect(await requestsOf(performer.client, id)).toEqual([body]);
  });

  it('cascade: each cancelled record seals it, under the path of the call, and the body is kept once', async () => {
    const parent = await openJob(api.world);
    const child = await ok(
      performer.client.post('/v1/records', job({ parentRecordId: parent['id'] })),
    );
    const path = `/v1/records/${String(parent['id'])}/cancel`;
    const body = JSON.stringify({ cascade: true, reason: 'between us' });
    const before = countOf('co_signed_requests');
    await ok(signers.send(principal, 'POST', path, body));
    expect(countOf('co_signed_requests')).toBe(before + 1);
    const cancelled = await Promise.all(
      [parent['id'], child['id']].map(async (id) =>
        (await chainOf(api.world.platform, id)).find(
          ({ entryType }) => entryType === 'RECORD_CANCELLED',
        ),
      ),
    );
    const [ofParent, ofChild] = cancelled.map((entry) => entry!['statement'].predicate.coSignature);
    expect(ofParent).toMatchObject({ targetUri: `${api.world.url}${path}` });
    expect(ofChild).toEqual(ofParent);
    expect(await requestsOf(performer.client, child['id'], true)).not.toContain(body);
    expect(await requestsOf(api.world.platform, child['id'])).toContain(body);
    expect(await requestsOf(performer.client, parent['id'])).toContain(body);
  });
});
