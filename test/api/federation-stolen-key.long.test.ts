import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditExport } from '../../domain/verification/read/audit-export.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyBothSides } from '../../domain/verification/verify-both-sides.ts';
import { databases } from '../support/databases/databases.ts';
import { HubDatabases } from '../support/hubs/hub-databases.ts';
import { FederatedStory, transitionsOf } from '../support/hubs/federated-story.ts';
import { HubPair, inProcess, type TestHub } from '../support/hubs/hub-pair.ts';
import { chainOf, ok, type Client } from '../support/service/world.ts';

/** A message that waits while the key of its statement is retired as compromised. */
describe.each(databases())('a message by a key that was stolen, on $name', (kind) => {
  const own = new HubDatabases(kind);
  let pair: HubPair;
  beforeAll(async () => {
    pair = await HubPair.open(inProcess, own.env);
    await pair.peer();
  });
  afterAll(async () => {
    await pair?.close();
    await own.drop();
  });

  const active = async (): Promise<FederatedStory> => {
    const story = new FederatedStory(pair);
    await story.propose();
    await story.arrives();
    await ok(story.onMirror('accept'));
    await story.agree('ACTIVE');
    return story;
  };
  const rotate = ({ world }: TestHub) =>
    ok(world.platform.post('/v1/admin/vault/signing-keys/rotate', { reason: 'compromised' }));
  /** A peer is asked for its keys once a minute by one process; the next process asks at once. */
  const startAgain = async (hub: TestHub): Promise<void> => {
    await hub.kill();
    await hub.start();
  };
  const exported = async (hub: TestHub, { url, key }: Client, id: string) => {
    const answer = await fetch(`${url}/v1/records/${id}/audit-export?evidence=true`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const trust = trustOf({ kind: 'fingerprint', sha256Hex: String(hub.identity['vaultRoot']) });
    return { input: await answer.text(), options: { trust } };
  };
  /** What both sides export holds together, and the statements of one side under a sequence. */
  const verified = async ({ homeId, mirrorId }: FederatedStory) => {
    const home = await exported(pair.home, pair.home.world.principal.client, homeId);
    const mirror = await exported(pair.far, pair.far.world.performer.client, mirrorId);
    const both = await verifyBothSides(home, mirror);
    expect([...both.report.failures, ...both.peer.failures]).toEqual([]);
    const statements = ({ input }: typeof home, sequence: number) =>
      (JSON.parse(input) as AuditExport).federation!.statements.filter(
        (one) => one.direction === 'out' && one.sequence === sequence,
      );
    return { home: statements.bind(null, home), mirror: statements.bind(null, mirror) };
  };
  const agreeOnChains = async ({ homeId, mirrorId }: FederatedStory): Promise<void> => {
    const home = await chainOf(pair.home.world.principal.client, homeId);
    const mirror = await chainOf(pair.far.world.performer.client, mirrorId);
    expect(transitionsOf(mirror)).toEqual(transitionsOf(home));
  };

  it('is signed anew at home, a transition and a signal alike, and both signatures are kept', async () => {
    const story = await active();
    pair.far.door.isShut = true;
    await ok(story.atHome('cancel', { reason: 'Not needed.' }));
    await rotate(pair.home);
    await startAgain(pair.far);
    pair.far.door.isShut = false;
    await story.agree('CANCELLED');
    await agreeOnChains(story);
    const { home } = await verified(story);
    // The offer was answered before the theft, and stays as it was.
    expect(home(1)).toHaveLength(1);
    for (const sequence of [3, 4]) {
      const [former, anew, ...more] = home(sequence);
      expect(more).toEqual([]);
      expect(former?.attestation).toBeNull();
      expect(anew?.coseSign1).not.toBe(former?.coseSign1);
      expect(anew?.entries).toEqual(former?.entries);
    }
  });

  it('counts as delivered by the answer to its former signature', async () => {
    const story = await active();
    let isLost = true;
    pair.far.door.onAnswer = ({ body }) => {
      if (isLost && body.includes('"action":"cancel"')) throw new Error('the answer is lost');
    };
    await ok(story.atHome('cancel', { reason: 'Not needed.' }));
    await story.agree('CANCELLED');
    await rotate(pair.home);
    await startAgain(pair.far);
    isLost = false;
    await expect
      .poll(async () => (await verified(story)).home(3).at(-1)?.attestation ?? null, {
        interval: 500,
      })
      .not.toBeNull();
    expect((await verified(story)).home(3)).toHaveLength(2);
    await agreeOnChains(story);
  });

  it('is signed anew on the mirror, and the step takes place', async () => {
    const story = new FederatedStory(pair);
    await story.propose();
    await story.arrives();
    pair.home.door.isShut = true;
    const offered = await ok(story.onMirror('accept'));
    expect(offered['federation'].pendingStep).toMatchObject({ action: 'accept' });
    await rotate(pair.far);
    await startAgain(pair.home);
    pair.home.door.isShut = false;
    await story.agree('ACTIVE');
    await agreeOnChains(story);
    expect((await verified(story)).mirror(1)).toHaveLength(2);
  });
});
