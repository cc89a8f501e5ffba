import { connect, type Settings } from 'node:http2';
import { createConnection } from 'node:net';
import { status, type Metadata, type StatusObject } from '@grpc/grpc-js';
import { afterAll, describe, expect, it } from 'vitest';
import { nameOf } from '../../../adapters/grpc/method.ts';
import { UNARY } from '../../../adapters/grpc/methods.ts';
import { EventService } from '../../../adapters/grpc/generated/notary/v1/event_service_pb.ts';
import { RecordService } from '../../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { VaultService } from '../../../adapters/grpc/generated/notary/v1/vault_service_pb.ts';
import { useApi } from '../../support/service/api.ts';
import { GrpcClient, metadataOf } from '../../support/clients/grpc-client.ts';
import { NotarizeStream } from '../../support/clients/grpc-streams.ts';
import { sleep } from '../../support/service/world.ts';

const api = useApi({ GRPC_PORT: '0', MAX_CONNECTIONS_PER_ADDRESS: '20' });
const clients: GrpcClient[] = [];
afterAll(() => clients.forEach((client) => client.close()));
const clientOf = (): GrpcClient => {
  const client = new GrpcClient(String(api.service.grpc), undefined, {
    'grpc.max_send_message_length': -1,
  });
  clients.push(client);
  return client;
};
const bearer = (): { authorization: string } => ({
  authorization: `Bearer ${String(api.world.principal.client.key)}`,
});
const create = `/${nameOf(RecordService.method.create)}`;

/** A field of bytes or text. */
const field = (number: number, content: Buffer): Buffer => {
  const length: number[] = [];
  for (let rest = content.length; ; rest >>>= 7) {
    if (rest < 0x80) {
      length.push(rest);
      break;
    }
    length.push((rest & 0x7f) | 0x80);
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), content]);
};
const NOTE = field(1, Buffer.from('note'));
const criteria = (json: string | Buffer): Buffer =>
  Buffer.concat([NOTE, field(2, Buffer.from(json))]);

