import { rmSync } from 'node:fs';
import { freePort } from './free-port.ts';
import { Balancer } from './balancer.ts';
import type { DatabaseKind, TestDatabase } from '../databases/databases.ts';
import { ServiceProcess } from './service-process.ts';
import { freshSecrets } from '../databases/stored-chains.ts';
import { createWorld, type World } from './world.ts';

/** Two api and two worker processes on one database, behind a balancer. */
export class NodeFarm {
  private constructor(
    readonly database: TestDatabase,
    readonly apis: readonly [ServiceProcess, ServiceProcess],
    readonly workers: readonly [ServiceProcess, ServiceProcess],
    readonly balancer: Balancer,
    readonly world: World,
    readonly fingerprint: string,
  ) {}

  /** @param portOf where the first or the second process of a role finds the database, unless all find it at one place. */
  static async open(kind: DatabaseKind, portOf?: (at: 0 | 1) => number): Promise<NodeFarm> {
    const database = await kind.open({ migrated: false });
    const secrets = freshSecrets();
    const node = async (role: 'api' | 'worker', at: 0 | 1): Promise<ServiceProcess> => {
      const url = new URL(database.url);
      if (portOf) url.port = String(portOf(at));
      const PORT = String(await freePort());
      return new ServiceProcess({ DATABASE_URL: url.href, ...secrets, ROLE: role, PORT });
    };
    const apis = [await node('api', 0), await node('api', 1)] as const;
    const workers = [await node('worker', 0), await node('worker', 1)] as const;
    const balancer = new Balancer(() => apis.map(({ url }) => url));
    try {
      const { apiKey, signingKeyFingerprint } = await apis[0].bootstrap();
      for (const one of [...apis, ...workers]) await one.start();
      await balancer.start();
      const world = await createWorld(balancer.url, apiKey);
      return new NodeFarm(database, apis, workers, balancer, world, signingKeyFingerprint);
    } catch (error) {
      // No process may be left behind that holds its database.
      balancer.stop();
      for (const one of [...apis, ...workers]) await one.stop('SIGKILL');
      await database.drop();
      throw error;
    }
  }

  get nodes(): readonly ServiceProcess[] {
    return [...this.apis, ...this.workers];
  }

  async close(): Promise<void> {
    this.balancer.stop();
    for (const node of this.nodes) await node.stop('SIGKILL');
    await this.database.drop();
    for (const { directory } of this.nodes) rmSync(directory, { recursive: true, force: true });
  }
}
