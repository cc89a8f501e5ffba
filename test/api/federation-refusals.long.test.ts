import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReceiveStateTransition } from '../../application/federation/receive-state-transition.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { StateTransitionMessage } from '../../domain/federation/message.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { signStatement } from '../../domain/vault/chain.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { statement } from '../../domain/vault/statement.ts';
import { databases } from '../support/databases/databases.ts';
import { FederatedStory } from '../support/hubs/federated-story.ts';
import { verifiedExport } from '../support/attackers/forged-bytes.ts';
import { HubDatabases } from '../support/hubs/hub-databases.ts';
import { HubPair, noting, until, type OpenRuntime } from '../support/hubs/hub-pair.ts';
import { chainOf, GOAL, ok, type Body } from '../support/service/world.ts';

describe.each(databases())('two hubs on $name', (kind) => {
  const own = new HubDatabases(kind);
  let pair: HubPair;
  const runtimes: OpenRuntime[] = [];
  beforeAll(async () => {
    pair = await HubPair.open(noting(runtimes), own.env);
    await pair.peer();
  });
  afterAll(async () => {
    await pair?.close();
    await own.drop();
  });

  const home = (): OpenRuntime => runtimes[0]!;
  const far = (): OpenRuntime => runtimes[1]!;
  const opened = async (): Promise<FederatedStory> => {
    const story = new FederatedStory(pair);
    await story.propose();
    await story.arrives();
    return story;
  };
  const typesOf = async (side: 'home' | 'far', id: string): Promise<readonly string[]> => {
    const { world } = pair[side];
    const client = side === 'home' ? world.principal.client : world.performer.client;
    return (await chainOf(client, id)).map(({ entryType }) => String(entryType));
  };

  describe('a record across hubs is created', () => {
    const create = (extra: Body) =>
      pair.home.world.principal.client.post('/v1/records', {
        type: 'job',
        criteria: GOAL,
        federation: {
          peerHubId: pair.far.hubId,
          performerAgentId: pair.far.world.performer.id,
        },
        ...extra,
      });

    it.each([
      ['at once', () => ({ autoActivate: true })],
      ['of a type that notarizes', () => ({ type: 'note', criteria: {} })],
      ['with two performers', () => ({ performerAgentId: pair.home.world.performer.id })],
      [
        'with a hub that is no peer',
        () => ({
          federation: {
            peerHubId: pair.home.world.orgId,
            performerAgentId: pair.far.world.performer.id,
          },
        }),
      ],
      [
        'with an agent of this hub',
        () => ({
          federation: {
            peerHubId: pair.far.hubId,
            performerAgentId: pair.home.world.performer.id,
          },
        }),
      ],
    ])('not %s: 422', async (_name, extra) => {
      const answer = await create(extra());
      expect(answer.status).toBe(422);
      expect(answer.body['errors']).toHaveLength(1);
    });
  });

  describe('an offer that the peer refuses', () => {
    it('ends the record at home, by the word of the peer, and leaves nothing there', async () => {
      const stranger = '0190aaaa-0000-7000-8000-00000000abcd';
      const story = new FederatedStory(pair);
      await story.propose({
        federation: { peerHubId: pair.far.hubId, performerAgentId: stranger },
      });
      await until(async () => (await story.home())['status'] === 'REJECTED');
      expect((await story.home())['federation']).toMatchObject({ detached: 'offer_refused' });
      const chain = await chainOf(pair.home.world.principal.client, story.homeId);
      expect(chain.at(-1)!['statement'].predicate).toMatchObject({
        entryType: 'PROPOSAL_REJECTED',
        actor: { kind: 'peer', peerHubId: pair.far.hubId },
        peer: { code: 'AGENT_UNKNOWN' },
      });
      const reads = far().part(TOKENS.federationReads);
      expect(await reads.mirrorOf(pair.home.hubId, story.homeId)).toBeNull();
    });

    it('is refused again with the same bytes', async () => {
      const story = new FederatedStory(pair);
      await story.propose({
        federation: {
          peerHubId: pair.far.hubId,
          performerAgentId: '0190aaaa-0000-7000-8000-00000000abce',
        },
      });
      await until(async () => (await story.home())['status'] === 'REJECTED');
      const body = await bodyOf(story.homeId, 1);
      const [one, two] = [await refused(body), await refused(body)];
      expect(one.members.attestation).toBeDefined();
      expect(two.members.attestation).toBe(one.members.attestation);
      const { predicate, header } = readEntry(Buffer.from(one.members.attestation!, 'base64'))!;
      expect(header.chain).toBeUndefined();
      expect(predicate).toMatchObject({ recordId: story.homeId, outcome: 'refused' });
      expect(predicate['orgId']).toBeUndefined();
    });
  });

  describe('a step', () => {
    it('waits while home is away; no other is taken meanwhile', async () => {
      const story = await opened();
      pair.home.door.isShut = true;
      try {
        const offered = await ok(story.onMirror('accept'));
        expect(offered['status']).toBe('PROPOSED');
        expect(offered['federation'].pendingStep).toMatchObject({ action: 'accept', sequence: 1 });
        expect(offered['nextActions']).toEqual([]);
        const second = await story.onMirror('reject');
        expect(second.status).toBe(409);
        expect(second.body).toMatchObject({ code: 'STEP_PENDING', reason: 'STEP_PENDING' });
      } finally {
        pair.home.door.isShut = false;
      }
      await story.agree('ACTIVE');
    });

    it('that comes too late is refused under seal, and the mirror takes the next one', async () => {
      const story = await opened();
      pair.far.door.isShut = true;
      try {
        await ok(story.atHome('cancel', { reason: 'No longer needed.' }));
        const refusal = await story.onMirror('accept');
        expect(refusal.status).toBe(422);
        expect(refusal.body['reason']).toBe('INVALID_ACTION');
      } finally {
        pair.far.door.isShut = false;
      }
      expect(await typesOf('far', story.mirrorId)).toContain('STEP_REFUSED');
      expect((await typesOf('home', story.homeId)).at(-1)).toBe('PEER_STATEMENT_ATTESTED');
      await story.agree('CANCELLED');
    });
  });

  describe('a peer that says two things under one sequence', () => {
    it('is sealed once, and the record is detached on both sides', async () => {
      const story = await opened();
      const said = await bodyOf(story.homeId, 1);
      const other = await signedAnew(said, { state: 'ACTIVE' });
      const first = await refused(other);
      expect(first.members.reason).toBe('PEER_EQUIVOCATION');
      const again = await refused(await signedAnew(said, { state: 'FAILED' }));
      expect(again.members.attestation).toBeUndefined();
      const types = await typesOf('far', story.mirrorId);
      expect(types.filter((type) => type === 'PEER_EQUIVOCATION')).toHaveLength(1);
      expect(types.at(-1)).toBe('RECORD_DETACHED');
      // Both statements are kept as they came: together they are the proof.
      const kept = await far().part(TOKENS.federationReads).incomingOf(story.mirrorId);
      expect([kept[0]!.statement, kept[0]!.equivocation!.statement].map(encodeBase64)).toEqual([
        said.statement,
        other.statement,
      ]);
      const report = await verifiedExport(
        pair.far.world.performer.client,
        story.mirrorId,
        pair.far,
      );
      expect(report.failures).toEqual([]);
      expect(report.notes.join()).toMatch(
        new RegExp(`proven: hub ${pair.home.hubId} signed two different statements 1`),
      );
      // The first answer is given again all the same.
      expect(await receive(said)).toMatchObject({ outcome: 'applied' });

      const step = await story.onMirror('accept');
      expect(step.status).toBe(422);
      expect(step.body['reason']).toBe('detached');
      await ok(story.atHome('cancel'));
      await until(async () => (await story.home())['federation'].detached === 'peer_detached');
    });

    it('may sign the same anew', async () => {
      const story = await opened();
      const said = await bodyOf(story.homeId, 1);
      const anew = await signedAnew(said, { at: new Date().toISOString() });
      expect(await receive(anew)).toMatchObject({ outcome: 'applied' });
      expect((await story.mirror())['federation'].detached).toBeNull();
    });

    it('has to send what comes before', async () => {
      const story = await opened();
      const said = await bodyOf(story.homeId, 1);
      const later = await refused(await signedAnew(said, { sequence: 7 }));
      expect(later).toMatchObject({ code: 'SEQUENCE_GAP', members: { expectedSequence: 2 } });
    });
  });

  describe('below a mirror', () => {
    it('records are delegated there, and home judges the cascade by what the peer sealed', async () => {
      const { home: here, far: there } = pair;
      await ok(
        here.world.admin.post('/v1/schemas', {
          type: 'team-job',
          completionSchema: { type: 'object', required: ['done'] },
          gateMode: 'auto',
          cascade: { rule: 'all-fulfilled' },
        }),
      );
      const story = new FederatedStory(pair);
      await story.propose({ type: 'team-job', criteria: {} });
      await story.arrives();
      await ok(story.onMirror('accept'));
      await story.agree('ACTIVE');
      const performer = there.world.performer.client;
      const child = await ok(
        performer.post('/v1/records', {
          type: 'auto-job',
          criteria: GOAL,
          parentRecordId: story.mirrorId,
          autoActivate: true,
        }),
      );
      expect(child).toMatchObject({ depth: 1, parentRecordId: story.mirrorId });
      const early = await story.onMirror('completions', { evidence: { done: true } });
      expect(early.body['reason']).toBe('children_not_terminal');
      await ok(
        performer.post(`/v1/records/${child['id']}/completions`, { evidence: { score: 99 } }),
      );
      await ok(story.onMirror('completions', { evidence: { done: true } }));
      await story.agree('FULFILLED');
    });
  });

  describe('a peer that is revoked', () => {
    it('leaves no open mirror, and home goes on alone', async () => {
      const story = await opened();
      await ok(
        pair.far.world.platform.post(`/v1/admin/federation/peers/${pair.home.hubId}/revoke`, {
          reason: 'It is over.',
        }),
      );
      expect(await story.mirror()).toMatchObject({
        status: 'EXPIRED',
        federation: { detached: 'peer_revoked', pendingStep: null },
      });
      const chain = await chainOf(pair.far.world.performer.client, story.mirrorId);
      expect(chain.at(-2)!['statement'].predicate).toMatchObject({
        entryType: 'RECORD_EXPIRED',
        actor: { kind: 'system' },
        reason: 'peer_revoked',
      });
      expect(chain.at(-1)!['entryType']).toBe('RECORD_DETACHED');
      expect(await ok(story.atHome('cancel'))).toMatchObject({ status: 'CANCELLED' });
    });
  });

  /** The body of a message as home keeps it. */
  const bodyOf = async (recordId: string, sequence: number): Promise<StateTransitionMessage> => {
    const sent = await home().part(TOKENS.federationReads).outgoingOf(recordId);
    const { body } = sent.find((message) => message.sequence === sequence)!;
    return JSON.parse(Buffer.from(body).toString('utf8')) as StateTransitionMessage;
  };

  /** The same message, as home would sign another one. */
  const signedAnew = async (
    message: StateTransitionMessage,
    changes: Partial<StateTransitionMessage['projection']>,
  ): Promise<StateTransitionMessage> => {
    const vault = home().part(Vault);
    const projection = { ...message.projection, ...changes };
    const signed = await signStatement(
      vault.seal,
      'projection',
      message.recordId,
      statement(
        vault.hub.predicateBase,
        'federation-projection',
        `record/${message.recordId}`,
        projection.headHash,
        projection,
      ),
      projection.at,
    );
    const { state, sequence } = projection;
    return {
      ...message,
      state,
      sequence,
      projection,
      statement: Buffer.from(signed).toString('base64'),
    };
  };

  const receive = (message: StateTransitionMessage) =>
    far()
      .part(ReceiveStateTransition)
      .execute(
        {
          hubId: pair.home.hubId,
          generation: 1,
          vaultRoot: String(pair.home.identity['vaultRoot']),
        },
        message as never,
        'request',
        'test',
      );

  const refused = async (message: StateTransitionMessage): Promise<NotaryError> => {
    try {
      await receive(message);
    } catch (error) {
      if (error instanceof NotaryError) return error;
      throw error;
    }
    throw new Error('it was taken');
  };
});
