import type { Clock } from '../../domain/kernel/clock.port.ts';
import { aboutOrg, type EventOutbox } from '../sealing/event-outbox.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import { Sums, type SumLimit } from '../ports/sums.ts';

/**
 * Tells what all processes counted, each group once. It is run where a row is a minute old and takes all that there are, so
 * there is a minute between two runs, on whichever nodes.
 */
export class TellSums {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly outbox: EventOutbox,
    private readonly limits: readonly SumLimit[],
  ) {}

  run(): Promise<void> {
    return this.unitOfWork.transaction(async (stores) => {
      const counted = (await stores.eventSums.take()).flatMap(({ sums }) => sums);
      const at = this.clock.now().toISOString();
      for (const limit of this.limits) {
        const own = counted.filter(({ last }) => last.type === limit.rest.type);
        for (const { count, firstAt, last } of new Sums(limit).addAll(own).all) {
          const { type, orgId, partyAgentId, agentId, data, requestId } = last;
          await this.outbox.enqueue(
            stores,
            { at, position: null, requestId },
            type,
            { ...aboutOrg(orgId, null), partyAgentId, agentId },
            { ...data, count, firstAt },
          );
        }
      }
    });
  }
}
