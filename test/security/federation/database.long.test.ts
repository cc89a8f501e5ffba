import { describe, expect, it } from 'vitest';
import { TOKENS } from '../../../config/tokens.ts';
import { databaseIn, idBytes } from '../../support/attackers/forged-bytes.ts';
import { LyingHub } from '../../support/attackers/lying-hub.ts';
import { useLyingPair, type LyingPair } from '../../support/attackers/lying-pair.ts';
import { until } from '../../support/hubs/hub-pair.ts';
import { Stranger } from '../../support/hubs/stranger.ts';
import { chainOf, ok, type Body } from '../../support/service/world.ts';

// The attacker can write the database of the performer's hub.
const hubs = useLyingPair();

const revoke = ({ pair: { home, far } }: LyingPair) =>
  far.world.platform.post(`/v1/admin/federation/peers/${home.hubId}/revoke`, {
    reason: 'It is over.',
  });

describe('an edited database', () => {
  it('does not give a record a second mirror', async () => {
    const story = await hubs().opened();
    const liar = await LyingHub.on(hubs().home, hubs().far, story.homeId);
    const [offer] = await hubs().home[0].part(TOKENS.federationReads).outgoingOf(story.homeId);
    hubs().edit('DELETE FROM federation_mirrors WHERE record_id = ?', story.mirrorId);
    await liar.send(JSON.parse(Buffer.from(offer!.body).toString('utf8')) as never);
    expect(await hubs().mirrorsOf(story.homeId)).toHaveLength(1);
  });

  it('does not give a record a second mirror if its offer is signed again', async () => {
    const story = await hubs().opened();
    const liar = await LyingHub.on(hubs().home, hubs().far, story.homeId);
    hubs().edit('DELETE FROM federation_mirrors WHERE record_id = ?', story.mirrorId);
    const answer = await liar.send(await liar.signedAnew(liar.first));
    expect(answer).toMatchObject({ status: 409, body: { reason: 'payload_drift' } });
    expect(await hubs().mirrorsOf(story.homeId)).toHaveLength(1);
  });

  it('does not block a handshake with the row of another stranger', async () => {
    const reached = { service: { url: hubs().pair.far.door.hub } };
    const edited = new Stranger();
    await edited.greet(reached);
    const hex = edited.hubId.replaceAll('-', '');
    hubs().edit(
      `UPDATE pending_peers SET base_url = 'https://evil.example' WHERE hub_id = x'${hex}'`,
    );
    const pendingHere = async (): Promise<readonly string[]> => {
      const { data } = await ok(
        hubs().pair.far.world.platform.get('/v1/admin/federation/peers?limit=200'),
      );
      return (data as Body[])
        .filter(({ status }) => status === 'PENDING')
        .map(({ hubId }) => hubId);
    };
    expect(await pendingHere()).not.toContain(edited.hubId);
    const other = new Stranger();
    expect((await other.greet(reached)).status).toBe(200);
    expect(await pendingHere()).toContain(other.hubId);
    expect((await edited.greet(reached)).status).toBe(200);
    expect(await pendingHere()).toContain(edited.hubId);
  });

  it('does not stop delivery to all peers with the row of one', async () => {
    const story = await hubs().opened();
    const other = new Stranger();
    await ok(hubs().pair.far.world.platform.post('/v1/admin/federation/peers', other.registration));
    await hubs().whileHomeIsUnreachable(async () => {
      await ok(story.onMirror('accept'));
      hubs().edit(
        "UPDATE federation_peers SET base_url = 'https://evil.example' WHERE hub_id = ?",
        other.hubId,
      );
    });
    try {
      await until(async () => (await story.mirror())['status'] === 'ACTIVE', 60_000);
    } finally {
      hubs().edit('DELETE FROM federation_peers WHERE hub_id = ?', other.hubId);
    }
  });

  it('does not suppress a message', async () => {
    const story = await hubs().opened();
    await hubs().whileHomeIsUnreachable(async () => {
      await ok(story.onMirror('accept'));
      hubs().edit(
        'UPDATE federation_outgoing SET in_lane = NULL WHERE record_id = ?',
        story.mirrorId,
      );
    });
    await until(async () => (await story.mirror())['status'] === 'ACTIVE', 60_000);
  });

  // The MAC of the old row is valid. A second STEP_REFUSED would make the export INVALID.
  it('does not make the hub take one answer of home twice', async () => {
    const story = await hubs().opened();
    const database = databaseIn(hubs().folders[1]!);
    try {
      hubs().pair.home.door.isShut = true;
      const reference = { kind: 'document', uri: 'https://files.example/1' };
      await ok(story.atHome('references', reference));
      await story.onMirror('references', reference);
      const ofMirror = idBytes(story.mirrorId);
      const row = database
        .prepare(
          'SELECT outcome, attestation, answered_at, in_lane, row_key, row_mac FROM federation_outgoing WHERE record_id = ?',
        )
        .get(ofMirror)!;
      hubs().pair.home.door.isShut = false;
      await until(async () => (await story.mirror())['federation'].pendingStep === null, 60_000);
      const refusals = async () =>
        (await chainOf(hubs().performer, story.mirrorId)).filter(
          ({ entryType }) => entryType === 'STEP_REFUSED',
        ).length;
      expect(await refusals()).toBe(1);
      database
        .prepare(
          'UPDATE federation_outgoing SET outcome = ?, attestation = ?, answered_at = ?, in_lane = ?, row_key = ?, row_mac = ? WHERE record_id = ?',
        )
        .run(...Object.values(row), ofMirror);
      await new Promise((done) => setTimeout(done, 12_000));
      expect(await refusals()).toBe(1);
    } finally {
      hubs().pair.home.door.isShut = false;
      database.close();
    }
  });
});

// Each of these tests revokes the peer, so they come last.
describe('an edited record of a peer that is revoked', () => {
  it('does not hide a record from the revocation with white space', async () => {
    const story = await hubs().opened();
    const database = databaseIn(hubs().folders[1]!);
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
    const { status } = await revoke(hubs());
    const view = await story.mirror();
    if (status !== 200) return;
    expect(view).toMatchObject({ status: 'EXPIRED', federation: { detached: 'peer_revoked' } });
  });

  describe('among others', () => {
    // The peer of the shared pair is revoked already.
    const hubs = useLyingPair();

    // The loop must not end at the first row that differs from its MAC.
    it('does not protect the other records from the revocation', async () => {
      const [first, second] = [await hubs().opened(), await hubs().opened()].toSorted((a, b) =>
        a.mirrorId < b.mirrorId ? -1 : 1,
      );
      const database = databaseIn(hubs().folders[1]!);
      const { changes } = database
        .prepare("UPDATE records SET platform_ref = 'edited' WHERE id = ?")
        .run(idBytes(first!.mirrorId));
      database.close();
      if (changes !== 1) return;
      await revoke(hubs());
      expect(await second!.mirror()).toMatchObject({ federation: { detached: 'peer_revoked' } });
    });
  });
});
