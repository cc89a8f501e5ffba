import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HubKeys } from '../../application/federation/hub-keys.ts';
import { TakeAnswer } from '../../application/federation/take-answer.ts';
import { Vault } from '../../application/vault/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import { PEER_PATHS, signInput } from '../../domain/federation/request-signature.ts';
import { counterAttestationStatement } from '../../domain/record/record-statement.ts';
import { sealEntry, signStatement } from '../../domain/vault/chain.ts';
import { FederatedStory } from '../support/federated-story.ts';
import { until } from '../support/hub-pair.ts';
import { LyingHub } from '../support/lying-hub.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { Stranger } from '../support/stranger.ts';
import { ok, type Body } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

/** An offer that was not delivered: its body, as home signed it. */
const heldOffer = async (): Promise<{ readonly story: FederatedStory; readonly body: Buffer }> => {
  const story = new FederatedStory(hubs.pair);
  hubs.pair.far.door.isShut = true;
  await story.propose();
  const [offer] = await hubs.home[0].part(TOKENS.federationReads).outgoingOf(story.homeId);
  return { story, body: Buffer.from(offer!.body) };
};

describe('a mirror that lies to home', { timeout: 60_000 }, () => {
  it('does not attest what home never sent', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingMirror(story);
    const { orgId } = hubs.pair.far.world;
    for (const sequence of [2, 3, 4])
      await liar.seal('counter-attestation', {
        entryType: 'PEER_STATEMENT_ATTESTED',
        requestId: randomUUID(),
        actor: { kind: 'system' },
        recordId: story.mirrorId,
        orgId,
        peerHubId: hubs.pair.home.hubId,
        sequence,
        statementHash: 'ab'.repeat(32),
        outcome: 'refused',
        code: 'NEVER',
      });
    await liar.say('STEP_OFFERED', ['accept', 'PROPOSED', 'PROPOSED'], {
      actor: hubs.performerActor,
    });
    const answer = await liar.send(await liar.message({ action: 'accept', state: 'ACTIVE' }));
    expect(answer.status).toBe(422);
  });

  it('does not tell of an act of home that home never told', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingMirror(story);
    await liar.say('REFERENCE_ADDED', ['add-reference', 'PROPOSED', 'PROPOSED'], {
      actor: { kind: 'peer', peerHubId: hubs.pair.home.hubId },
      reference: {
        id: randomUUID(),
        kind: 'document',
        uri: 'https://files.example/1',
        digest: null,
        label: null,
      },
    });
    await liar.say('STEP_OFFERED', ['accept', 'PROPOSED', 'PROPOSED'], {
      actor: hubs.performerActor,
      reference: undefined,
    });
    const answer = await liar.send(await liar.message({ action: 'accept', state: 'ACTIVE' }));
    expect([answer.status, answer.body['reason']]).toEqual([422, 'BROKEN']);
    expect(answer.body['detail']).toContain('by the word of home');
    expect((await story.home())['status']).toBe('PROPOSED');
  });

  it('does not offer a step in the year 2999', async () => {
    const story = await hubs.opened();
    const liar = await hubs.lyingMirror(story);
    await liar.say('STEP_OFFERED', ['accept', 'PROPOSED', 'PROPOSED'], {
      actor: hubs.performerActor,
      at: '2999-01-01T00:00:00.000Z',
    });
    const answer = await liar.send(await liar.message({ action: 'accept', state: 'ACTIVE' }));
    expect(answer.status).toBe(422);
  });

  it('does not name an org of home as the one of the performer', async () => {
    const { story } = await heldOffer();
    try {
      const [offer] = await hubs.home[0].part(TOKENS.federationReads).outgoingOf(story.homeId);
      const vault = hubs.far[0].part(Vault);
      const at = new Date().toISOString();
      const entryType = 'PEER_STATEMENT_ATTESTED';
      const { coseSign1 } = await sealEntry(
        vault.seal,
        story.homeId,
        null,
        counterAttestationStatement(vault.hub.predicateBase, {
          entryType,
          at,
          requestId: randomUUID(),
          actor: { kind: 'system' },
          recordId: story.homeId,
          orgId: hubs.pair.home.world.orgId,
          peerHubId: hubs.pair.home.hubId,
          sequence: 1,
          statementHash: offer!.statementHash,
          outcome: 'applied',
        }),
        { entryType, recordId: null, orgId: null, at, oidcIss: null, oidcSub: null },
      );
      const attestation = Buffer.from(coseSign1).toString('base64');
      const { messageId } = offer!;
      await expect(
        hubs.home[0]
          .part(TakeAnswer)
          .execute(offer!, { messageId, outcome: 'applied', attestation }, 'test'),
      ).rejects.toThrow('attestation');
    } finally {
      hubs.pair.far.door.isShut = false;
    }
  });
});

describe('a hub that turns an offer down', { timeout: 60_000 }, () => {
  it('does not keep it open by a code that no statement has room for', async () => {
    const { story } = await heldOffer();
    try {
      const [offer] = await hubs.home[0].part(TOKENS.federationReads).outgoingOf(story.homeId);
      const { seal, hub } = hubs.far[0].part(Vault);
      const at = new Date().toISOString();
      const code = 'A'.repeat(40_000);
      const signed = await signStatement(
        seal,
        'projection',
        story.homeId,
        counterAttestationStatement(hub.predicateBase, {
          entryType: 'PEER_STATEMENT_ATTESTED',
          at,
          requestId: randomUUID(),
          actor: { kind: 'system' },
          recordId: story.homeId,
          peerHubId: hubs.pair.home.hubId,
          sequence: 1,
          statementHash: offer!.statementHash,
          outcome: 'refused',
          code,
        }),
        at,
      );
      const attestation = Buffer.from(signed).toString('base64');
      const refusal = { outcome: 'refused', attestation, code: 'X', detail: '' } as const;
      await hubs.home[0]
        .part(TakeAnswer)
        .execute(offer!, { ...refusal, currentState: null, attemptedState: null }, 'test')
        .catch(() => undefined);
      expect((await story.home())['status']).toBe('REJECTED');
    } finally {
      hubs.pair.far.door.isShut = false;
    }
  });
});

