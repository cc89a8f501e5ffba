import { describe, expect, it } from 'vitest';
import { CLOSED } from '../../../domain/delivery/circuit.ts';
import { deadLetterOf, type Delivery, type Queued } from '../../../domain/delivery/delivery.ts';
import type { Subscription } from '../../../domain/delivery/subscription.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, bytes, hex, sampleOrg, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

/** Contract of domain/delivery/webhook-store.port.ts */
export const webhooksSuite = (kind: DatabaseKind): void => {
  describe(`webhooks on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const work: ReturnType<typeof database>['adapter']['unitOfWork']['transaction'] = (run) =>
      database().adapter.unitOfWork.transaction(run);
    const reads = () => database().adapter.reads.webhooks;
    const queue = () => database().adapter.deliveryQueue;

    const add = async (changes: Partial<Subscription> = {}): Promise<Subscription> => {
      const org = sampleOrg();
      const subscription: Subscription = {
        id: uuid(),
        orgId: org.id,
        ownerType: 'org',
        ownerId: org.id,
        platformAgentId: null,
        url: 'https://receiver.example/ü?a=1',
        eventTypes: ['record.recorded'],
        recordTypes: ['*'],
        format: 'standard',
        scheme: 'hmac',
        secret: bytes('secret'),
        previousSecret: null,
        previousSecretUntil: null,
        managedBy: null,
        recordId: null,
        push: null,
        startsAfter: 7,
        gaps: [],
        deletedAt: null,
        createdAt: at(0),
        version: 1,
        ...changes,
      };
      await work(async (stores) => {
        if (changes.orgId === undefined) await stores.orgs.insert(org);
        await stores.webhooks.insert(subscription);
      });
      return subscription;
    };
    const queued = (subscriptionId: string, number: number): Queued => ({
      id: uuid(),
      subscriptionId,
      eventId: uuid(),
      eventType: 'record.recorded',
      number,
      eventSequence: number,
      attempt: 1,
      createdAt: at(number),
    });
    const enqueue = async (id: string, ...numbers: number[]): Promise<readonly Queued[]> => {
      const rows = numbers.map((number) => queued(id, number));
      await work((stores) => stores.deliveries.enqueue(rows));
      return rows;
    };
    const signed = ({ id }: Queued) => ({
      id,
      signature: `t=1,v1=${hex(id)}`,
      body: new TextEncoder().encode(id),
      bodyHash: hex(id),
    });
    const ids = (rows: readonly Delivery[]): readonly string[] => rows.map(({ id }) => id);

    it('keep a subscription as it was given, with a reader at its position', async () => {
      const subscription = await add({
        previousSecret: bytes('old'),
        previousSecretUntil: at(5),
        gaps: [{ from: at(1), to: null, after: 8, through: null, kind: 'paused' }],
        platformAgentId: uuid(),
      });
      const found = (await reads().find(subscription.id))!;
      expect(found.subscription).toEqual(subscription);
      expect(found.reader).toMatchObject({ position: 7, eventSequence: 0, circuit: CLOSED });
      const after: Subscription = {
        ...subscription,
        url: 'https://elsewhere.example/',
        gaps: [{ from: at(1), to: at(2), after: 8, through: 9, kind: 'paused' }],
        version: 2,
      };
      await work((stores) => stores.webhooks.update(after));
      expect(await work((stores) => stores.webhooks.lock(subscription.id))).toEqual(after);
      expect(await reads().find(uuid())).toBeNull();
    });

    it('are listed newest first by org, owner and operator; the inactive ones by themselves', async () => {
      const first = await add();
      const more = { orgId: first.orgId, ownerId: first.ownerId };
      const second = await add({ ...more, createdAt: at(9) });
      const gaps = [{ from: at(0), to: null, after: 7, through: null, kind: 'inactive' } as const];
      const gone = await add({ ...more, gaps });
      const listed = async (filter: object): Promise<readonly string[]> =>
        (await reads().list(filter, { limit: 10, after: null })).rows.map(
          (row) => row.subscription.id,
        );
      expect(await listed({ orgId: first.orgId, isActive: true })).toEqual([second.id, first.id]);
      expect(await listed({ orgId: first.orgId, isActive: false })).toEqual([gone.id]);
      expect(await listed({ ownerId: uuid() })).toEqual([]);
      const listeners = (await reads().listeners()).map(({ id }) => id);
      expect(listeners).toEqual(expect.arrayContaining([first.id, second.id]));
      expect(listeners).not.toContain(gone.id);
      expect(await work((stores) => stores.webhooks.countOf(first.orgId))).toBe(3);
    });

    it('keep push configurations apart: found by owner and record, and neither listed nor counted', async () => {
      const hook = await add();
      const recordId = uuid();
      const push: Subscription['push'] = {
        configId: 'mine',
        contextId: uuid(),
        version: '1.0',
        authScheme: 'Bearer',
      };
      const { orgId, ownerId } = hook;
      const make = (changes: Partial<Subscription> = {}) =>
        add({ orgId, ownerId, format: 'a2a', recordId, push, ...changes });
      const second = await make({ createdAt: at(9), push: { ...push, configId: 'other' } });
      const first = await make();
      const gone = await make({
        deletedAt: at(3),
        gaps: [{ from: at(3), to: null, after: 7, through: null, kind: 'inactive' }],
      });
      const elsewhere = await make({ recordId: uuid() });
      const foreign = await make({ ownerId: uuid() });
      expect(await reads().pushConfigs(ownerId, recordId)).toEqual([first, second]);
      expect(await work((stores) => stores.webhooks.pushConfigs(hook, recordId))).toEqual([
        first,
        second,
      ]);
      expect(await work((stores) => stores.webhooks.countOf(orgId))).toBe(1);
      const listed = await reads().list({ orgId }, { limit: 10, after: null });
      expect(listed.rows.map(({ subscription }) => subscription.id)).toEqual([hook.id]);
      expect((await reads().listeners()).map(({ id }) => id)).not.toContain(first.id);
      expect((await reads().pushListeners([recordId])).map(({ id }) => id).sort()).toEqual(
        [first.id, second.id, foreign.id].sort(),
      );
      expect(await reads().pushListeners([])).toEqual([]);
      expect(await reads().hasPushConfigs()).toBe(true);
      const old = await reads().pushConfigsBefore(
        at(5),
        '00000000-0000-0000-0000-000000000000',
        100,
      );
      const ids = old.map(({ id }) => id);
      expect(ids).toEqual([...ids].sort());
      expect(ids).toEqual(expect.arrayContaining([first.id, elsewhere.id, foreign.id]));
      expect([second.id, gone.id, hook.id].filter((id) => ids.includes(id))).toEqual([]);
      const changed = { ...first, push: { ...push, version: '0.3' as const }, version: 2 };
      await work((stores) => stores.webhooks.update(changed));
      expect((await reads().find(first.id))!.subscription).toEqual(changed);
    });

    it('are held by one token at a time, and given up by another one that came after the lease', async () => {
      const { id } = await add();
      const [one, two] = [uuid(), uuid()];
      const claim = (token: string, forMs: number) =>
        work((stores) => stores.deliveries.claim(id, token, forMs));
      const hold = (token: string) => work((stores) => stores.deliveries.hold(id, token, 60_000));
      const both = await Promise.all([claim(one, 60_000), claim(two, 60_000)]);
      expect(both.filter((reader) => reader !== null)).toHaveLength(1);
      const [holder, other] = both[0] ? [one, two] : [two, one];
      expect(await hold(holder)).not.toBeNull();
      expect(await hold(other)).toBeNull();
      expect(await claim(other, 60_000)).toBeNull();
      // Its own worker, whom the database failed meanwhile.
      expect(await claim(holder, 60_000)).not.toBeNull();
      await work((stores) => stores.deliveries.release(id, other));
      expect(await claim(other, 60_000)).toBeNull();
      await work((stores) => stores.deliveries.release(id, holder));
      expect(await claim(other, -1)).not.toBeNull();
      expect(await claim(holder, 60_000)).not.toBeNull();
      expect(await hold(other)).toBeNull();
    });

    it('are taken over from a lease that ends long after its term', async () => {
      const { id } = await add();
      const claim = (token: string) => work((stores) => stores.deliveries.claim(id, token, 60_000));
      const [one, other] = [uuid(), uuid()];
      expect(await claim(one)).not.toBeNull();
      const isDue = async (): Promise<boolean> =>
        (await reads().due(new Date(Date.now() + 1_000).toISOString(), 1_000)).some(
          (waiting) => waiting.id === id,
        );
      expect(await isDue()).toBe(false);
      await database().raw(
        `UPDATE webhook_readers SET lease_until = ${Date.now() + 31_536_000_000} WHERE subscription_id = x'${id.replaceAll('-', '')}'`,
      );
      expect(await isDue()).toBe(true);
      expect(await claim(other)).not.toBeNull();
      expect(await claim(one)).toBeNull();
    });

    it('write position, sequence, breaker and time under the lease', async () => {
      const { id } = await add();
      const token = uuid();
      const reader = (await work((stores) => stores.deliveries.claim(id, token, 60_000)))!;
      const after = {
        ...reader,
        position: 12,
        eventSequence: 3,
        circuit: {
          state: 'open',
          consecutiveFailures: 10,
          openedAt: at(1),
          isHeld: true,
          failingSince: at(0),
          lastSuccessfulAt: at(2),
        },
        dueAt: at(3),
      } as const;
      await work((stores) => stores.deliveries.save(after));
      expect((await reads().find(id))!.reader).toEqual(after);
      await work((stores) => stores.webhooks.setCircuit(id, CLOSED));
      const found = (await work((stores) => stores.webhooks.lockReader(id)))!;
      expect([found.circuit, Date.parse(found.dueAt!)]).toEqual([CLOSED, 0]);
      expect((await reads().due(at(0), 100)).map((one) => one.id)).not.toContain(id);
      await work((stores) => stores.deliveries.release(id, token));
      expect((await reads().due(at(0), 100)).map((one) => one.id)).toContain(id);
    });

    it('are due if a retry was put off while the clock was three hours ahead', async () => {
      const { id } = await add();
      const token = uuid();
      const after = (ms: number): string => new Date(Date.now() + ms).toISOString();
      const put = (dueAt: string) =>
        work(async ({ deliveries }) => {
          const reader = (await deliveries.claim(id, token, 60_000))!;
          await deliveries.save({ ...reader, dueAt });
          await deliveries.release(id, token);
        });
      const isDue = async (): Promise<boolean> =>
        (await reads().due(after(0), 1_000)).some((waiting) => waiting.id === id);
      await put(after(300_000));
      expect(await isDue()).toBe(false);
      await put(after(3 * 3_600_000));
      expect(await isDue()).toBe(true);
      const [ahead, soon] = await enqueue(id, 1, 2);
      const hex = (one: { readonly id: string }): string => one.id.replaceAll('-', '');
      for (const [one, ms] of [
        [ahead!, 3 * 3_600_000],
        [soon!, 300_000],
      ] as const)
        await database().raw(
          `UPDATE webhook_deliveries SET status = 'FAILED', next_retry_at = ${Date.now() + ms} WHERE id = x'${hex(one)}'`,
        );
      const next = await queue().next(id, after(0), 10);
      expect(next.map((one) => one.id)).toContain(ahead!.id);
      expect(next.map((one) => one.id)).not.toContain(soon!.id);
    });

    it('are due in turns of their orgs: one with many hides no other', async () => {
      const first = await add();
      for (let n = 0; n < 20; n++) await add({ orgId: first.orgId, ownerId: first.orgId });
      const late = await add();
      const token = uuid();
      await work(async ({ deliveries }) => {
        const reader = (await deliveries.claim(late.id, token, 60_000))!;
        await deliveries.save({ ...reader, dueAt: at(-1) });
        await deliveries.release(late.id, token);
      });
      const due = await reads().due(at(0), 1_000);
      const ofMany = due.flatMap(({ orgId }, index) => (orgId === first.orgId ? [index] : []));
      expect(ofMany).toHaveLength(21);
      expect(due.findIndex(({ id }) => id === late.id)).toBeLessThan(ofMany[1]!);
    });

    it('give what waits by number, and retries that are due before it', async () => {
      const { id } = await add();
      const [third, first, second] = await enqueue(id, 3, 1, 2);
      expect(ids(await queue().next(id, at(0), 10))).toEqual([first!.id, second!.id, third!.id]);
      expect(await queue().waiting(id, 2)).toBe(2);
      await work((stores) => stores.deliveries.sign([signed(first!), signed(third!)], at(1)));
      expect(ids(await queue().next(id, at(0), 10))).toEqual([second!.id]);
      expect(ids(await queue().unanswered(id))).toEqual([first!.id, third!.id]);
      const end = (row: Queued, nextRetryAt: string | null) => ({
        id: row.id,
        status: nextRetryAt ? ('FAILED' as const) : ('DELIVERED' as const),
        reason: nextRetryAt ? ('unreachable' as const) : null,
        responseStatus: nextRetryAt ? null : 200,
        responseBody: 'ö',
        nextRetryAt,
        deliveredAt: nextRetryAt ? null : at(4),
      });
      await work((stores) => stores.deliveries.end([end(first!, at(50)), end(third!, null)]));
      expect(await queue().nextRetryAt(id)).toBe(at(50));
      expect(ids(await queue().next(id, at(49), 10))).toEqual([second!.id]);
      expect(ids(await queue().next(id, at(50), 10))).toEqual([first!.id, second!.id]);
      expect(await reads().delivery(third!.id)).toEqual({
        ...third,
        ...end(third!, null),
        signature: `t=1,v1=${hex(third!.id)}`,
        bodyHash: hex(third!.id),
      });
      const kept = await reads().bodies([hex(third!.id), hex('none')]);
      expect([...kept]).toEqual([[hex(third!.id), new TextEncoder().encode(third!.id)]]);
      await work((stores) => stores.deliveries.closeRetries([first!.id]));
      expect(await queue().nextRetryAt(id)).toBeNull();
      expect(ids(await reads().deliveries(id, 2))).toEqual([third!.id, second!.id]);
    });

    it('take a signature back, and count what is under way as not waiting', async () => {
      const { id } = await add();
      const [row] = await enqueue(id, 1);
      await work((stores) => stores.deliveries.sign([signed(row!)], at(1)));
      expect(await work((stores) => stores.deliveries.allWaiting(id, 10))).toEqual([]);
      await work((stores) => stores.deliveries.unsign([row!.id]));
      expect(await queue().waiting(id, 10)).toBe(1);
      expect(ids(await work((stores) => stores.deliveries.allWaiting(id, 10)))).toEqual([row!.id]);
    });

    it.each(['number', 'event_sequence', 'event_type'])(
      'never give a row again whose %s somebody edited',
      async (column) => {
        const { id } = await add();
        const [edited, well] = await enqueue(id, 1, 2);
        await database().raw(
          `UPDATE webhook_deliveries SET ${column} = 99 WHERE id = x'${edited!.id.replaceAll('-', '')}'`,
        );
        expect(ids(await queue().next(id, at(0), 10))).toEqual([well!.id]);
        expect(ids(await queue().next(id, at(0), 1))).toEqual([well!.id]);
      },
    );

    it('keep what was not delivered until it is forgotten', async () => {
      const { id, orgId } = await add();
      const rows = [queued(id, 1), queued(id, 2), queued(id, 3)];
      const letters = rows.map((row, index) =>
        deadLetterOf(row, uuid(), orgId, at(index), {
          reason: 'rejected',
          attempts: 1,
          lastStatus: 404,
        }),
      );
      await work((stores) => stores.deliveries.bury(letters));
      const page = await reads().deadLetters({ subscriptionId: id }, { limit: 2, after: null });
      expect(page.rows).toEqual([letters[2], letters[1]]);
      expect(await reads().countDeadLetters(id)).toBe(3);
      expect(await work((stores) => stores.deliveries.deadLetters(id, 2))).toEqual(
        letters.slice(0, 2),
      );
      await work((stores) => stores.deliveries.forget([letters[0]!.id]));
      expect(await work((stores) => stores.deliveries.deadLetter(letters[0]!.id))).toBeNull();
      expect(await work((stores) => stores.deliveries.deadLetter(letters[1]!.id))).toEqual(
        letters[1],
      );
      const wide = await reads().deadLetters({ orgId }, { limit: 9, after: null });
      expect(wide.rows).toHaveLength(2);
    });

    it('write a delivery as a whole, its body once', async () => {
      const { id } = await add();
      const whole = (name: string): Delivery => ({
        ...queued(id, 0),
        id: name,
        status: 'FAILED',
        reason: 'interrupted',
        responseStatus: null,
        responseBody: null,
        signature: 's',
        bodyHash: hex('body'),
        nextRetryAt: null,
        deliveredAt: null,
      });
      for (const name of [uuid(), uuid()])
        await work((stores) => stores.deliveries.insert(whole(name), bytes('body')));
      expect(await reads().deliveries(id, 10)).toHaveLength(2);
      expect((await reads().bodies([hex('body')])).get(hex('body'))).toEqual(bytes('body'));
    });
  });
};
