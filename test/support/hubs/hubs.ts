import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../../config/service.ts';
import { loadSettings } from '../../../config/settings.ts';
import { receiverTls } from '../peers/receiver.ts';
import { NO_LIMITS } from '../service/service-process.ts';
import type { TlsIdentity } from '../peers/tls-authority.ts';
import { startWatched } from '../service/watched-service.ts';
import { Client, ok, type Body } from '../service/world.ts';

/** Ends TLS before a service, as the proxy of an operator does. */
export class TlsProxy {
  private readonly sockets = new Set<Socket>();
  /** Where it leads; nowhere while null. */
  port: number | null = null;

  private constructor(private readonly server: Server) {}

  static async open(identity: TlsIdentity): Promise<TlsProxy> {
    const server = createServer({ cert: identity.cert, key: identity.key });
    const proxy = new TlsProxy(server);
    server.on('secureConnection', (socket) => proxy.pass(socket));
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Breaks every connection off. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (this.port === null) return void socket.destroy();
    const onward = connect(this.port, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.on('error', () => one.destroy());
    }
    socket.pipe(onward).pipe(socket);
  }
}

/** A notary in this process, with TLS before it and a folder of its own. */
export class TestHub {
  service!: RunningService;
  platform!: Client;
  private apiKey: string | null = null;

  private constructor(
    readonly name: string,
    readonly proxy: TlsProxy,
    private readonly directory: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async open(
    name: string,
    tls: { readonly ca: string; readonly identity: TlsIdentity },
    env: Readonly<Record<string, string>> = {},
  ): Promise<TestHub> {
    const directory = mkdtempSync(join(tmpdir(), `notary-hub-${name}-`));
    const proxy = await TlsProxy.open(tls.identity);
    const hub = new TestHub(name, proxy, directory, { EGRESS_CA: tls.ca, ...env });
    await hub.start();
    return hub;
  }

  get url(): string {
    return this.proxy.url;
  }

  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { settings } = loadSettings(
      {
        NODE_ENV: 'test',
        PORT: '0',
        PUBLIC_URL: this.url,
        HUB_NAME: this.name,
        EGRESS_ALLOW_CIDRS_PEER: '127.0.0.0/8',
        DATA_DIR: join(this.directory, 'data'),
        KEYS_DIR: join(this.directory, 'keys'),
        ...NO_LIMITS,
        ...this.env,
        ...more,
      },
      { cwd: this.directory },
    );
    this.service = await startWatched(settings);
    const url = String(this.service.url);
    this.proxy.port = Number(new URL(url).port);
    this.apiKey ??= (await this.service.container.get(BootstrapPlatform).execute()).apiKey;
    this.platform = new Client(url, this.apiKey);
  }

  async stop(): Promise<void> {
    this.proxy.port = null;
    this.proxy.cut();
    await this.service.stop();
  }

  async end(): Promise<void> {
    await this.stop();
    await this.proxy.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** What its administrator tells another one over the telephone. */
  async identity(): Promise<Body> {
    return ok(new Client(String(this.service.url), null).get('/federation/v1/identity'));
  }

  async peer(hubId: unknown): Promise<Body> {
    return ok(this.platform.get(`/v1/admin/federation/peers/${String(hubId)}`));
  }

  /** Registers another hub by what its identity shows. */
  async register(other: TestHub): Promise<Body> {
    const { hubId, baseUrl, publicKeyJwk, vaultRoot } = await other.identity();
    const input = { hubId, baseUrl, publicKeyJwk, vaultRoot };
    return ok(this.platform.post('/v1/admin/federation/peers', input));
  }
}

/** Hubs that trust the same authority, by name. */
export const openHubs = async (
  names: readonly string[],
  env: () =>
    Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>> = () => ({}),
): Promise<readonly TestHub[]> => {
  const tls = await receiverTls();
  return Promise.all(names.map(async (name) => TestHub.open(name, tls, await env())));
};
