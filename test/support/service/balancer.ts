import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const PROBE_MS = 200;
const PATIENCE_MS = 5_000;

/**
 * A balancer of TCP connections, as one stands before several nodes: it asks each for /readyz, gives new connections to
 * those that answered last time, in turn, and drops those of a node that no longer does.
 */
export class Balancer {
  private readonly server: Server;
  private readonly well = new Set<string>();
  private readonly open = new Map<string, Set<Socket>>();
  /** Those whose answer is awaited. A slow machine needs longer for it than from one probe to the next. */
  private readonly asked = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private turn = 0;
  url = '';

  constructor(private readonly nodes: () => readonly string[]) {
    this.server = createServer((client) => this.forward(client));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    await this.probe();
    this.timer = setInterval(() => void this.probe(), PROBE_MS);
    return this;
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.server.close();
    for (const sockets of this.open.values()) for (const socket of sockets) socket.destroy();
  }

  private async probe(): Promise<void> {
    await Promise.all(
      this.nodes().map(async (node) => {
        if (this.asked.has(node)) return;
        this.asked.add(node);
        const isWell = await fetch(`${node}/readyz`, {
          signal: AbortSignal.timeout(PATIENCE_MS),
        }).then(
          (answer) => answer.arrayBuffer().then(() => answer.ok),
          () => false,
        );
        this.asked.delete(node);
        if (isWell) this.well.add(node);
        else this.drop(node);
      }),
    );
  }

  private drop(node: string): void {
    this.well.delete(node);
    for (const socket of this.open.get(node) ?? []) socket.destroy();
  }

  private forward(client: Socket): void {
    const nodes = [...this.well];
    const node = nodes[this.turn++ % Math.max(1, nodes.length)];
    client.on('error', () => client.destroy());
    if (node === undefined) return void client.destroy();
    const { hostname, port } = new URL(node);
    const upstream = connect(Number(port), hostname);
    const sockets = this.open.get(node) ?? new Set();
    this.open.set(node, sockets.add(client));
    upstream.on('error', () => client.destroy());
    upstream.once('close', () => client.destroy());
    client.once('close', () => {
      sockets.delete(client);
      upstream.destroy();
    });
    client.pipe(upstream);
    upstream.pipe(client);
  }
}
