import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mysqlAt } from '../support/databases/databases.ts';
import { Failover } from '../support/databases/failover.ts';
import { GaleraCluster, hasGalera } from '../support/databases/galera.ts';
import { NodeFarm } from '../support/service/node-farm.ts';
import { verifyExports, type Stored } from '../support/databases/stored-chains.ts';
import { Client, GOAL, openJob, type Body, type World } from '../support/service/world.ts';
import { expectAcknowledged, Writers } from '../support/clients/writers.ts';

const DUE = 30;
/** Calls to each node that append to one chain at the same time. */
const CALLS = 5;

describe.skipIf(!hasGalera())('two api and two worker processes on two nodes of Galera', () => {
  let cluster: GaleraCluster;
  let failover: Failover;
  let farm: NodeFarm;

  beforeEach(async () => {
    cluster = await GaleraCluster.open();
    const [first, second, third] = cluster.nodes.map(({ port }) => port) as [
      number,
      number,
      number,
    ];
    failover = await new Failover([first, third]).start();
    // The test looks at the third node, where none of the processes writes at first.
    farm = await NodeFarm.open(mysqlAt(cluster.nodes[2]!.url), (at) =>
      at === 0 ? failover.port : second,
    );
  }, 400_000);
  afterEach(async () => {
    await farm?.close();
    failover?.stop();
    await cluster?.drop();
  });

  it('go on when the first is killed: calls come through again, nothing acknowledged is lost, no chain forks and jobs are done once', async () => {
    const { world, apis, balancer } = farm;
    const key = world.principal.client.key!;
    const writers = new Writers(() => balancer.url, key, 20, { action: 'pay' }, 600).start(6);
    const contest = new Contest(
      apis.map(({ url }) => url),
      world,
    ).start();
    await writers.see(201, 100, 60_000);
    // They fall due while the node is gone.
    await Promise.all(Array.from({ length: DUE }, () => openJob(world, { ttlSeconds: 3 })));

    await cluster.nodes[0]!.kill();
    const killed = performance.now();
    await writers.see(201, 100, 60_000);
    await contest.see(2);
    const away = performance.now() - killed;
    expect(failover.moves).toBe(1);
    // Where the others take part again, the first one does as well, and gets what it missed.
    await cluster.nodes[0]!.start();
    await writers.see(201, 50, 60_000);

    const expired = async (): Promise<number> => {
      const sql = "SELECT COUNT(*) AS count FROM chain_entries WHERE entry_type = 'RECORD_EXPIRED'";
      return Number((await farm.database.raw(sql))[0]!['count']);
    };
    await expect.poll(expired, { timeout: 60_000, interval: 500 }).toBe(DUE);
    await writers.stop();
    await contest.stop();
    console.log(`galera: ${writers.said()}; calls came through after ${Math.round(away)} ms`);
    expect([...writers.statuses.keys()], writers.said()).toEqual([201]);

    const stored = await expectAcknowledged(farm.database, writers.acknowledged);
    expect(stored.records.size).toBe(writers.acknowledged.size + contest.ids.length + DUE);
    const { ids, acknowledged } = contest;
    expect(acknowledged).toHaveLength(ids.length * CALLS * apis.length);
    expect(referencesOf(stored, ids)).toEqual(acknowledged.sort());
    const ends = [...stored.chains.values()].map(
      (chain) => chain.filter(({ entryType }) => entryType === 'RECORD_EXPIRED').length,
    );
    expect(Math.max(...ends)).toBe(1);
    const sample = [...ids.slice(-20), ...[...stored.records.keys()].slice(-20)];
    expect(await verifyExports(world.admin, sample, farm.fingerprint)).toEqual([]);
  }, 400_000);
});

/** What the chains of the records say was pointed at, each as often as it stands there. */
const referencesOf = (stored: Stored, ids: readonly string[]): readonly string[] =>
  ids
    .flatMap((id) => stored.chains.get(id)!)
    .filter(({ entryType }) => entryType === 'REFERENCE_ADDED')
    .map(({ predicate }) => /urn:uuid:[-0-9a-f]+/.exec(JSON.stringify(predicate))![0])
    .sort();

/** One record after the other, to whose chain callers of all nodes append at the same time. */
class Contest {
  readonly ids: string[] = [];
  readonly acknowledged: string[] = [];
  private isStopped = false;
  private running: Promise<void> | null = null;

  constructor(
    private readonly urls: readonly string[],
    private readonly world: World,
  ) {}

  start(): this {
    this.running = this.run();
    return this;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  /** Resolves once so many more records had all of their calls answered. */
  async see(more: number): Promise<void> {
    const wanted = this.ids.length + more;
    await expect
      .poll(() => this.ids.length, { timeout: 60_000, interval: 50 })
      .toBeGreaterThanOrEqual(wanted);
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const { id } = await this.send(this.urls[0]!, '/v1/records', randomUUID(), {
        type: 'job',
        criteria: GOAL,
        performerAgentId: this.world.performer.id,
        autoActivate: true,
      });
      const calls = this.urls.flatMap((url) => Array<string>(CALLS).fill(url));
      await Promise.all(
        calls.map(async (url) => {
          const name = randomUUID();
          const body = { kind: 'order', uri: `urn:uuid:${name}` };
          await this.send(url, `/v1/records/${String(id)}/references`, name, body);
          this.acknowledged.push(body.uri);
        }),
      );
      this.ids.push(String(id));
      await sleep(50);
    }
  }

  /** Sends a call until it is answered with 201. */
  private async send(url: string, path: string, name: string, body: Body): Promise<Body> {
    const client = new Client(url, this.world.principal.client.key);
    for (let tries = 0; ; tries++) {
      const answer = await client.post(path, body, { 'idempotency-key': name }).catch(() => null);
      if (answer?.status === 201) return answer.body;
      if (tries === 300 || (answer && answer.headers.get('retry-after') === null))
        throw new Error(`${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`);
      await sleep(200);
    }
  }
}
