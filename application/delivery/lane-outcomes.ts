import type { Circuit } from '../../domain/delivery/circuit.ts';
import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { Reader } from '../../domain/delivery/webhook-store.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { aboutOrg, type EventOutbox } from '../sealing/event-outbox.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { circuitAfter, type Result } from './lane-results.ts';

/** What came of the requests of a worker since its last commit. */
export class LaneOutcomes {
  results: Result[] = [];
  /** Signed, and not sent after all. */
  unsent: readonly Uuid[] = [];

  constructor(
    private readonly outbox: EventOutbox,
    private readonly id: Uuid,
    private readonly token: Uuid,
  ) {}

  /** Writes all of it. It is forgotten by `clear`, once that is committed. @returns the reader as it is to be saved. */
  async write(
    stores: Stores,
    reader: Reader,
    { orgId }: Pick<Subscription, 'orgId'>,
  ): Promise<Reader> {
    const { deliveries } = stores;
    if (this.unsent.length > 0) await deliveries.unsign(this.unsent);
    if (this.results.length === 0) return reader;
    await deliveries.end(this.results.map(({ ended }) => ended));
    await deliveries.bury(this.results.flatMap(({ letter }) => (letter ? [letter] : [])));
    const circuit = circuitAfter(reader.circuit, this.results);
    await this.tell(stores, orgId, reader.circuit, circuit);
    return { ...reader, circuit };
  }

  get isEmpty(): boolean {
    return this.results.length === 0 && this.unsent.length === 0;
  }

  clear(): void {
    this.results = [];
    this.unsent = [];
  }

  private async tell(stores: Stores, orgId: Uuid, from: Circuit, to: Circuit): Promise<void> {
    if (from.state === to.state || (from.state === 'half_open' && to.state === 'open')) return;
    const isOpen = to.state === 'open';
    await this.outbox.enqueue(
      stores,
      { at: this.results.at(-1)!.at, position: null, requestId: this.token },
      isOpen ? 'webhook.circuit_opened' : 'webhook.circuit_closed',
      aboutOrg(orgId, null),
      { webhookId: this.id, actor: { kind: 'system', agentId: null } },
    );
  }
}
