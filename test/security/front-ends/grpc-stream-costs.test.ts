import { status } from '@grpc/grpc-js';
import { afterAll, expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { GrpcClient } from '../../support/clients/grpc-client.ts';
import { NotarizeStream, statementBytes } from '../../support/clients/grpc-streams.ts';

const api = useApi({ GRPC_PORT: '0', RATE_LIMIT_AGENT: '60' });
const clients: GrpcClient[] = [];
afterAll(() => clients.forEach((client) => client.close()));

it('messages that nobody can read count as well as those that can', async () => {
  const client = new GrpcClient(String(api.service.grpc));
  clients.push(client);
  const key = String(api.world.principal.client.key);
  const stream = new NotarizeStream(client, { authorization: `Bearer ${key}` }).read();
  for (let at = 0; at < 100; at++) stream.write(Buffer.from([0xff]));
  stream.write(statementBytes('good', {}));
  expect((await stream.end()).code).toBe(status.OK);
  const codes = stream.receipts.map(({ outcome }) => (outcome.value as { code?: string }).code);
  expect(codes).toHaveLength(101);
  expect(codes.at(-1)).toBe('RATE_LIMITED');
  expect(stream.receipts.at(-1)?.messageId).toBe('good');
});
