import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditExport } from '../../domain/verification/read/audit-export.ts';
import { verifyBothSides } from '../../domain/verification/verify-both-sides.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { databases } from '../support/databases/databases.ts';
import { HubDatabases } from '../support/hubs/hub-databases.ts';
import { FederatedStory } from '../support/hubs/federated-story.ts';
import { HubPair, inProcess, until, type TestHub } from '../support/hubs/hub-pair.ts';
import { scanned } from '../support/service/scans.ts';
import { GOAL, ok, type Client } from '../support/service/world.ts';

/** Which several nodes would share. */
const SECRETS = Object.fromEntries(
  ['API_KEY_PEPPER', 'SECRETS_KEY', 'SIGNER_KEK'].map((name) => [
    name,
    randomBytes(32).toString('base64'),
  ]),
);

describe.each(databases())('what two hubs export of one record, on $name', (kind) => {
  const own = new HubDatabases(kind);
  let pair: HubPair;
  let story: FederatedStory;
  beforeAll(async () => {
    pair = await HubPair.open(inProcess, async () => ({
      ...(await own.env()),
      ...SECRETS,
    }));
    await pair.peer();
    story = new FederatedStory(pair);
    await story.propose();
    await story.arrives();
  });
  afterAll(async () => {
    await pair?.close();
    await own.drop();
  });

  const text = async (client: Client, id: string, query: string): Promise<string> => {
    const answer = await fetch(`${client.url}/v1/records/${id}/audit-export${query}`, {
      headers: { authorization: `Bearer ${client.key}` },
    });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const fileOf = async (side: 'home' | 'mirror', query = '?evidence=true') => ({
    input: await (side === 'home'
      ? text(pair.home.world.principal.client, story.homeId, query)
      : text(pair.far.world.performer.client, story.mirrorId, query)),
    options: { trust: pinOf(side === 'home' ? pair.home : pair.far) },
  });
  /** What an operator prints, and an auditor keeps. */
  const pinOf = ({ identity }: TestHub) =>
    trustOf({ kind: 'fingerprint', sha256Hex: String(identity['vaultRoot']) });
  /** An answer may still be under way: then it cannot be told yet. Nothing is ever contradicted. */
  const bothHold = (query?: string): Promise<void> =>
    until(async () => {
      const both = await verifyBothSides(
        await fileOf('home', query),
        await fileOf('mirror', query),
      );
      expect([...both.report.failures, ...both.peer.failures]).toEqual([]);
      expect([both.report.trust, both.peer.trust]).toEqual(['out_of_band', 'out_of_band']);
      if (both.exitCode !== 0) expect(both.report.reasons.join()).toContain('is too old');
      return both.exitCode === 0;
    });

  it('hold as long as the offer waits', async () => {
    await until(async () => (await story.home())['federation'].recordId !== null);
    await bothHold();
  });

  it('hold at every step, alone and together, as JSON and as NDJSON', async () => {
    await ok(story.onMirror('counter-propose', { criteria: { goal: 'more', threshold: 7 } }));
    await story.agree('PROPOSED', ({ counterProposal }) => counterProposal !== null);
    await bothHold();
    await ok(story.atHome('accept-counter'));
    await story.agree('ACTIVE');
    await bothHold('?format=ndjson');
    await ok(story.onMirror('completions', { evidence: { score: 9 } }));
    const home = await story.home();
    await bothHold();
    await ok(
      story.atHome('verdict', { verdict: 'accept', completionId: home['latestCompletionId'] }),
    );
    await story.agree('FULFILLED');
    await bothHold();
    await ok(story.atHome('dispute', { statement: 'It is not what was agreed.' }));
    await story.agree('FULFILLED', ({ disputed }) => disputed === true);
    await ok(story.onMirror('dispute/evidence', { evidence: { log: 'all runs' } }));
    await bothHold();
    await ok(story.atHome('dispute/withdraw'));
    await story.agree('FULFILLED', ({ disputed }) => disputed === false);
    await bothHold('?format=ndjson');
  });

  it('show the peer by its own keys, from the root that was registered', async () => {
    const { input } = await fileOf('home');
    const { federation } = JSON.parse(input) as AuditExport;
    expect(federation).toMatchObject({
      role: 'home',
      peerHubId: pair.far.hubId,
      peerRecordId: story.mirrorId,
      vaultRoot: pair.far.identity['vaultRoot'],
    });
    expect(federation!.statements.length).toBeGreaterThan(8);
    const mixed = { ...(JSON.parse(input) as AuditExport) };
    const broken = JSON.stringify({
      ...mixed,
      federation: { ...federation, vaultRoot: pair.home.identity['vaultRoot'] },
    });
    const report = await verifyFile(broken, { trust: pinOf(pair.home) });
    expect(report.brokenAt?.class).toBe('CHAIN_KEY_POLICY_VIOLATION');
  });

  it('hold where the peer turned the offer down, and nothing stands on its side', async () => {
    const refused = await ok(
      pair.home.world.principal.client.post('/v1/records', {
        type: 'job',
        criteria: GOAL,
        federation: {
          peerHubId: pair.far.hubId,
          performerAgentId: '0190b000-0000-7000-8000-00000000000a',
        },
      }),
    );
    const { client } = pair.home.world.principal;
    const id = String(refused['id']);
    await until(async () => (await ok(client.get(`/v1/records/${id}`)))['status'] === 'REJECTED');
    const report = await verifyFile(await text(client, id, ''), {
      trust: pinOf(pair.home),
    });
    expect(report).toMatchObject({ failures: [], reasons: [], exitCode: 0 });
  });

  it('hold in a tree, and in a scan of each vault', async () => {
    const { client } = pair.home.world.principal;
    const tree = await text(client, story.homeId, '?subtree=true');
    expect(await verifyFile(tree, { trust: pinOf(pair.home) })).toMatchObject({
      failures: [],
      exitCode: 0,
    });
    const scans = await Promise.all(
      [pair.home, pair.far].map(({ world }) => scanned(world.platform)),
    );
    for (const scan of scans) {
      expect(scan['failure']).toBeNull();
      expect(scan['result']).toMatchObject({ broken: 0, signatureErrors: 0, brokenRecords: [] });
    }
  });
});
