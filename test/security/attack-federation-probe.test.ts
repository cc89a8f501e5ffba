import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { FederatedStory } from '../support/federated-story.ts';
import { HubPair, inProcess, until, type OpenRuntime } from '../support/hub-pair.ts';
import { LyingHub } from '../support/lying-hub.ts';
import { Stranger } from '../support/stranger.ts';
import { chainOf, ok, type Body } from '../support/world.ts';
import { trustOf } from '../../domain/verification/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';

let pair: HubPair;
const runtimes: OpenRuntime[] = [];
beforeAll(async () => {
  pair = await HubPair.open(async (env, directory) => {
    const runtime = await inProcess(env, directory);
    runtimes.push(runtime);
    return runtime;
  });
  await pair.peer();
}, 60_000);
afterAll(() => pair?.close());
const home = () => [runtimes[0]!, pair.home] as const;
const far = () => [runtimes[1]!, pair.far] as const;
const opened = async (): Promise<FederatedStory> => {
  const story = new FederatedStory(pair);
  await story.propose();
  await story.arrives();
  return story;
};
const mirrorTypes = async (story: FederatedStory) =>
  (await chainOf(pair.far.world.performer.client, story.mirrorId)).map((e) => String(e['entryType']));
const homeTypes = async (story: FederatedStory) =>
  (await chainOf(pair.home.world.principal.client, story.homeId)).map((e) => String(e['entryType']));
const verifyMirror = async (story: FederatedStory) => {
  const { client } = pair.far.world.performer;
  const answer = await fetch(`${client.url}/v1/records/${story.mirrorId}/audit-export?evidence=true`, {
    headers: { authorization: `Bearer ${client.key}` },
  });
  return verifyFile(await answer.text(), { trust: trustOf({ kind: 'fingerprint', sha256Hex: String(pair.far.identity['vaultRoot']) }) });
};
const verifyHome = async (story: FederatedStory) => {
  const { client } = pair.home.world.principal;
  const answer = await fetch(`${client.url}/v1/records/${story.homeId}/audit-export?evidence=true`, {
    headers: { authorization: `Bearer ${client.key}` },
  });
  return verifyFile(await answer.text(), { trust: trustOf({ kind: 'fingerprint', sha256Hex: String(pair.home.identity['vaultRoot']) }) });
};
const log = (name: string, value: unknown) => console.log(`@@ ${name}: ${JSON.stringify(value)?.slice(0, 700)}`);
const cancelled = (liar: LyingHub, more: Body = {}) =>
  liar.seal('record-state', {
    ...liar.repeated(),
    entryType: 'RECORD_CANCELLED',
    at: new Date().toISOString(),
    requestId: randomUUID(),
    transition: { action: 'cancel', from: 'PROPOSED', to: 'CANCELLED' },
    cancelledBy: 'principal',
    awaiting: null,
    ...more,
  } as never);

