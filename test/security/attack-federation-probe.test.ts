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


const step = (liar: LyingHub, action: string, status: string, more: Body = {}) =>
  liar.seal('record-state', {
    ...liar.repeated(),
    entryType: 'STEP_OFFERED',
    at: new Date().toISOString(),
    requestId: randomUUID(),
    transition: { action, from: status, to: status },
    ...more,
  } as never);


const onMirror = async (): Promise<readonly [FederatedStory, LyingHub]> => {
  const story = await opened();
  await until(async () => (await story.home())['federation'].recordId !== null);
  const liar = await LyingHub.on(far(), home(), story.mirrorId);
  const { first } = await LyingHub.on(home(), far(), story.homeId);
  const stored = await chainOf(pair.far.world.performer.client, story.mirrorId);
  for (const e of stored) liar.untell(Buffer.from(String(e['coseSign1']), 'base64'));
  const { hubId, orgId, performer } = { hubId: pair.far.hubId, orgId: pair.far.world.orgId, performer: pair.far.world.performer.id };
  Object.assign(liar, {
    first: {
      ...first,
      projection: {
        ...first.projection,
        originHubId: hubId,
        toHubId: pair.home.hubId,
        performer: { hubId, orgId, agentId: performer },
        ack: 1,
      },
    },
    actor: { kind: 'agent', orgId, agentId: performer, apiKeyId: randomUUID() },
  });
  return [story, liar];
};
const actorOf = (liar: LyingHub) => (liar as unknown as { actor: Body }).actor;
const ref = (n: number) => ({ id: randomUUID(), kind: 'document', uri: `https://example.com/${n}`, digest: null, label: null });


const accepted = async () => {
  const story = await opened();
  await ok(story.onMirror('accept'));
  await story.agree('ACTIVE');
  const liar = await LyingHub.on(home(), far(), story.homeId);
  const stored = await chainOf(pair.home.world.principal.client, story.homeId);
  for (const e of stored.slice(liar.told.length)) liar.untell(Buffer.from(String(e['coseSign1']), 'base64'));
  const actor = liar.predicateAt(0)['actor'] as Body;
  return { story, liar, actor };
};
const refAdded = (liar: LyingHub, actor: Body, n: number) =>
  liar.seal('record-state', {
    ...liar.repeated(),
    entryType: 'REFERENCE_ADDED',
    at: new Date().toISOString(),
    requestId: randomUUID(),
    actor,
    transition: { action: 'add-reference', from: 'ACTIVE', to: 'ACTIVE' },
    reference: ref(n),
  } as never);
describe('probe', { timeout: 200_000 }, () => {
  it('n hidden entries, and how long many take', async () => {
    const { story, liar, actor } = await accepted();
    await refAdded(liar, actor, 1);
    await refAdded(liar, actor, 2);
    await refAdded(liar, actor, 3);
    const a = await liar.send(await liar.message({ ack: 1 }));
    log('n', [a.status, a.body['reason'] ?? a.body['outcome'], a.body['detail']]);
    log('n references', (await story.mirror())['references']?.length);
    log('n verify', (({ failures, reasons, exitCode }) => ({ failures, reasons, exitCode }))(await verifyMirror(story)));
    for (let turn = 0; turn < 3; turn++) {
      for (let i = 0; i < 1200; i++) await refAdded(liar, actor, i);
      const message = await liar.message({ ack: 1 });
      const start = performance.now();
      let worst = 0;
      let last = performance.now();
      const beat = setInterval(() => { worst = Math.max(worst, performance.now() - last); last = performance.now(); }, 5);
      const b = await liar.send(message);
      clearInterval(beat);
      log(`n ${turn}`, [b.status, b.body['reason'] ?? b.body['outcome'], b.body['detail'] ?? b.body['message'], JSON.stringify(message).length, Math.round(performance.now() - start), 'lag', Math.round(worst)]);
      if (b.status !== 200) break;
    }
    for (let i = 0; i < 5; i++) {
      await refAdded(liar, actor, i);
      const start = performance.now();
      const b = await liar.send(await liar.message({ ack: 1 }));
      log(`n small`, [b.status, b.body['reason'] ?? b.body['outcome'], Math.round(performance.now() - start)]);
    }
  });

  it('o answers that lie', async () => {
    // the far hub answers an offer with an attestation by its genuine vault, that names home's own org as its org
    const { openPeerStatement } = await import('../../domain/federation/peer-statement.ts');
    void openPeerStatement;
    const { TakeAnswer } = await import('../../application/federation/take-answer.ts');
    const { signStatement, sealEntry } = await import('../../domain/vault/chain.ts');
    const { counterAttestationStatement } = await import('../../domain/record/record-statement.ts');
    const { Vault } = await import('../../application/vault/vault.ts');
    void signStatement;
    pair.far.door.isShut = true;
    const story = new FederatedStory(pair);
    await story.propose();
    const reads = runtimes[0]!.part(TOKENS.federationReads);
    const [offer] = await reads.outgoingOf(story.homeId);
    const vault = runtimes[1]!.part(Vault);
    const at = new Date().toISOString();
    const entry = await sealEntry(vault.seal, story.homeId as never, null, counterAttestationStatement(vault.hub.predicateBase, {
      entryType: 'PEER_STATEMENT_ATTESTED', at, requestId: randomUUID(), actor: { kind: 'system' },
      recordId: story.homeId, orgId: pair.home.world.orgId, peerHubId: pair.home.hubId, sequence: 1,
      statementHash: offer!.statementHash, outcome: 'applied',
    } as never), { entryType: 'PEER_STATEMENT_ATTESTED', recordId: null, orgId: null, at, oidcIss: null, oidcSub: null });
    const take = runtimes[0]!.part(TakeAnswer);
    try {
      await take.execute({ ...offer!, queuedAt: offer!.queuedAt } as never, { messageId: offer!.messageId, outcome: 'applied', attestation: Buffer.from(entry.coseSign1).toString('base64') }, 'test');
      log('o', (await story.home())['federation']);
      log('o record', [(await story.home())['performerOrgId']]);
      const exp = await verifyHome(story);
      log('o verify', [exp.failures, exp.exitCode]);
      const c = await story.atHome('cancel');
      log('o cancel', [c.status, c.body['code']]);
      const sent = await reads.outgoingOf(story.homeId);
      log('o told', JSON.parse(Buffer.from(sent.at(-1)!.body).toString()).projection.performer);
    } catch (error) { log('o error', String(error)); }
    pair.far.door.isShut = false;
  });
});
