import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { until, type receiverTls } from '../peers/receiver.ts';
import { eventIds, expectWhole } from '../databases/deliveries.ts';
import { ReceiverProcess } from '../peers/receiver-process.ts';
import { ServiceProcess } from './service-process.ts';
import { freshSecrets } from '../databases/stored-chains.ts';
import { Client, createWorld, ok, type Body, type World } from './world.ts';

type Tls = Awaited<ReturnType<typeof receiverTls>>;

/** Starts a service in a process of its own that may send to receivers on this machine. */
export const startSender = async (
  url: string,
  ca: string,
): Promise<{ readonly service: ServiceProcess; readonly world: World }> => {
  const service = new ServiceProcess({
    DATABASE_URL: url,
    EGRESS_CA: ca,
    EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128',
    ...freshSecrets(),
  });
  const { apiKey } = await service.bootstrap();
  await service.start();
  return { service, world: await createWorld(service.url, apiKey) };
};

/** A service in a process of its own and receivers in theirs, each with a webhook of record.recorded. */
export class DeliveryRig {
  readonly receivers: ReceiverProcess[] = [];
  readonly hooks: string[] = [];

  private constructor(
    readonly service: ServiceProcess,
    private readonly world: World,
  ) {}

  /** @param delays of the answers of each receiver, ms. */
  static async open(
    url: string,
    { ca, identity }: Tls,
    delays: readonly number[],
  ): Promise<DeliveryRig> {
    const { service, world } = await startSender(url, ca);
    const rig = new DeliveryRig(service, world);
    for (const delay of delays) {
      const receiver = await new ReceiverProcess(identity, delay).start();
      rig.receivers.push(receiver);
      const hook = { url: receiver.url, eventTypes: ['record.recorded'] };
      rig.hooks.push(String((await ok(rig.admin.post('/v1/webhooks', hook)))['id']));
    }
    return rig;
  }

  get admin(): Client {
    return new Client(this.service.url, this.world.admin.key);
  }

  get platform(): Client {
    return new Client(this.service.url, this.world.platform.key);
  }

  get principal(): Client {
    return new Client(this.service.url, this.world.principal.client.key);
  }

  get orgId(): string {
    return this.world.orgId;
  }

  /** What a breaker refused is asked for again, and a breaker that is open is closed, as an operator does it. */
  async recover(): Promise<void> {
    for (const hook of this.hooks) {
      const path = `/v1/webhooks/${hook}`;
      const { circuitState } = await ok(this.admin.get(path));
      if (circuitState !== 'closed')
        await ok(
          this.platform.patch(`/v1/admin/webhooks/${hook}/circuit-breaker`, { state: 'closed' }),
        );
      await ok(this.admin.post(`${path}/dlq/retry-all`));
    }
  }

  /** Waits until every receiver has every event, and holds what came against them. @returns the events. */
  async delivered(withinMs: number, meanwhile?: () => Promise<unknown>): Promise<string[]> {
    let events: string[] = [];
    await until(async () => {
      // The last ones get their number late.
      await sleep(500);
      await meanwhile?.();
      const before = events.length;
      events = await eventIds(this.admin);
      return events.length === before && this.receivers.every((one) => this.has(one, events));
    }, withinMs);
    for (const { received } of this.receivers) expectWhole(received, events);
    return events;
  }

  private has({ received }: ReceiverProcess, events: readonly string[]): boolean {
    return new Set(received.map(({ body }) => body['id'] as unknown)).size >= events.length;
  }

  /** The records whose events were told of. */
  recordsOf(receiver: ReceiverProcess): ReadonlySet<string> {
    return new Set(receiver.received.map(({ body }: { body: Body }) => String(body['recordId'])));
  }

  async close(): Promise<void> {
    await this.service.stop('SIGKILL');
    for (const receiver of this.receivers) await receiver.drop();
    rmSync(this.service.directory, { recursive: true, force: true });
  }
}