describe('probe', { timeout: 60_000 }, () => {
  it('b endless messages on a detached record', async () => {
    const story = await opened();
    const liar = await LyingHub.on(home(), far(), story.homeId);
    // broken: cancelled from ACTIVE
    await cancelled(liar, { transition: { action: 'cancel', from: 'ACTIVE', to: 'CANCELLED' } });
    const one = await liar.send(await liar.message({}));
    log('b first', [one.status, one.body['reason'], one.body['detail']]);
    log('b verify after broken', (({ failures, reasons, exitCode }) => ({ failures, reasons, exitCode }))(await verifyMirror(story)));
    for (let i = 0; i < 5; i++) {
      await cancelled(liar);
      const body = await liar.message({});
      const more = await liar.send({ ...body, entries: [Buffer.from(`garbage ${i}`).toString('base64')] });
      log('b more', [more.status, more.body['reason'], String(more.body['detail'])]);
    }
    log('b types', await mirrorTypes(story));
    log('b verify', (({ failures, reasons, exitCode }) => ({ failures, reasons, exitCode }))(await verifyMirror(story)));
  });

  it('d reference of the principal ends a pending step', async () => {
    const story = await opened();
    await ok(story.onMirror('accept'));
    await story.agree('ACTIVE');
    pair.home.door.isShut = true;
    const ref = (label: string) => ({ kind: 'document', uri: `https://example.com/${label}`, digest: null, label });
    try {
      const offered = await story.onMirror('references', ref('performer'));
      log('d offered', [offered.status, offered.body['federation'] ?? offered.body]);
      const of = await story.atHome('references', ref('principal'));
      log('d home', [of.status, of.body]);
      await until(async () => (await story.mirror())['references'].length === 1, 8_000).catch((e) => log('d wait', String(e)));
      const now = await story.mirror();
      log('d pending', now['federation']);
      const second = await story.onMirror('references', ref('performer2'));
      log('d second', [second.status, second.body['reason'], second.body['federation']]);
    } finally {
      pair.home.door.isShut = false;
    }
    await new Promise((r) => setTimeout(r, 8_000));
    log('d types', await mirrorTypes(story));
    log('d home types', await homeTypes(story));
    log('d end', [(await story.mirror())['federation'], (await story.home())['federation']]);
    log('d verify', (({ failures, reasons, exitCode }) => ({ failures, reasons, exitCode }))(await verifyMirror(story)));
    log('d verify home', (({ failures, reasons, exitCode }) => ({ failures, reasons, exitCode }))(await verifyHome(story)));
  });

  it('f time of a refused offer', async () => {
    const story = await opened();
    const liar = await LyingHub.on(home(), far(), story.homeId);
    // the offer, of a record that does not exist there, dated in the year 2999
    const { readEntry } = await import('../../domain/vault/open-entry.ts');
    const other = randomUUID();
    const liar2 = Object.assign(Object.create(Object.getPrototypeOf(liar)), liar, { sequence: 0, told: [], untold: [] }) as LyingHub;
    Object.assign(liar2, { head: { chainKey: other, position: 0, hash: new Uint8Array(32), at: '' } });
    const predicate = liar.predicateAt(0);
    await liar2.seal('record-state', {
      ...predicate,
      recordId: other,
      at: '2999-01-01T00:00:00.000Z',
      performerAgentId: randomUUID(),
      terms: { ...(predicate['terms'] as Body), rootRecordId: other },
    } as never);
    const refused = await liar2.send(
      await liar2.message({ recordId: other, sequence: 1, action: 'create', state: 'PROPOSED' }, liar.first.content),
    );
    log('f', [refused.status, refused.body['reason'], refused.body['detail']]);
    const att = refused.body['attestation'];
    if (att) log('f att', readEntry(Buffer.from(String(att), 'base64'))!.predicate);
  });

  it('h strangers learn who is a peer', async () => {
    const stranger = new Stranger(pair.home.hubId);
    const unknown = new Stranger();
    const reached = { service: { url: pair.far.door.hub } };
    const known = await stranger.greet(reached as never);
    const not = await unknown.greet(reached as never);
    log('h', [known.status, known.body['status'] ?? known.body['code'], not.status, not.body['status'] ?? not.body['code']]);
  });

  it('i the same offer, many at once', async () => {
    pair.far.door.isShut = true;
    const story = new FederatedStory(pair);
    await story.propose();
    const sent = await runtimes[0]!.part(TOKENS.federationReads).outgoingOf(story.homeId);
    const body = JSON.parse(Buffer.from(sent[0]!.body).toString('utf8')) as Body;
    const liar = await LyingHub.on(home(), far(), story.homeId);
    pair.far.door.isShut = false;
    const answers = await Promise.all(Array.from({ length: 6 }, () => liar.send(body as never)));
    log('i', answers.map(({ status, body: b }) => [status, b['reason'] ?? b['outcome'] ?? b['code']]));
    await until(async () => (await story.home())['federation'].recordId !== null, 10_000).catch((e) => log('i', String(e)));
    const { data } = await ok(pair.far.world.performer.client.get('/v1/records?limit=200'));
    log('i mirrors', (data as Body[]).filter((r) => r['federation']?.recordId === story.homeId).length);
  });
});
