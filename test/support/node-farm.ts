import { rmSync } from 'node:fs';
import { freePort } from '../../adapters/http/free-port.ts';
import { Balancer } from './balancer.ts';
import type { DatabaseKind, TestDatabase } from './databases.ts';
import { ServiceProcess } from './service-process.ts';
import { freshSecrets } from './stored-chains.ts';
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

  static async open(kind: DatabaseKind): Promise<NodeFarm> {
    const database = await kind.open({ migrated: false });
    const env = { DATABASE_URL: database.url, ...freshSecrets() };
    const node = async (role: 'api' | 'worker'): Promise<ServiceProcess> =>
      new ServiceProcess({ ...env, ROLE: role, PORT: String(await freePort('127.0.0.1')) });
    const apis = [await node('api'), await node('api')] as const;
    const workers = [await node('worker'), await node('worker')] as const;
    const { apiKey, signingKeyFingerprint } = await apis[0].bootstrap();
    for (const one of [...apis, ...workers]) await one.start();
    const balancer = await new Balancer(() => apis.map(({ url }) => url)).start();
    const world = await createWorld(balancer.url, apiKey);
    return new NodeFarm(database, apis, workers, balancer, world, signingKeyFingerprint);
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
