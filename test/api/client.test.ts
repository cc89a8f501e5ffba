import { beforeAll, describe, expect, it } from 'vitest';
import {
  capture,
  captureManifest,
  metaOf,
  NotaryClient,
  NotaryProblem,
} from '../../adapters/client/client.ts';
import { verify } from '../../adapters/client/verify.ts';
import { useApi } from '../support/service/api.ts';
import { FlakyService } from '../support/peers/flaky-service.ts';
import { GOAL, type Client } from '../support/service/world.ts';

const api = useApi();
const clientOf = ({ url, key }: Pick<Client, 'url' | 'key'>): NotaryClient =>
  new NotaryClient({ url, credential: key });
let admin: NotaryClient;
let principal: NotaryClient;
let performer: NotaryClient;
beforeAll(() => {
  const { world } = api;
  admin = clientOf(world.admin);
  principal = clientOf(world.principal.client);
  performer = clientOf(world.performer.client);
});

const allOf = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe('the client against the service', () => {
  it('notarizes, and what it got verifies under the key of the service, and under no other', async () => {
    const record = await principal.notarize({ type: 'note', criteria: { text: 'paid' } });
    expect(record.status).toBe('RECORDED');
    expect(metaOf(record)).toEqual({
      status: 201,
      requestId: expect.any(String),
      etag: expect.stringMatching(/^"1/),
      replayed: false,
      attempts: 1,
    });
    const file = await principal.export(record.id, { evidence: true });
    const kept = [JSON.stringify(record.signedStatement)];
    const { fingerprint } = api;
    const report = await verify(file, { fingerprint, kept, story: { maxSteps: 10 } });
    expect([report.verdict, report.failures, report.kept[0]?.result]).toEqual([
      'valid',
      [],
      'passed',
    ]);
    expect(report.story?.steps).toHaveLength(1);
    expect((await verify(file, { fingerprint: 'ab'.repeat(32) })).verdict).not.toBe('valid');
    expect((await verify(file, {})).verdict).toBe('cannot_tell');
    const changed = new TextDecoder().decode(file).replace('"paid"', '"owed"');
    expect((await verify(changed, { fingerprint })).verdict).toBe('invalid');
    expect(() => verify(file, { fingerprint: 'nothing' })).toThrow(TypeError);
    const keys = new TextEncoder().encode(JSON.stringify(await principal.verificationKeys()));
    expect((await verify(file, { keys })).verdict).toBe('valid');
    const lines = await principal.export(record.id, { evidence: true, format: 'ndjson' });
    expect((await verify(lines, { fingerprint })).verdict).toBe('valid');
    const table = await principal.export(record.id, { format: 'csv' });
    expect(new TextDecoder().decode(table)).toContain('RECORD_RECORDED');
    const attested = await principal.records.attestation(record.id, { receipts: true });
    expect((await verify(file, { fingerprint, receipts: [attested] })).verdict).toBe('valid');
  });

  it('takes a record through its gates, by what each answer names next', async () => {
    const job = { type: 'job', criteria: GOAL, performerAgentId: api.world.performer.id };
    const offered = await principal.records.create(job);
    expect(offered.status).toBe('PROPOSED');
    const seen = await performer.records.get(offered.id);
    const step = seen.nextSteps.find(({ action }) => action === 'accept')!;
    expect(await performer.follow(step, {})).toMatchObject({ status: 'ACTIVE' });
    const completion = await performer.records.complete(offered.id, { evidence: { score: 9 } });
    const gates = await principal.records.gates(offered.id);
    expect(gates.phase2.results.map(({ outcome }) => outcome)).toEqual(['pass']);
    const decided = await principal.records.verdict(
      offered.id,
      { verdict: 'accept', completionId: completion.id },
      { ifMatch: (await principal.records.get(offered.id)).version },
    );
    expect(decided.status).toBe('FULFILLED');
    const stale = principal.records.dispute(offered.id, { grounds: 'late' }, { ifMatch: 1 });
    await expect(stale).rejects.toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
  });

  it('answers, counters, cancels and rejects', async () => {
    const job = { type: 'job', criteria: GOAL, performerAgentId: api.world.performer.id };
    const { id } = await principal.records.create(job);
    const countered = await performer.records.counter(id, { criteria: { ...GOAL, threshold: 3 } });
    expect(countered.awaiting).toBe('principal');
    expect((await principal.records.acceptCounter(id)).criteria).toMatchObject({ threshold: 3 });
    expect((await principal.records.cancel(id, { reason: 'over' })).status).toBe('CANCELLED');
    const other = await principal.records.create(job);
    expect((await performer.records.reject(other.id)).status).toBe('REJECTED');
    const draft = await principal.records.create({ type: 'job', criteria: GOAL });
    const { id: performerAgentId } = api.world.performer;
    expect((await principal.records.propose(draft.id, { performerAgentId })).status).toBe(
      'PROPOSED',
    );
  });

  it('disputes a failed record, and finds the dispute', async () => {
    const job = { type: 'job', criteria: GOAL, performerAgentId: api.world.performer.id };
    const { id } = await principal.records.create({ ...job, autoActivate: true });
    const completion = await performer.records.complete(id, { evidence: { score: 1 } });
    await principal.records.verdict(id, { verdict: 'reject', completionId: completion.id });
    const opened = await performer.records.dispute(id, { statement: 'It was enough.' });
    expect((await performer.disputes.of(id)).id).toBe(opened.id);
    expect((await allOf(performer.disputes.list({ recordId: id }))).map((one) => one.id)).toEqual([
      opened.id,
    ]);
    await performer.disputes.withdraw(id);
    expect((await performer.disputes.get(opened.id)).phase).toBe('WITHDRAWN');
  });

  it('is refused with a typed problem that says what to do', async () => {
    const error = (await principal
      .notarize({ type: 'nothing', criteria: {} })
      .catch((thrown: unknown) => thrown)) as NotaryProblem;
    expect(error).toBeInstanceOf(NotaryProblem);
    expect(error).toMatchObject({ status: 422, retryable: false, attempts: 1 });
    expect(error.document?.allowedValues).toContain('note');
    expect(error.requestId).toBe(error.document?.requestId);
    const unknown = new NotaryClient({ url: api.world.url, credential: 'nothing' });
    await expect(unknown.whoami()).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    const none = new NotaryClient({ url: api.world.url });
    await expect(none.whoami()).rejects.toMatchObject({ status: 401 });
    expect((await none.verificationKeys()).data).toHaveLength(1);
  });

  it('governs: orgs, agents, keys, types and webhooks', async () => {
    const { orgId } = api.world;
    const type = await admin.types.register(captureManifest('client.call'));
    expect((await admin.types.get('client.call')).manifestDigest).toBe(type.manifestDigest);
    expect((await allOf(admin.types.list({ type: 'client.call' }))).length).toBe(1);
    const agent = await admin.agents.create({ name: 'hired', orgId });
    const key = await admin.keys.mint({ role: 'agent', ownerType: 'agent', ownerId: agent.id });
    const hired = new NotaryClient({ url: api.world.url, credential: key.apiKey });
    expect((await hired.whoami()).ownerId).toBe(agent.id);
    expect((await admin.agents.get(agent.id)).name).toBe('hired');
    await admin.keys.revoke(key.keyId, 'over');
    await expect(hired.whoami()).rejects.toMatchObject({ status: 401 });
    const keys = await allOf(admin.keys.list({ ownerId: agent.id }));
    expect(keys.map(({ isActive }) => isActive)).toEqual([false]);
    const hook = await admin.webhooks.create({
      url: 'https://receiver.example/hook',
      eventTypes: ['record.recorded'],
    });
    expect(hook.secret).toMatch(/^whsec_/);
    expect((await admin.webhooks.pause(hook.id)).isPaused).toBe(true);
    await admin.webhooks.delete(hook.id);
    expect((await admin.webhooks.get(hook.id)).isActive).toBe(false);
    const platform = clientOf(api.world.platform);
    expect((await allOf(platform.orgs.list())).some(({ id }) => id === orgId)).toBe(true);
    expect((await principal.agents.reputation(api.world.principal.id)).agentId).toBe(
      api.world.principal.id,
    );
  });
});

describe('a listing', () => {
  it('is walked over its pages, each item once, as often as it is asked', async () => {
    const platform = 'walk of pages';
    const made = new Set<string>();
    const items = Array.from({ length: 23 }, () => ({ type: 'note', criteria: {}, platform }));
    const bulk = await principal.records.createBulk(items);
    expect(bulk).toMatchObject({ succeeded: 23, failed: 0 });
    const pages = principal.records.list({ platform, limit: 5 });
    for await (const record of pages) made.add(record.id);
    expect(made.size).toBe(23);
    const sizes: number[] = [];
    for await (const { data } of pages.pages()) sizes.push(data.length);
    expect(sizes).toEqual([5, 5, 5, 5, 3]);
    expect(await pages.first()).toMatchObject({ total: 23, hasMore: true });
    for await (const { id } of pages) {
      expect(made.has(id)).toBe(true);
      break;
    }
    const events = await allOf(principal.events({ type: 'record.recorded', limit: 10 }));
    expect(events.length).toBeGreaterThanOrEqual(23);
  });
});

describe('an answer that is lost', () => {
  it('was the only effect: the repetition is answered with it', async () => {
    const network = await FlakyService.open();
    const { key, url } = api.world.principal.client;
    // The service carries it out each time; the first two answers never arrive.
    network.behave = async (response, count, request) => {
      const answer = await FlakyService.forward(url, request);
      const text = await answer.text();
      if (count <= 2) return response.destroy();
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      return response.end(text);
    };
    const behind = new NotaryClient({ url: network.url, credential: key, retry: { baseMs: 1 } });
    const record = await behind.notarize({
      type: 'note',
      criteria: {},
      platformRef: 'lost answer',
    });
    expect(metaOf(record)).toMatchObject({ replayed: true, attempts: 3 });
    const found = await allOf(principal.records.list({ platformRef: 'lost answer' }));
    expect(found.map(({ id }) => id)).toEqual([record.id]);
    await network.stop();
  });
});

it('what a function was asked and returned is a record that verifies', async () => {
  await admin.types.register(captureManifest('tool.call'));
  const captured = capture(principal, {
    type: 'tool.call',
    contents: 'both',
    redact: ['**.token'],
  });
  const lookUp = captured(async ({ name }: { name: string; token: string }) => ({ name, rows: 2 }));
  expect(await lookUp({ name: 'ledger', token: 't0p' })).toEqual({ name: 'ledger', rows: 2 });
  const [record] = (await principal.records.list({ type: 'tool.call' }).first()).data;
  expect(record!.criteria).toMatchObject({
    outcome: 'returned',
    input: { value: [{ name: 'ledger', token: '[redacted]' }], redacted: 1 },
    output: { value: { name: 'ledger', rows: 2 } },
  });
  const file = await principal.export(record!.id);
  expect((await verify(file, { fingerprint: api.fingerprint })).verdict).toBe('valid');
});
