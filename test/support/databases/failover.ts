import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * Stands before the servers of a database, as a proxy does that knows one writer: all connections go to one server. Once it
 * takes none, they go to the next, and stay there.
 */
export class Failover {
  private readonly server: Server;
  private readonly open = new Set<Socket>();
  private current = 0;
  /** How often another server was chosen. */
  moves = 0;

  constructor(private readonly ports: readonly number[]) {
    this.server = createServer((client) => {
      client.on('error', () => client.destroy());
      client.once('close', () => this.open.delete(client));
      this.open.add(client);
      this.forward(client, this.ports.length);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  stop(): void {
    this.server.close();
    for (const client of this.open) client.destroy();
  }

  private forward(client: Socket, tries: number): void {
    const at = this.current;
    const upstream = connect(this.ports[at]!, '127.0.0.1');
    let isConnected = false;
    upstream.once('connect', () => {
      isConnected = true;
      client.pipe(upstream);
      upstream.pipe(client);
    });
    upstream.on('error', () => {
      if (isConnected || tries <= 1) return void client.destroy();
      if (this.current === at) {
        this.current = (at + 1) % this.ports.length;
        this.moves++;
      }
      this.forward(client, tries - 1);
    });
    upstream.once('close', () => {
      if (isConnected) client.destroy();
    });
    client.once('close', () => upstream.destroy());
  }
}
