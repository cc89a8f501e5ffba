import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ownServices } from '../support/service/own-services.ts';
import { residentMiB } from '../support/service/resident-memory.ts';
import { createWorld, openJob } from '../support/service/world.ts';

const make = ownServices();
const STREAMS = 1_000;
const AT_ONCE = 10;
const LIMIT_MIB = 200;

it.skipIf(process.platform !== 'linux')(
  'a thousand idle subscribers fit into 200 MiB, hear of a change, and are let go at SIGTERM',
  async () => {
    const service = make({ MAX_CONNECTIONS_PER_ADDRESS: '0' });
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    const { id } = await openJob(world, { autoActivate: false });
    const before = residentMiB(service.pid);
    const agent = new Agent({ maxSockets: Infinity });
    const heard: string[] = [];
    const ended: Promise<void>[] = [];
    const subscribe = (at: number): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${world.principal.client.key}`,
          'content-type': 'application/json',
          'a2a-version': '1.0',
        };
        const asked = request(
          `${service.url}/a2a`,
          { method: 'POST', agent, headers },
          (answer) => {
            answer.setEncoding('utf8').on('data', (text: string) => (heard[at] += text));
            ended.push(new Promise((done) => answer.once('close', () => done())));
            answer.once('data', () => resolve(answer));
          },
        );
        heard[at] = '';
        asked.on('error', reject);
        asked.end(
          JSON.stringify({ jsonrpc: '2.0', id: at, method: 'SubscribeToTask', params: { id } }),
        );
      });
    // A few at a time: what a burst of calls leaves behind is given back late, and is not what is measured.
    for (let at = 0; at < STREAMS; at += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => subscribe(at + i)));
    // The runtime gives back what the calls left behind once it has been idle for a while.
    let idle = Infinity;
    for (let round = 0; round < 15 && idle >= LIMIT_MIB; round++) {
      await sleep(2_000);
      idle = residentMiB(service.pid);
    }
    console.log(
      `${before.toFixed(0)} MiB before, ${idle.toFixed(0)} MiB with ${STREAMS} idle streams`,
    );
    expect(idle).toBeLessThan(LIMIT_MIB);

    await world.performer.client.post(`/v1/records/${String(id)}/accept`, {});
    const told = () => heard.filter((text) => text.includes('TASK_STATE_WORKING')).length;
    for (let round = 0; round < 200 && told() < STREAMS; round++) await sleep(50);
    expect(told()).toBe(STREAMS);
    const stopped = service.stop();
    await Promise.all(ended);
    expect(heard.filter((text) => text.includes('This node of the service stops.'))).toHaveLength(
      STREAMS,
    );
    expect(await stopped).toBe(0);
    agent.destroy();
  },
);
