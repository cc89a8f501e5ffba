import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyBothSides } from '../../domain/verification/verify-both-sides.ts';
import { FederatedStory } from '../support/hubs/federated-story.ts';
import { HubPair, inItsOwnProcess, until, type TestHub } from '../support/hubs/hub-pair.ts';
import { chainOf, ok, type Client } from '../support/service/world.ts';

let pair: HubPair;
const directories: string[] = [];
beforeEach(async () => {
  directories.length = 0;
  pair = await HubPair.open((env, directory) => {
    directories.push(directory);
    return inItsOwnProcess(env, directory);
  });
  await pair.peer();
});
afterEach(() => pair?.close());

const sideOf = async ({ url, key }: Client, id: string, { identity }: TestHub) => {
  const answer = await fetch(`${url}/v1/records/${id}/audit-export?evidence=true`, {
    headers: { authorization: `Bearer ${String(key)}` },
  });
  const sha256Hex = String(identity['vaultRoot']);
  const trust = trustOf({ kind: 'fingerprint', sha256Hex });
  return { input: await answer.text(), options: { trust } };
};
/** What an auditor finds who has both files, whichever comes first. */
const found = async ({ homeId, mirrorId }: FederatedStory) => {
  const { home, far } = pair;
  const [one, other] = [
    await sideOf(home.world.principal.client, homeId, home),
    await sideOf(far.world.performer.client, mirrorId, far),
  ];
  const outcome = await verifyBothSides(one, other);
  const turned = await verifyBothSides(other, one);
  expect([turned.exitCode, turned.verdict]).toEqual([outcome.exitCode, outcome.verdict]);
  return outcome;
};

/** A backup, taken while the hub runs. */
const backedUp = async (directory: string): Promise<string> => {
  const backup = join(directory, 'backup.sqlite');
  await until(() => {
    const database = new DatabaseSync(join(directory, 'data', 'notary.sqlite'), { timeout: 1_000 });
    try {
      database.exec(`VACUUM INTO '${backup}'`);
      return true;
    } catch (error) {
      if (!/locked|busy/i.test(String(error))) throw error;
      return false;
    } finally {
      database.close();
    }
  });
  return backup;
};

it(
  'a home that is killed after its answer was taken, and set back, is never found to be true of both hubs',
  { timeout: 300_000 },
  async () => {
    const { home } = pair;
    const story = new FederatedStory(pair);
    await story.propose();
    await story.arrives();
    await until(async () => (await story.home())['federation'].recordId !== null, 60_000);
    const backup = await backedUp(directories[0]!);
    await ok(story.onMirror('accept'));
    await story.agree('ACTIVE');
    await until(() => story.isQuiet(), 60_000);
    expect(await found(story)).toMatchObject({ exitCode: 0, verdict: 'valid' });

    await home.kill();
    const file = join(directories[0]!, 'data', 'notary.sqlite');
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    copyFileSync(backup, file);
    await home.start();

    // Each file is genuine; home's is as old as its backup, and lacks what it signed since.
    expect((await story.home())['status']).toBe('PROPOSED');
    const soon = await found(story);
    expect(soon.report.failures).toEqual([]);
    expect(soon).toMatchObject({ exitCode: 2, peer: { verdict: 'valid' } });
    expect(soon.report.reasons.join()).toContain(
      `the file of hub ${home.hubId} is too old or not whole`,
    );

    // It goes on without knowing, and signs another statement under a sequence of which the mirror has the first.
    await ok(story.atHome('cancel', { reason: 'No longer needed.' }));
    await until(async () => (await story.mirror())['federation'].detached !== null, 60_000);
    const types = (await chainOf(pair.far.world.performer.client, story.mirrorId)).map(
      ({ entryType }) => String(entryType),
    );
    expect(types).toContain('PEER_EQUIVOCATION');
    await until(async () => (await story.home())['federation'].detached !== null, 60_000);
    const late = await found(story);
    expect(late).toMatchObject({ exitCode: 1, verdict: 'invalid', peer: { verdict: 'valid' } });
    expect(late.peer.notes.join()).toContain(
      `proven: hub ${home.hubId} signed two different statements 2`,
    );
    // Nothing is said against the hub that only kept what it was sent.
    for (const { detail } of late.report.failures)
      expect(detail).toContain(`hub ${home.hubId} signed both`);
  },
);
