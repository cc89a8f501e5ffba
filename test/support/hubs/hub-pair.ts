import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceIdentifier } from 'inversify';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../../config/service.ts';
import { HubDoor } from './hub-door.ts';
import { ServiceProcess } from '../service/service-process.ts';
import { settingsIn } from '../service/settings-in.ts';
import { TlsAuthority } from '../peers/tls-authority.ts';
import { startWatched } from '../service/watched-service.ts';
import { Client, createWorld, ok, type Body, type World } from '../service/world.ts';

type Environment = Readonly<Record<string, string>>;

/** How the service of a hub runs: in this process, or in one of its own, which can be killed. */
export interface HubRuntime {
  /** @returns where it listens. */
  start(): Promise<string>;
  stop(): Promise<void>;
  /** As SIGKILL does. */
  kill(): Promise<void>;
  /** The platform key of an empty database; before the first start. */
  bootstrap(): Promise<string>;
}

/** A hub behind its door, with an org, two agents and the types of the world. */
export class TestHub {
  world!: World;
  identity!: Body;

  constructor(
    readonly name: string,
    readonly door: HubDoor,
    readonly runtime: HubRuntime,
  ) {}

  get hubId(): string {
    return String(this.identity['hubId']);
  }

  async begin(): Promise<void> {
    const platformKey = await this.runtime.bootstrap();
    await this.start();
    const url = String(this.door.hub);
    this.world = await createWorld(url, platformKey, this.name);
    this.identity = await ok(new Client(url, null).get('/federation/v1/identity'));
  }

  async start(): Promise<void> {
    this.door.hub = await this.runtime.start();
    if (this.world) this.world = moved(this.world, this.door.hub);
  }

  /** Whether it answers. A hub that is being started again does not yet. */
  async isUp(): Promise<boolean> {
    const { hub } = this.door;
    if (hub === null) return false;
    return fetch(`${hub}/livez`).then(
      ({ ok: isWell }) => isWell,
      () => false,
    );
  }

  async kill(): Promise<void> {
    this.door.hub = null;
    await this.runtime.kill();
  }

  /** What an operator of the other side compares out of band, and registers. */
  get claim(): Body {
    const { hubId, baseUrl, publicKeyJwk, vaultRoot } = this.identity;
    return { hubId, baseUrl, publicKeyJwk, vaultRoot };
  }
}

/** The same world at another address: a restarted hub listens at a new port. */
const moved = (world: World, url: string): World => {
  const at = ({ key }: Client): Client => new Client(url, key);
  const agent = (one: World['principal']) => ({ id: one.id, client: at(one.client) });
  return {
    ...world,
    url,
    platform: at(world.platform),
    admin: at(world.admin),
    anonymous: at(world.anonymous),
    principal: agent(world.principal),
    performer: agent(world.performer),
  };
};

/** Two hubs that reach each other through doors over TLS. `home` has the principal, `far` the performer. */
export class HubPair {
  private constructor(
    readonly home: TestHub,
    readonly far: TestHub,
    private readonly folder: string,
  ) {}

  /** @param run makes the service of a hub of these settings. */
  static async open(
    run: (env: Environment, directory: string) => Promise<HubRuntime> = inProcess,
    env: (name: 'home' | 'far') => Environment | Promise<Environment> = () => ({}),
  ): Promise<HubPair> {
    const folder = mkdtempSync(join(tmpdir(), 'notary-hubs-'));
    const authority = await TlsAuthority.create();
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, authority.pem);
    const hub = async (name: 'home' | 'far'): Promise<TestHub> => {
      const door = await HubDoor.open(authority);
      const runtime = await run(
        {
          PUBLIC_URL: door.url,
          EGRESS_CA_FILE: caFile,
          EGRESS_ALLOW_CIDRS_PEER: '127.0.0.0/8,::1/128',
          ...(await env(name)),
        },
        join(folder, name),
      );
      return new TestHub(name, door, runtime);
    };
    const pair = new HubPair(await hub('home'), await hub('far'), folder);
    await pair.home.begin();
    await pair.far.begin();
    return pair;
  }

  /** Each side registers the other, as two operators do who compared the claims. */
  async peer(): Promise<void> {
    const { home, far } = this;
    await ok(home.world.platform.post('/v1/admin/federation/peers', far.claim));
    await ok(far.world.platform.post('/v1/admin/federation/peers', home.claim));
    await Promise.all([this.untilActive(home, far), this.untilActive(far, home)]);
  }

  private async untilActive(hub: TestHub, { hubId }: TestHub): Promise<void> {
    await until(async () => {
      const peer = await ok(hub.world.platform.get(`/v1/admin/federation/peers/${hubId}`));
      return peer['status'] === 'ACTIVE';
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.home.runtime.stop(), this.far.runtime.stop()]);
    await Promise.all([this.home.door.close(), this.far.door.close()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A hub of this process, whose parts a test can ask. */
export interface OpenRuntime extends HubRuntime {
  part<T>(token: ServiceIdentifier<T>): T;
}

/** The real container with the real HTTP server, in this process. */
export const inProcess = (env: Environment, directory: string): Promise<OpenRuntime> => {
  const settings = settingsIn(directory, env);
  let service: RunningService | null = null;
  const stop = async (): Promise<void> => {
    await service?.stop();
    service = null;
  };
  return Promise.resolve({
    start: async () => String((service = await startWatched(settings)).url),
    part: (token) => service!.container.get(token),
    stop,
    kill: stop,
    bootstrap: async () => {
      const early = await startWatched(settings);
      const { apiKey } = await early.container.get(BootstrapPlatform).execute();
      await early.stop();
      return apiKey;
    },
  });
};

/** `notary serve` in a process of its own. */
export const inItsOwnProcess = (env: Environment, directory: string): Promise<HubRuntime> => {
  const process = new ServiceProcess(env, directory);
  return Promise.resolve({
    start: async () => {
      await process.start();
      return process.url;
    },
    stop: async () => void (await process.stop()),
    kill: async () => void (await process.stop('SIGKILL')),
    bootstrap: async () => (await process.bootstrap()).apiKey,
  });
};

export const until = async (
  met: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> => {
  for (const end = performance.now() + withinMs; !(await asked(met)); await sleep(25))
    if (performance.now() > end) throw new Error('it did not come to pass');
};

/** A hub that is away just now says neither yes nor no. */
const asked = async (met: () => boolean | Promise<boolean>): Promise<boolean> => {
  try {
    return await met();
  } catch (error) {
    if (error instanceof TypeError && error.message === 'fetch failed') return false;
    throw error;
  }
};

/** The same, and each hub is noted, in the order in which they are made. */
export const noting =
  (runtimes: OpenRuntime[]): typeof inProcess =>
  async (env, directory) => {
    const runtime = await inProcess(env, directory);
    runtimes.push(runtime);
    return runtime;
  };
