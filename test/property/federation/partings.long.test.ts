import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyBothSides } from '../../../domain/verification/verify-both-sides.ts';
import { until, type TestHub } from '../../support/hubs/hub-pair.ts';
import { chainOf, ok, type Body, type Client } from '../../support/service/world.ts';
import { perform } from './walks/acts.ts';
import type { SharedRecord } from './walks/shared-record.ts';
import { openTwoHubs, type TwoHubs } from './walks/two-hubs.ts';

let hubs: TwoHubs;
beforeAll(async () => {
  hubs = await openTwoHubs();
});
afterAll(() => hubs?.close());

/** A record of which the performer accepted. */
const underWay = async (): Promise<SharedRecord> => {
  const record = hubs.record();
  await record.propose();
  await until(async () => (await record.atMirror()) !== null, 60_000);
  await ok(perform(record.performer, (await record.atMirror()) as Body, 'accept'));
  await record.comesToRest();
  expect((await record.atHome())['status']).toBe('ACTIVE');
  return record;
};

type Side = Awaited<ReturnType<typeof sideOf>>;

/** The file of a hub, with the root that its operator gives out of band. */
const sideOf = async ({ url, key }: Client, id: string, { identity }: TestHub) => {
  const answer = await fetch(`${url}/v1/records/${id}/audit-export?evidence=true`, {
    headers: { authorization: `Bearer ${String(key)}` },
  });
  const sha256Hex = String(identity['vaultRoot']);
  const trust = trustOf({ kind: 'fingerprint', sha256Hex });
  return { input: await answer.text(), options: { trust } };
};

const detachedOf = (view: Body | null): unknown => view?.['federation'].detached;

describe('a restored backup of the peer', () => {
  it('detaches what it forgot, once the rewind is acknowledged, and nothing else', async () => {
    const [forgotten, untouched] = [await underWay(), await underWay()];
    await hubs.setBack(async () => {
      const mirror = (await forgotten.atMirror()) as Body;
      await ok(perform(forgotten.performer, mirror, 'submit-completion'));
      await forgotten.comesToRest();
    });
    const { far } = hubs.pair;
    await ok(far.world.platform.post('/v1/admin/vault/rewind/acknowledge', {}));
    expect(detachedOf(await forgotten.atMirror())).toMatch(/rewind|rewound/);
    expect((await forgotten.atMirror())?.['federation'].pendingStep).toBeNull();
    expect(detachedOf(await untouched.atMirror())).toBeNull();

    // Home goes on, and learns it with its next message.
    const home = await forgotten.atHome();
    await ok(perform(forgotten.principal, home, 'accept-verdict'));
    await until(async () => {
      await hubs.hurry();
      return detachedOf(await forgotten.atHome()) !== null;
    }, 60_000);
    await ok(
      perform(untouched.performer, (await untouched.atMirror()) as Body, 'submit-completion'),
    );
    await untouched.comesToRest();
    expect((await untouched.atHome())['latestCompletionId']).not.toBeNull();
  });
});

