import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseIn, idBytes } from '../support/forged-bytes.ts';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { chainOf, ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

const revoke = () =>
  hubs.pair.far.world.platform.post(`/v1/admin/federation/peers/${hubs.pair.home.hubId}/revoke`, {
    reason: 'It is over.',
  });
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

describe('somebody who writes the database of the performer', { timeout: 90_000 }, () => {
  // The MAC of the old row is good: a second STEP_REFUSED is sealed, and the file is INVALID for ever.
  it('does not have one answer of home taken twice', async () => {
    const story = await hubs.opened();
    const database = databaseIn(hubs.folders[1]!);
    try {
      hubs.pair.home.door.isShut = true;
      const reference = { kind: 'document', uri: 'https://files.example/1' };
      await ok(story.atHome('references', reference));
      await story.onMirror('references', reference);
      const ofMirror = idBytes(story.mirrorId);
      const row = database
        .prepare(
          'SELECT outcome, attestation, answered_at, in_lane, row_key, row_mac FROM federation_outgoing WHERE record_id = ?',
        )
        .get(ofMirror)!;
      hubs.pair.home.door.isShut = false;
      await until(async () => (await story.mirror())['federation'].pendingStep === null, 30_000);
      const refusals = async () =>
        (await chainOf(hubs.performer, story.mirrorId)).filter(
          ({ entryType }) => entryType === 'STEP_REFUSED',
        ).length;
      expect(await refusals()).toBe(1);
      database
        .prepare(
          'UPDATE federation_outgoing SET outcome = ?, attestation = ?, answered_at = ?, in_lane = ?, row_key = ?, row_mac = ? WHERE record_id = ?',
        )
        .run(...Object.values(row), ofMirror);
      await sleep(12_000);
      expect(await refusals()).toBe(1);
    } finally {
      hubs.pair.home.door.isShut = false;
      database.close();
    }
  });
});

describe('somebody who writes the database before a peer is revoked', { timeout: 90_000 }, () => {
  // The peer of this pair is revoked by each: they come last, and share what they need.
  it('hides no record by white space', async () => {
    const story = await hubs.opened();
    const database = databaseIn(hubs.folders[1]!);
    try {
      const { changes } = database
        .prepare(
          `UPDATE records SET federation = replace(federation, '"detached":null}', '"detached":null }') WHERE id = ?`,
        )
        .run(idBytes(story.mirrorId));
      if (changes !== 1) return;
    } finally {
      database.close();
    }
    const { status } = await revoke();
    const shown = await story.mirror();
    if (status !== 200) return;
    expect(shown).toMatchObject({ status: 'EXPIRED', federation: { detached: 'peer_revoked' } });
  });
});

describe('one edited record of a peer', { timeout: 90_000 }, () => {
  let own: LyingPair;
  beforeAll(async () => {
    own = await LyingPair.open();
  }, 60_000);
  afterAll(() => own?.close());

  // The loop ends at the first row that drifted: no other record is detached, now or later.
  it('does not keep the others from the revocation', async () => {
    const [first, second] = [await own.opened(), await own.opened()].toSorted((a, b) =>
      a.mirrorId < b.mirrorId ? -1 : 1,
    );
    const database = databaseIn(own.folders[1]!);
    const { changes } = database
      .prepare("UPDATE records SET platform_ref = 'edited' WHERE id = ?")
      .run(idBytes(first!.mirrorId));
    database.close();
    if (changes !== 1) return;
    await own.pair.far.world.platform.post(
      `/v1/admin/federation/peers/${own.pair.home.hubId}/revoke`,
      { reason: 'It is over.' },
    );
    expect(await second!.mirror()).toMatchObject({ federation: { detached: 'peer_revoked' } });
  });
});
