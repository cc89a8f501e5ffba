import { afterAll, describe, expect, it } from 'vitest';
import { status } from '@grpc/grpc-js';
import { LoadGate, type Leave } from '../../application/call/load-gate.ts';
import { LoadLine } from '../../application/call/load-line.ts';
import { useApi } from '../support/service/api.ts';
import { GrpcClient } from '../support/clients/grpc-client.ts';
import { NotarizeStream, statementBytes } from '../support/clients/grpc-streams.ts';
import { ok } from '../support/service/world.ts';

/** No message is given up within the test. */
const patient = useApi({ GRPC_PORT: '0', MAX_QUEUE_MS: '60000' });
/** Long enough that what fills the gate does not grow old before a message is refused. */
const hasty = useApi({ GRPC_PORT: '0', MAX_QUEUE_MS: '4000' });
type Api = typeof patient;
const clients: GrpcClient[] = [];
afterAll(() => clients.forEach((client) => client.close()));

/** A stream that is open: its first statement was answered. */
const openStream = async (api: Api): Promise<NotarizeStream> => {
  const client = new GrpcClient(String(api.service.grpc));
  clients.push(client);
  const { key } = api.world.principal.client;
  const stream = new NotarizeStream(client, { authorization: `Bearer ${key}` }).read();
  stream.write(statementBytes('first', {}));
  await expect.poll(() => stream.receipts.length).toBe(1);
  return stream;
};

const fill = (api: Api): (() => void) => {
  const held: Leave[] = [];
  const gate = api.service.container.get(LoadGate);
  while (gate.hasRoom(1)) held.push(gate.enter('http')!);
  return () => held.splice(0).forEach((leave) => leave());
};

const lineOf = (api: Api): LoadLine => api.service.container.get(LoadLine);
const casesOf = ({ receipts }: NotarizeStream): readonly unknown[] =>
  receipts.map(({ messageId, outcome }) => [messageId, outcome.case]);
const made = async ({ world }: Api, platformRef: string): Promise<unknown> =>
  (await ok(world.principal.client.get(`/v1/records?limit=1&platformRef=${platformRef}`)))['total'];

describe('a stream of statements on a service that is full', () => {
  it('waits with its messages, none of which is begun, and gets every receipt in order once there is room', async () => {
    const stream = await openStream(patient);
    const free = fill(patient);
    for (let at = 0; at < 400; at++)
      stream.write(statementBytes(`m-${at}`, { platformRef: 'waited' }));
    // One of them stands in line, and the others behind it.
    await expect.poll(() => lineOf(patient).length).toBe(1);
    expect(stream.receipts).toHaveLength(1);
    free();
    expect((await stream.end()).code).toBe(status.OK);
    expect(casesOf(stream)).toEqual([
      ['first', 'receipt'],
      ...Array.from({ length: 400 }, (_, at) => [`m-${at}`, 'receipt']),
    ]);
    expect(await made(patient, 'waited')).toBe(400);
    const gate = patient.service.container.get(LoadGate);
    expect([gate.underWay, gate.refused, lineOf(patient).length]).toEqual([0, 0, 0]);
  });

  it('counts its messages: while they are under way, they fill the gate for others', async () => {
    const gate = patient.service.container.get(LoadGate);
    const stream = await openStream(patient);
    let most = 0;
    const { enter } = gate;
    gate.enter = (door) => {
      const leave = enter.call(gate, door);
      if (door === 'grpc_stream') most = Math.max(most, gate.underWay);
      return leave;
    };
    try {
      for (let at = 0; at < 200; at++) stream.write(statementBytes(`m-${at}`, {}));
      expect((await stream.end()).code).toBe(status.OK);
    } finally {
      Reflect.deleteProperty(gate, 'enter');
    }
    expect(most).toBeGreaterThan(16);
    expect(gate.underWay).toBe(0);
  });

  it('leaves the line where its client goes away, and begins nothing for it', async () => {
    const stream = await openStream(patient);
    const free = fill(patient);
    try {
      stream.write(statementBytes('gone', { platformRef: 'gone' }));
      stream.write(statementBytes('gone too', { platformRef: 'gone' }));
      await expect.poll(() => lineOf(patient).length).toBe(1);
      stream.call.cancel();
      expect((await stream.status).code).toBe(status.CANCELLED);
      await expect.poll(() => lineOf(patient).length).toBe(0);
    } finally {
      free();
    }
    expect(await made(patient, 'gone')).toBe(0);
  });

  it('refuses a message by itself that found no place in time, and says when to send it again', async () => {
    const stream = await openStream(hasty);
    const free = fill(hasty);
    stream.write(statementBytes('too much', { platformRef: 'refused' }));
    await expect.poll(() => stream.receipts.length).toBe(2);
    free();
    const { messageId, outcome } = stream.receipts[1]!;
    expect([messageId, outcome.case]).toEqual(['too much', 'error']);
    expect(outcome.value).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: status.UNAVAILABLE,
      retryable: true,
      detail: expect.stringContaining('not begun') as unknown,
    });
    const { members } = outcome.value as { members: Uint8Array };
    const { retryAfter } = JSON.parse(Buffer.from(members).toString()) as { retryAfter: number };
    expect(retryAfter).toBeGreaterThan(0);
    stream.write(statementBytes('again', { platformRef: 'refused' }));
    expect((await stream.end()).code).toBe(status.OK);
    expect(casesOf(stream).at(-1)).toEqual(['again', 'receipt']);
    expect(await made(hasty, 'refused')).toBe(1);
    expect(hasty.service.container.get(LoadGate).refused).toBe(1);
  });
});