describe('a restored backup of home', () => {
  it('detaches what it forgot, and a step on the mirror ends with it; other records go on', async () => {
    const opened = async (): Promise<SharedRecord> => {
      const record = hubs.record(true);
      await record.propose();
      await until(async () => (await record.atMirror()) !== null, 60_000);
      await record.comesToRest();
      return record;
    };
    const [forgotten, untouched] = [await opened(), await opened()];
    await hubs.setBack(async () => {
      await ok(perform(forgotten.performer, (await forgotten.atMirror()) as Body, 'accept'));
      await forgotten.comesToRest();
    });
    const { far } = hubs.pair;
    await ok(far.world.platform.post('/v1/admin/vault/rewind/acknowledge', {}));
    expect(detachedOf(await forgotten.atHome())).toBe('rewind_acknowledged');
    expect((await forgotten.atHome())['status']).toBe('PROPOSED');

    // The mirror is not told: it hears it as the answer to its next step.
    expect(detachedOf(await forgotten.atMirror())).toBeNull();
    const step = (await forgotten.atMirror()) as Body;
    await perform(forgotten.performer, step, 'submit-completion');
    await until(async () => {
      await hubs.hurry();
      return detachedOf(await forgotten.atMirror()) === 'peer_detached';
    }, 60_000);
    expect((await forgotten.atMirror())?.['federation'].pendingStep).toBeNull();
    const sealed = await chainOf(forgotten.performer, forgotten.mirrorId);
    // Home asks for the step that it forgot, and says of that one that the record is detached.
    expect(sealed.map(({ entryType }) => entryType as string).slice(-2)).toEqual([
      'STEP_OFFERED',
      'RECORD_DETACHED',
    ]);
    const later = await perform(forgotten.performer, step, 'submit-completion');
    expect([later.status, later.body['reason']]).toEqual([422, 'detached']);

    // The files part where home went back. Its operator said so under a platform key, so neither hub is said to have lied.
    const sides = [
      await sideOf(forgotten.principal, forgotten.homeId, forgotten.home.hub),
      await sideOf(forgotten.performer, String(forgotten.mirrorId), forgotten.far.hub),
    ] as const;
    for (const [one, other] of [sides, [...sides].reverse() as [Side, Side]] as const) {
      const { report, peer, exitCode } = await verifyBothSides(one, other);
      expect([report.failures, peer.failures, exitCode]).toEqual([[], [], 2]);
      expect(report.reasons.join()).toContain('were lost in a rewind');
      expect(report.reasons.join()).toContain(forgotten.home.hub.hubId);
    }

    await ok(perform(untouched.performer, (await untouched.atMirror()) as Body, 'accept'));
    await untouched.comesToRest();
    expect((await untouched.atHome())['status']).toBe('ACTIVE');
  });
});

describe('a revoked peer', () => {
  it('ends its open mirrors, detached, with no step left, and home goes on alone', async () => {
    const { home, far } = hubs.pair;
    const [open, waiting, ended] = [await underWay(), await underWay(), await underWay()];
    await ok(perform(ended.principal, await ended.atHome(), 'cancel'));
    await ended.comesToRest();
    hubs.wire.is(waiting.homeId, 'cut');
    const step = await perform(waiting.performer, (await waiting.atMirror()) as Body, 'cancel');
    expect(step.body['federation'].pendingStep).toMatchObject({ action: 'cancel' });

    const revoke = (hub: typeof home, peer: typeof far) =>
      ok(hub.world.platform.post(`/v1/admin/federation/peers/${peer.hubId}/revoke`, {}));
    await revoke(far, home);
    for (const record of [open, waiting]) {
      const mirror = (await record.atMirror()) as Body;
      expect(mirror).toMatchObject({
        status: 'EXPIRED',
        federation: { detached: 'peer_revoked', pendingStep: null },
      });
      const sealed = (await chainOf(record.performer, record.mirrorId)).map(
        ({ entryType }) => entryType,
      );
      expect(sealed.filter((type) => type === 'RECORD_EXPIRED')).toHaveLength(1);
      expect(sealed).toContain('RECORD_DETACHED');
    }
    expect(await ended.atMirror()).toMatchObject({
      status: 'CANCELLED',
      federation: { detached: 'peer_revoked', pendingStep: null },
    });

    // Home's operator hears of it, and does the same.
    hubs.wire.is(waiting.homeId, 'well');
    await revoke(home, far);
    expect(await open.atHome()).toMatchObject({
      status: 'ACTIVE',
      federation: { pendingStep: null },
    });
    expect(detachedOf(await open.atHome())).toBe('peer_revoked');
    expect((await perform(open.principal, await open.atHome(), 'cancel')).status).toBe(200);
    expect((await open.atHome())['status']).toBe('CANCELLED');
    expect((await waiting.atHome())['status']).toBe('ACTIVE');
  });
});