const HOSTILE: { readonly [name: string]: readonly [Buffer, number] } = {
  'no protobuf at all': [Buffer.from('{"type":"note"}'), status.INVALID_ARGUMENT],
  'a text that is not UTF-8': [field(1, Buffer.from([0xff, 0xfe, 0x80])), status.INVALID_ARGUMENT],
  'a field that says it is longer than the message': [
    Buffer.from([0x0a, 0x7f, 0x61]),
    status.INVALID_ARGUMENT,
  ],
  'a varint without an end': [Buffer.alloc(64, 0xff), status.INVALID_ARGUMENT],
  'a field of the wrong wire type': [Buffer.from([0x08, 0x01]), status.INVALID_ARGUMENT],
  'a field that is not known': [
    Buffer.concat([criteria('{}'), field(99, Buffer.from('x'))]),
    status.INVALID_ARGUMENT,
  ],
  'groups in groups in groups': [Buffer.alloc(500_000, 0x0b), status.INVALID_ARGUMENT],
  'criteria that are no JSON': [criteria('{"a":'), status.INVALID_ARGUMENT],
  'criteria with a name twice': [criteria('{"a":1,"a":2}'), status.INVALID_ARGUMENT],
  'criteria with a number that no double holds': [
    criteria('{"a":9007199254740993}'),
    status.INVALID_ARGUMENT,
  ],
  'criteria that are not UTF-8': [
    criteria(Buffer.from([0x7b, 0xff, 0x7d])),
    status.INVALID_ARGUMENT,
  ],
  'criteria nested too deep': [
    criteria(`${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    status.INVALID_ARGUMENT,
  ],
  'criteria that are a number': [criteria('7'), status.INVALID_ARGUMENT],
  'an integer that no JSON number holds': [
    Buffer.concat([
      criteria('{}'),
      Buffer.from([0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
    ]),
    status.INVALID_ARGUMENT,
  ],
  'a hundred thousand references of two bytes': [
    Buffer.concat([criteria('{}'), Buffer.alloc(200_000, Buffer.from([0x6a, 0x00]))]),
    status.RESOURCE_EXHAUSTED,
  ],
  'more than is taken': [
    criteria(JSON.stringify({ text: 'x'.repeat(1_100_000) })),
    status.RESOURCE_EXHAUSTED,
  ],
  'an empty message': [Buffer.alloc(0), status.INVALID_ARGUMENT],
};

describe('hostile messages', () => {
  it.each(Object.entries(HOSTILE))('%s', async (_name, [bytes, code]) => {
    const answer = await clientOf().callBytes(create, bytes, bearer());
    expect([answer.code, answer.detail]).toEqual([code, expect.not.stringContaining('rror:')]);
  });

  it('are no internal error of any method, nor do they hold the others up', async () => {
    const garbage = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]);
    const codes = await Promise.all(
      UNARY.filter(({ operation }) => operation.access({}) !== 'public').map(async ({ method }) => {
        const headers = { authorization: `Bearer ${String(api.world.platform.key)}` };
        return [
          nameOf(method),
          (await clientOf().callBytes(`/${nameOf(method)}`, garbage, headers)).code,
        ];
      }),
    );
    expect(new Set(codes.map(([, code]) => code))).not.toContain(status.INTERNAL);
    expect(new Set(codes.map(([, code]) => code))).not.toContain(status.UNKNOWN);
  });

  it('are refused by health and reflection too', async () => {
    const client = clientOf();
    // Wire type 7, which there is none.
    const bad = Buffer.from([0x0f]);
    const check = await client.callBytes('/grpc.health.v1.Health/Check', bad);
    const fine = await client.callBytes('/grpc.health.v1.Health/Check', Buffer.alloc(0));
    const unknown = await client.callBytes(
      '/grpc.health.v1.Health/Check',
      field(1, Buffer.from('no.such')),
    );
    const nothing = await client.callBytes('/no.such.Service/Method', Buffer.alloc(0));
    expect([check.code, fine.code, unknown.code, nothing.code]).toEqual([3, 0, 5, 12]);
    for (const name of ['v1', 'v1alpha']) {
      const path = `/grpc.reflection.${name}.ServerReflection/ServerReflectionInfo`;
      const asIs = (bytes: Buffer): Buffer => bytes;
      const ask = (bytes: Buffer): Promise<readonly [number, string]> =>
        new Promise((resolve) => {
          const call = client.channel.makeBidiStreamRequest(path, asIs, asIs);
          let said = '';
          call.on('data', (part: Buffer) => (said += part.toString('latin1')));
          call.on('error', () => undefined);
          call.on('status', ({ code }) => resolve([code, said]));
          call.write(bytes);
          call.end();
        });
      expect((await ask(bad))[0]).toBe(status.INVALID_ARGUMENT);
      const [code, listed] = await ask(field(7, Buffer.from('')));
      expect([code, listed]).toEqual([0, expect.stringContaining('notary.v1.RecordService')]);
    }
  });

  it('in a stream of statements are refused one by one', async () => {
    const stream = new NotarizeStream(clientOf(), bearer()).read();
    for (const [bytes] of Object.values(HOSTILE).filter(([one]) => one.length < 1_000_000))
      stream.write(field(2, bytes));
    expect((await stream.end()).code).toBe(status.OK);
    expect(stream.receipts.every(({ outcome }) => outcome.case === 'error')).toBe(true);
    expect(
      stream.receipts.map(({ outcome }) => (outcome.value as { code: string }).code),
    ).not.toContain('INTERNAL_ERROR');
  });
});

describe('hostile connections', () => {
  const [host, port] = ['127.0.0.1', () => Number(String(api.service.grpc).split(':').at(-1))];

  it('that speak no HTTP/2 are closed, and others are served', async () => {
    for (const text of [
      'GET / HTTP/1.1\r\n\r\n',
      '\x16\x03\x01\x00\x05hello',
      'x'.repeat(100_000),
    ]) {
      const socket = createConnection(port(), host);
      socket.on('error', () => undefined);
      socket.write(text);
      socket.resume();
      await new Promise((resolve) => socket.once('close', resolve));
    }
    expect((await clientOf().callBytes('/grpc.health.v1.Health/Check', Buffer.alloc(0))).code).toBe(
      0,
    );
  });

  it('beyond the limit of an address are closed', async () => {
    const sockets = Array.from({ length: 40 }, () => createConnection(port(), host));
    for (const socket of sockets) socket.on('error', () => undefined).resume();
    await sleep(500);
    const open = sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open');
    expect(open.length).toBeLessThanOrEqual(20);
    for (const socket of sockets) socket.destroy();
    await sleep(200);
  });

  it('that ask for no known content type, or send no body, are answered and no fault of the service', async () => {
    const session = connect(`http://${host}:${port()}`);
    session.on('error', () => undefined);
    const ask = (headers: object): Promise<number | undefined> =>
      new Promise((resolve) => {
        const request = session.request({ ':method': 'POST', ':path': create, ...headers });
        request.on('response', ({ ':status': code }) => resolve(code));
        request.on('error', () => resolve(undefined));
        request.end();
        request.resume();
      });
    expect(await ask({ 'content-type': 'text/plain' })).toBe(415);
    expect(await ask({ 'content-type': 'application/grpc', te: 'trailers' })).toBe(200);
    session.close();
  });
});

