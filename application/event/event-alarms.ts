import type { EventLog } from '../../domain/event/event-log.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { Log } from '../ports/log.port.ts';
import type { EventFault } from './event-fault.ts';

/** Between two alarms, ms. */
const EVERY_MS = 60_000;

/**
 * Tells of what somebody else did to the events: the first time at once, then at most once a minute with a count. An edited
 * row is met by every reader, so without that one edit would fill the log.
 */
export class EventAlarms {
  #count = 0;
  #last: EventFault | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly events: EventLog,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly log: Log,
    private readonly everyMs = EVERY_MS,
  ) {}

  readonly tell = (fault: EventFault): void => {
    this.#count++;
    this.#last = fault;
    if (!this.#timer) this.#raise();
  };

  #raise(): void {
    this.#timer = null;
    const [fault, count] = [this.#last, this.#count];
    if (!fault) return;
    this.#last = null;
    this.#count = 0;
    this.#timer = setTimeout(() => this.#raise(), this.everyMs).unref();
    this.log.error({ alarm: 'events', ...fault, count }, MESSAGES[fault.fault]);
    const id = this.ids.next();
    this.events.enqueue({
      id,
      type: 'vault.tamper_detected',
      orgId: null,
      counterpartyOrgId: null,
      partyAgentId: null,
      counterpartyAgentId: null,
      recordId: null,
      recordType: null,
      agentId: null,
      data: {
        table: 'outbox',
        ...fault,
        count,
        actor: { kind: 'system', agentId: null },
        requestId: id,
      },
      createdAt: this.clock.now().toISOString(),
      position: null,
    });
  }
}

const MESSAGES: Readonly<Record<EventFault['fault'], string>> = {
  row: 'an event was changed behind the service: it is given to nobody',
  number: 'the number of an event was changed behind the service: the event is given to nobody',
  hole: 'events were removed behind the service: their numbers are missing',
  counter: 'the counter of events was changed behind the service, or events were removed',
};
