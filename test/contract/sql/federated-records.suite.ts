import { describe, expect, it } from 'vitest';
import { DuplicateError, type Stores } from '../../../application/ports/unit-of-work.port.ts';
import type { FederationState } from '../../../domain/record/federated-record.ts';
import type {
  IncomingMessage,
  OutgoingMessage,
} from '../../../domain/federation/federation-store.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, bytes, hex, sampleRecord, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/federation/federation-store.port.ts
// Contract of application/sharing/outgoing.port.ts

export const federatedRecordsSuite = (kind: DatabaseKind): void => {
  describe(`records across hubs on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const write = <T>(work: (stores: Stores) => Promise<T>): Promise<T> =>
      database().adapter.unitOfWork.transaction(work);
    const reads = () => database().adapter.reads.federation;

    const federation = (changes: Partial<FederationState> = {}): FederationState => ({
      role: 'home',
      peerHubId: uuid(),
      recordId: null,
      sent: 0,
      received: 0,
      applied: 0,
      refusedSteps: 0,
      pendingStep: null,
      ...changes,
      detached: changes.detached ?? null,
    });
    /** As records write them: the registration before the reason. */
    const orderly = (generation: number, detached: FederationState['detached'] = null) => ({
      generation,
      detached,
    });
    const record = async (state: FederationState, extra = {}) => {
      const made = sampleRecord({ federation: state, ...extra });
      await write((stores) => stores.records.insert(made));
      return made;
    };
    const outgoing = (recordId: string, peerHubId: string, sequence: number): OutgoingMessage => ({
      messageId: uuid(),
      recordId,
      peerHubId,
      sequence,
      route: sequence === 2 ? 'signals' : 'state-transitions',
      body: new TextEncoder().encode(`{"sequence":${sequence}}`),
      statementHash: hex(`statement ${sequence}`),
      position: sequence,
      queuedAt: at(sequence),
      former: [],
      answer: null,
    });
    const incoming = (recordId: string, peerHubId: string, sequence: number): IncomingMessage => ({
      messageId: uuid(),
      recordId,
      peerHubId,
      sequence,
      route: 'state-transitions',
      statement: bytes(`statement ${sequence} of ${recordId}`),
      payloadHash: hex(`payload ${sequence}`),
      entries: [bytes('one'), bytes('two')],
      outcome: sequence === 2 ? 'refused' : 'applied',
      attestation: bytes(`attestation ${sequence}`),
      refusal:
        sequence === 2
          ? { code: 'BROKEN', detail: 'It is.', currentState: 'ACTIVE', attemptedState: null }
          : null,
      receivedAt: at(sequence),
      equivocation: null,
    });

    it('keeps the federated half of a record as it was written', async () => {
      const pendingStep = { action: 'accept', sequence: 3, since: at(1) };
      const { id, ...rest } = await record(federation({ role: 'mirror', recordId: uuid() }));
      await write(async ({ records }) => {
        const locked = (await records.lock(id))!.record;
        expect(locked.federation).toEqual(rest.federation);
        const next = { ...locked.federation!, pendingStep, sent: 3 };
        await records.update({ ...locked, federation: next, version: locked.version + 1 }, locked);
      });
      const found = await database().adapter.reads.records.find(id);
      expect(found!.record.federation).toEqual({ ...rest.federation, pendingStep, sent: 3 });
    });

    it('a lane: what waits, in order, until it is answered or nobody is told any more', async () => {
      const state = federation();
      const { id } = await record(state);
      const lane = { recordId: id, peerHubId: state.peerHubId };
      const messages = [1, 2, 3].map((sequence) => outgoing(id, state.peerHubId, sequence));
      await write(async (stores) => {
        for (const message of messages) await stores.federation.queue(message);
      });
      expect(await reads().head(lane)).toEqual(messages[0]);
      expect(await reads().after(lane, 1, 9)).toEqual(messages.slice(1));
      expect(await reads().after(lane, 0, 2)).toEqual(messages.slice(0, 2));
      expect(await reads().lanes(null, 500)).toContainEqual(lane);

      const answer = {
        outcome: 'applied',
        attestation: bytes('attestation'),
        answeredAt: at(9),
      } as const;
      await write((stores) => stores.federation.answered(messages[0]!.messageId, answer));
      expect(await reads().head(lane)).toEqual(messages[1]);
      expect(await reads().at(lane, 1)).toEqual({ ...messages[0], answer });
      expect(await reads().outgoingOf(id)).toEqual([
        { ...messages[0], answer },
        ...messages.slice(1),
      ]);
      await write(async (stores) => {
        expect(await stores.federation.outgoing(id, 1)).toEqual({ ...messages[0], answer });
        expect(await stores.federation.outgoing(id, 4)).toBeNull();
        expect(
          (await stores.federation.outgoingDown(id, 3, 2)).map(({ sequence }) => sequence),
        ).toEqual([3, 2]);
        await stores.federation.silence(id);
      });
      expect(await reads().head(lane)).toBeNull();
      expect(await reads().lanes(null, 500)).not.toContainEqual(lane);
    });

    it('what waits and is in no lane is found, page by page, and put back', async () => {
      const peers = new Map<string, string>();
      for (const _ of [1, 2, 3]) {
        const state = federation();
        const { id } = await record(state);
        peers.set(id, state.peerHubId);
        await write(async (stores) => {
          await stores.federation.queue(outgoing(id, state.peerHubId, 1));
          await stores.federation.queue(outgoing(id, state.peerHubId, 2));
        });
      }
      const [answered, taken, moved] = [...peers.keys()].sort() as [string, string, string];
      const { messageId } = (await reads().outgoingOf(answered))[0]!;
      const answer = { outcome: 'applied', attestation: bytes('one'), answeredAt: at(9) } as const;
      await write((stores) => stores.federation.answered(messageId, answer));
      const hexOf = (id: string): string => id.replaceAll('-', '');
      await database().raw(
        `UPDATE federation_outgoing SET in_lane = NULL WHERE record_id = x'${hexOf(taken)}' AND sequence = 2`,
      );
      await database().raw(
        `UPDATE federation_outgoing SET in_lane = 'gone' WHERE record_id = x'${hexOf(moved)}'`,
      );
      const found: string[] = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<ReturnType<typeof reads>['outOfLane']>> =
          await reads().outOfLane(after, 2);
        found.push(...page.recordIds.filter((id) => peers.has(id)));
        after = page.next;
      } while (after !== null);
      expect(found).toEqual([taken, moved]);
      expect(await write((stores) => stores.federation.rejoin(taken))).toBe(1);
      expect(await write((stores) => stores.federation.rejoin(moved))).toBe(2);
      expect(await write((stores) => stores.federation.rejoin(answered))).toBe(0);
      const sequences = async (id: string, peerHubId = peers.get(id)!) =>
        (await reads().after({ recordId: id, peerHubId }, 0, 9)).map(({ sequence }) => sequence);
      expect(await Promise.all([answered, taken, moved].map((id) => sequences(id)))).toEqual([
        [2],
        [1, 2],
        [1, 2],
      ]);
      // A lane is that of its peer.
      expect(await sequences(moved, uuid())).toEqual([]);
    });

    it('an attestation may be as long as a statement of a peer', async () => {
      const state = federation();
      const { id } = await record(state);
      const message = outgoing(id, state.peerHubId, 1);
      const answer = {
        outcome: 'applied' as const,
        attestation: new Uint8Array(65_536 + 1_024).fill(7),
        answeredAt: at(2),
      };
      await write(async (stores) => {
        await stores.federation.queue(message);
        await stores.federation.answered(message.messageId, answer);
      });
      const kept = await write((stores) => stores.federation.outgoing(id, 1));
      expect(kept?.answer?.attestation).toEqual(answer.attestation);
    });

    it('a sequence stands once in each direction', async () => {
      const state = federation();
      const { id } = await record(state);
      await write(async (stores) => {
        await stores.federation.queue(outgoing(id, state.peerHubId, 1));
        await stores.federation.keep(incoming(id, state.peerHubId, 1));
      });
      await expect(
        write((stores) => stores.federation.queue(outgoing(id, state.peerHubId, 1))),
      ).rejects.toBeInstanceOf(DuplicateError);
      await expect(
        write((stores) => stores.federation.keep(incoming(id, state.peerHubId, 1))),
      ).rejects.toBeInstanceOf(DuplicateError);
    });

    it('what was received is found by its sequence, with all that it brought', async () => {
      const state = federation();
      const { id } = await record(state);
      const kept = [1, 2, 3].map((sequence) => incoming(id, state.peerHubId, sequence));
      await write(async (stores) => {
        for (const message of kept) await stores.federation.keep(message);
      });
      expect(await reads().incomingOf(id)).toEqual(kept);
      await write(async (stores) => {
        expect(await stores.federation.incoming(id, 2)).toEqual(kept[1]);
        expect(await stores.federation.incoming(id, 4)).toBeNull();
        expect(await stores.federation.incomingDown(id, 2, 9)).toEqual([kept[1], kept[0]]);
      });
    });

    it('a second statement of a sequence is kept beside the first, and goes with it', async () => {
      const state = federation();
      const { id } = await record(state);
      const first = incoming(id, state.peerHubId, 1);
      const second = { statement: bytes('other'), attestation: bytes('equivocation') };
      await write(({ federation: store }) => store.keep(first));
      await write(({ federation: store }) => store.equivocated(id, 1, second));
      expect(await reads().incomingOf(id)).toEqual([{ ...first, equivocation: second }]);
      await expect(
        write(({ federation: store }) => store.equivocated(id, 2, second)),
      ).rejects.toMatchObject({ code: 'CONFLICT', members: { reason: 'payload_drift' } });
      await database().raw(
        `UPDATE federation_incoming SET equivocation = NULL WHERE record_id = x'${id.replaceAll('-', '')}'`,
      );
      await expect(reads().incomingOf(id)).rejects.toMatchObject({
        members: { reason: 'payload_drift' },
      });
    });

    it('a record of a peer has one mirror', async () => {
      const peerHubId = uuid();
      const homeRecordId = uuid();
      const { id } = await record(
        federation({ role: 'mirror', peerHubId, recordId: homeRecordId }),
      );
      const mirror = { recordId: id, peerHubId, homeRecordId, manifest: '{"type":"job"}' };
      await write((stores) => stores.federation.follow(mirror));
      expect(await reads().mirror(id)).toEqual(mirror);
      expect(await reads().mirrorOf(peerHubId, homeRecordId)).toBe(id);
      expect(await reads().mirrorOf(uuid(), homeRecordId)).toBeNull();
      const other = await record(federation({ role: 'mirror', peerHubId, recordId: homeRecordId }));
      await expect(
        write((stores) => stores.federation.follow({ ...mirror, recordId: other.id })),
      ).rejects.toBeInstanceOf(DuplicateError);
    });

    it('what a peer has to do with: its mirrors here, and the records that it has mirrors of', async () => {
      const peerHubId = uuid();
      const homeRecordId = uuid();
      const mirror = await record(
        federation({ role: 'mirror', peerHubId, recordId: homeRecordId }),
      );
      const home = await record(federation({ peerHubId }));
      const over = await record(federation({ peerHubId, detached: 'equivocation' }));
      await write(async (stores) => {
        const follows = { recordId: mirror.id, peerHubId, homeRecordId, manifest: '{}' };
        await stores.federation.follow(follows);
        for (const { id } of [home, over])
          await stores.federation.queue(outgoing(id, peerHubId, 1));
      });
      expect(await reads().attachedTo(peerHubId, null, null, 9)).toEqual(
        [mirror.id, home.id].sort(),
      );
      expect(
        await reads().attachedTo(peerHubId, null, [mirror.id, home.id].sort()[0]!, 9),
      ).toHaveLength(1);
      expect(await reads().attachedTo(uuid(), null, null, 9)).toEqual([]);
    });

    it('what was shared under a former registration of a peer', async () => {
      const peerHubId = uuid();
      const shared = async (changes: Partial<FederationState>) => {
        const { detached = null, ...rest } = changes;
        const { id } = await record(federation({ peerHubId, ...rest, detached }));
        await write((stores) => stores.federation.queue(outgoing(id, peerHubId, 1)));
        return id;
      };
      const first = await shared(orderly(1));
      const second = await shared(orderly(2));
      const eleventh = await shared(orderly(11));
      await shared(orderly(1, 'broken'));
      const unknown = await shared({});
      expect(await reads().attachedTo(peerHubId, 2, null, 9)).toEqual([first, eleventh].sort());
      expect(await reads().attachedTo(peerHubId, null, null, 9)).toEqual(
        [first, second, eleventh, unknown].sort(),
      );
    });

    it('a mirror is found by its own record where the row that says so is gone', async () => {
      const peerHubId = uuid();
      const homeRecordId = uuid();
      const { id } = await record(
        federation({ role: 'mirror', peerHubId, recordId: homeRecordId }),
      );
      await expect(reads().mirrorOf(peerHubId, homeRecordId)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(id),
      });
      await expect(
        write((stores) => stores.federation.mirrorOf(peerHubId, homeRecordId)),
      ).rejects.toMatchObject({ code: 'CONFLICT' });
      await record(federation({ role: 'home', peerHubId, recordId: uuid() }));
      expect(await reads().mirrorOf(peerHubId, uuid())).toBeNull();
    });

    it('a row that somebody else wrote is not believed', async () => {
      const state = federation();
      const { id } = await record(state);
      await write((stores) => stores.federation.queue(outgoing(id, state.peerHubId, 1)));
      await database().raw(
        "UPDATE federation_outgoing SET statement_hash = x'" + '00'.repeat(32) + "'",
      );
      await expect(reads().outgoingOf(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('no deadline of a mirror is due: home decides by its clock', async () => {
      const past = at(-1_000_000);
      const open = { status: 'ACTIVE', terminalAt: null, expiresAt: past } as const;
      const mirror = await record(federation({ role: 'mirror', recordId: uuid() }), open);
      const home = await record(federation(), open);
      const due = await database().adapter.reads.records.due(1_000);
      expect(due).toContain(home.id);
      expect(due).not.toContain(mirror.id);
      const { records } = database().adapter.reads;
      const filter = { reader: null, sort: '-createdAt' } as const;
      const slice = { limit: 200, cursor: null };
      const idsOf = async (status: 'ACTIVE' | 'EXPIRED') =>
        (await records.list({ ...filter, status }, slice as never)).rows.map(({ id }) => id);
      expect(await idsOf('ACTIVE')).toContain(mirror.id);
      expect(await idsOf('EXPIRED')).toContain(home.id);
      expect(await idsOf('EXPIRED')).not.toContain(mirror.id);
    });
  });
};
