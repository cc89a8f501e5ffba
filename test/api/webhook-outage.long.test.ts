import { afterAll, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { Receiver, receiverTls, until } from '../support/peers/receiver.ts';
import { ok, type Body } from '../support/service/world.ts';

const { ca, identity } = await receiverTls();
const api = useApi({ EGRESS_CA: ca, EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128' });
let receiver: Receiver | null = null;
afterAll(() => receiver?.stop());

it(
  'a receiver that is away for a minute gets all that was told before the circuit opened, and by a retry what was told then',
  { timeout: 300_000 },
  async () => {
    const { admin, principal } = api.world;
    const to = (receiver = await Receiver.open(identity));
    to.behave = (_, response) => void response.destroy();
    const hook = await ok(
      admin.post('/v1/webhooks', { url: to.url, eventTypes: ['record.recorded'] }),
    );
    const path = `/v1/webhooks/${String(hook['id'])}`;
    const notes = async (count: number): Promise<string[]> => {
      const made = await ok(
        principal.client.post(
          '/v1/records/bulk',
          Array.from({ length: count }, (_, item): Body => ({ type: 'note', criteria: { item } })),
        ),
      );
      return (made['data'] as Body[]).map((item) => String(item['record'].id));
    };
    const before = await notes(40);
    await until(async () => (await ok(admin.get(path)))['circuitState'] === 'open');
    const failures = to.received.length;
    expect(failures).toBe(10);
    // The circuit opened after that, however late this test saw it.
    const { at: failedAt } = to.received.at(-1)!;
    const after = await notes(5);
    const dlq = async () => (await ok(admin.get(`${path}/dlq`)))['data'] as Body[];
    await until(async () => (await dlq()).length === 5);
    expect((await dlq()).every(({ reason }) => reason === 'circuit_open')).toBe(true);
    to.behave = (_, response) => void response.end();
    const got = () => to.received.slice(failures).map(({ body }) => String(body['recordId']));
    await until(() => new Set(got()).size === 40, 180_000);
    expect(to.received[failures]!.at - failedAt).toBeGreaterThan(58_000);
    expect([...got()].sort()).toEqual([...before].sort());
    await until(async () => (await ok(admin.get(path)))['circuitState'] === 'closed');
    const told = async (type: string) =>
      ((await ok(admin.get(`/v1/events?type=${type}`)))['data'] as Body[]).filter(
        ({ data }) => data.webhookId === hook['id'],
      ).length;
    expect([await told('webhook.circuit_opened'), await told('webhook.circuit_closed')]).toEqual([
      1, 1,
    ]);
    expect(await ok(admin.post(`${path}/dlq/retry-all`))).toMatchObject({ retried: 5 });
    await until(() => got().length === 45);
    // In the order of their events; those of one bulk call may come in any.
    expect(got().slice(40).sort()).toEqual([...after].sort());
    const numbers = to.received
      .slice(failures + 40)
      .map(({ body }) => Number(body['eventSequence']));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(await dlq()).toEqual([]);
  },
);