describe('who sends an offer', { timeout: 60_000 }, () => {
  it('gets no 500 where it comes twice at once', async () => {
    const { story, body } = await heldOffer();
    const liar = await LyingHub.on(hubs.home, hubs.far, story.homeId);
    hubs.pair.far.door.isShut = false;
    const message = JSON.parse(body.toString('utf8')) as never;
    const answers = await Promise.all(Array.from({ length: 6 }, () => liar.send(message)));
    expect(answers.map(({ status }) => status)).not.toContain(500);
  });
});

describe('somebody who writes the database', { timeout: 60_000 }, () => {
  it('gives a record no second mirror', async () => {
    const story = await hubs.opened();
    const liar = await LyingHub.on(hubs.home, hubs.far, story.homeId);
    const [offer] = await hubs.home[0].part(TOKENS.federationReads).outgoingOf(story.homeId);
    hubs.edit('DELETE FROM federation_mirrors WHERE record_id = ?', story.mirrorId);
    await liar.send(JSON.parse(Buffer.from(offer!.body).toString('utf8')) as never);
    expect(await hubs.mirrorsOf(story.homeId)).toHaveLength(1);
  });

  it('gives a record no second mirror where its offer is signed anew', async () => {
    const story = await hubs.opened();
    const liar = await LyingHub.on(hubs.home, hubs.far, story.homeId);
    hubs.edit('DELETE FROM federation_mirrors WHERE record_id = ?', story.mirrorId);
    const answer = await liar.send(await liar.signedAnew(liar.first));
    expect(answer).toMatchObject({ status: 409, body: { reason: 'payload_drift' } });
    expect(await hubs.mirrorsOf(story.homeId)).toHaveLength(1);
  });

  it('stops no handshake by the row of another', async () => {
    const reached = { service: { url: hubs.pair.far.door.hub } };
    const edited = new Stranger();
    await edited.greet(reached);
    const hex = edited.hubId.replaceAll('-', '');
    hubs.edit(
      `UPDATE pending_peers SET base_url = 'https://evil.example' WHERE hub_id = x'${hex}'`,
    );
    const pendingHere = async (): Promise<readonly string[]> => {
      const { data } = await ok(
        hubs.pair.far.world.platform.get('/v1/admin/federation/peers?limit=200'),
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

  it('does not stop delivery to every peer by the row of one', async () => {
    const story = await hubs.opened();
    const other = new Stranger();
    await ok(hubs.pair.far.world.platform.post('/v1/admin/federation/peers', other.registration));
    hubs.pair.home.door.isShut = true;
    await ok(story.onMirror('accept'));
    hubs.edit(
      "UPDATE federation_peers SET base_url = 'https://evil.example' WHERE hub_id = ?",
      other.hubId,
    );
    hubs.pair.home.door.isShut = false;
    try {
      await until(async () => (await story.mirror())['status'] === 'ACTIVE', 35_000);
    } finally {
      hubs.edit('DELETE FROM federation_peers WHERE hub_id = ?', other.hubId);
    }
  });

  it('does not silence a message unseen', async () => {
    const story = await hubs.opened();
    hubs.pair.home.door.isShut = true;
    await ok(story.onMirror('accept'));
    hubs.edit('UPDATE federation_outgoing SET in_lane = NULL WHERE record_id = ?', story.mirrorId);
    hubs.pair.home.door.isShut = false;
    await until(async () => (await story.mirror())['status'] === 'ACTIVE', 20_000);
  });
});

describe('a peer that is revoked', { timeout: 60_000 }, () => {
  it('does not finish what it had begun to send', async () => {
    const { story, body } = await heldOffer();
    const [runtime] = hubs.home;
    const peer = await runtime.part(TOKENS.peerReads).find(hubs.pair.far.hubId);
    const key = await runtime.part(HubKeys).of(peer!.ownKeyThumbprint);
    const path = PEER_PATHS.stateTransitions;
    const timestamp = new Date().toISOString();
    const nonce = 'a'.repeat(30);
    const signature = Buffer.from(key.sign(signInput(path, body, timestamp, nonce)));
    const status = await new Promise<number>((resolve, reject) => {
      const asked = request(
        `${String(hubs.pair.far.door.hub)}${path}`,
        {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-length': body.length,
            'x-service-peer-hub-id': hubs.pair.home.hubId,
            'x-service-timestamp': timestamp,
            'x-service-nonce': nonce,
            'x-service-signature': signature.toString('base64'),
          },
        },
        (response) => void response.resume().on('end', () => resolve(response.statusCode!)),
      );
      asked.on('error', reject);
      asked.write(body.subarray(0, 10));
      const revoke = async (): Promise<Body> => {
        await new Promise((done) => setTimeout(done, 500));
        return ok(
          hubs.pair.far.world.platform.post(
            `/v1/admin/federation/peers/${hubs.pair.home.hubId}/revoke`,
            { reason: 'It is over.' },
          ),
        );
      };
      revoke().then(() => void asked.end(body.subarray(10)), reject);
    });
    expect([status, (await hubs.mirrorsOf(story.homeId)).length]).toEqual([401, 0]);
  });
});
