import { rmSync } from 'node:fs';
import { GrpcClient } from '../support/clients/grpc-client.ts';
import { NotarizeStream, statementBytes } from '../support/clients/grpc-streams.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld } from '../support/service/world.ts';
import { benchDatabase } from './bench-database.ts';
import { CONNECTIONS, load } from './load.ts';
import type { Row } from './table.ts';

const CRITERIA = { text: 'x'.repeat(960) };

/** The same statements, one a request over REST and one a message over one stream of gRPC; each client is one process of Node. */
export const measureStream = async (
  name: string,
  seconds: number,
  mysqlUrl?: string,
): Promise<readonly Row[]> => {
  const database = mysqlUrl ? await benchDatabase(mysqlUrl) : null;
  const service = new ServiceProcess({ ...database?.env, GRPC_PORT: '0' });
  try {
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    const { key } = world.principal.client;
    const rest = async (): Promise<number> => {
      const { perSecond } = await load({
        url: `${service.url}/v1/records`,
        duration: seconds / 2,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'note', criteria: CRITERIA }),
      });
      return perSecond;
    };
    const client = new GrpcClient(addressOf(service));
    const stream = (): Promise<number> => streamed(client, String(key), seconds / 2);
    // In turns, so that a machine that slows down slows both.
    await rest();
    const rates = [await stream(), await rest(), await stream(), await rest()];
    client.close();
    const [streamedRate, restRate] = [mean(rates[0]!, rates[2]!), mean(rates[1]!, rates[3]!)];
    return [
      { what: `${name}: notarize over REST, ${CONNECTIONS} connections`, perSecond: restRate },
      {
        what: `${name}: notarize over one NotarizeStream`,
        perSecond: streamedRate,
        ratio: streamedRate / restRate,
        of: 'REST',
      },
    ];
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
    await database?.drop();
  }
};

const mean = (a: number, b: number): number => (a + b) / 2;

const addressOf = ({ logged }: ServiceProcess): string =>
  String(logged.find(({ msg }) => msg === 'ready')?.['grpc']);

/** Statements that the client has sent and has no receipt of. */
const IN_FLIGHT = 512;

const streamed = async (client: GrpcClient, key: string, seconds: number): Promise<number> => {
  const stream = new NotarizeStream(client, { authorization: `Bearer ${key}` });
  const statement = statementBytes('', { criteria: CRITERIA });
  const begun = performance.now();
  const until = begun + seconds * 1000;
  let [sent, answered] = [0, 0];
  const send = (): void => {
    while (sent - answered < IN_FLIGHT) {
      stream.write(statement);
      sent++;
    }
  };
  stream.call.on('data', () => {
    answered++;
    if (performance.now() < until) send();
    else if (answered === sent) stream.call.end();
  });
  send();
  const { code } = await stream.status;
  if (code !== 0) throw new Error(`the stream ended with ${code}`);
  return answered / ((performance.now() - begun) / 1000);
};