describe('metadata above 64 KiB', () => {
  const STREAMS = [
    nameOf(EventService.method.subscribe),
    nameOf(RecordService.method.notarizeStream),
    nameOf(VaultService.method.export),
  ];
  const asIs = (bytes: Buffer): Buffer => bytes;
  const endOf = (client: GrpcClient, path: string, metadata: Metadata): Promise<StatusObject> =>
    new Promise((resolve) => {
      const options = { deadline: Date.now() + 60_000 };
      const call = client.channel.makeBidiStreamRequest(path, asIs, asIs, metadata, options);
      call.on('error', () => undefined);
      call.on('status', resolve);
      call.resume();
    });

  it('ends unary and streaming calls at once, and leaves the other calls of the connection alone', async () => {
    const client = clientOf();
    const open = new NotarizeStream(client, bearer()).read();
    const big = { ...bearer(), 'x-big': 'a'.repeat(70_000) };
    const answer = await client.callBytes(create, NOTE, big, undefined, { deadline: 60_000 });
    expect(answer.code).toBe(status.RESOURCE_EXHAUSTED);
    for (const path of STREAMS)
      expect((await endOf(client, `/${path}`, metadataOf(big))).code, path).toBe(
        status.RESOURCE_EXHAUSTED,
      );
    expect((await open.end()).code).toBe(status.OK);
  });

  it('is announced as a limit, so that a client need not send it', async () => {
    const session = connect(`http://${String(api.service.grpc)}`);
    const settings = await new Promise<Settings>((resolve) =>
      session.once('remoteSettings', resolve),
    );
    session.close();
    expect(settings.maxHeaderListSize).toBe(65_536);
  });

  it('closes a connection that HTTP/2 ended, for clients that wait for the call', async () => {
    // A value of 70,000 octets without Huffman coding (RFC 7541 section 5.2), in frames of 16 KiB.
    const literal = (text: string): Buffer => {
      const octets = [Math.min(text.length, 127)];
      for (let rest = text.length - 127; rest >= 0; rest = rest < 128 ? -1 : rest >>> 7)
        octets.push(rest < 128 ? rest : (rest & 127) | 128);
      return Buffer.concat([Buffer.from(octets), Buffer.from(text)]);
    };
    const frame = (type: number, flags: number, stream: number, payload: Buffer): Buffer => {
      const head = Buffer.alloc(9);
      head.writeUIntBE(payload.length, 0, 3);
      head.set([type, flags], 3);
      head.writeUInt32BE(stream, 5);
      return Buffer.concat([head, payload]);
    };
    const block = Buffer.concat([
      Buffer.of(0x83, 0x86, 0x00),
      literal('x-big'),
      literal('a'.repeat(70_000)),
    ]);
    const [host, port] = String(api.service.grpc).split(':');
    const socket = createConnection(Number(port), host);
    const isClosed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined).resume();
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(frame(4, 0, 0, Buffer.alloc(0)));
    for (let at = 0; at < block.length; at += 16_384)
      socket.write(
        frame(
          at === 0 ? 1 : 9,
          at + 16_384 < block.length ? 0 : 4,
          1,
          block.subarray(at, at + 16_384),
        ),
      );
    await isClosed;
  });

  it('ends a call at once if the metadata does not compress', async () => {
    const big = { ...bearer(), 'x-big': '~'.repeat(70_000) };
    const answer = await clientOf().callBytes(create, NOTE, big, undefined, { deadline: 60_000 });
    expect([status.INTERNAL, status.RESOURCE_EXHAUSTED, status.UNAVAILABLE]).toContain(answer.code);
  });
});
