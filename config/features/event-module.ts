import { ContainerModule } from 'inversify';
import { EventAlarms } from '../../application/event/event-alarms.ts';
import { EventFeed } from '../../application/event/event-feed.ts';
import { FollowEvents } from '../../application/event/follow-events.ts';
import { ListEvents } from '../../application/event/list-events.ts';
import { SummedEvents } from '../../application/event/summed-events.ts';
import type { SumLimit } from '../../application/ports/sums.ts';
import { TellSums } from '../../application/event/tell-sums.ts';
import { OTHER_REFUSALS } from '../../application/identity/refused-authentications.ts';
import { OTHER_MESSAGES } from '../../application/federation/refused-messages.ts';
import { OTHER_USES } from '../../application/identity/authenticate.ts';
import { EventOutbox } from '../../application/sealing/event-outbox.ts';
import { EventTail } from '../../application/event/event-tail.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Numbered events, and those who follow them. */
export const eventModule = new ContainerModule((options) => {
  provideBy(
    options,
    EventTail,
    (reads, notice, log) =>
      new EventTail(reads, notice, (error) =>
        log.warn({ err: error }, 'a look for new events failed; the next one follows'),
      ),
    [t.eventReads, t.eventNotice, t.log],
  );
  provideBy(
    options,
    EventAlarms,
    (events, clock, ids, log) => new EventAlarms(events, clock, ids, log),
    [t.eventLog, t.clock, t.ids, t.log],
  );
  for (const [token, limit] of [
    [t.refusals, REFUSALS],
    [t.refusedMessages, MESSAGES],
    [t.keyUses, USES],
  ] as const)
    provideBy(
      options,
      token,
      (unitOfWork, clock, ids, log) =>
        new SummedEvents(unitOfWork, clock, ids, limit, (error) =>
          log.warn({ err: error }, 'counts could not be written; the next second tries again'),
        ),
      [t.unitOfWork, t.clock, t.ids, t.log],
    );
  provideBy(
    options,
    TellSums,
    (unitOfWork, clock, outbox) =>
      new TellSums(unitOfWork, clock, outbox, [REFUSALS, MESSAGES, USES]),
    [t.unitOfWork, t.clock, EventOutbox],
  );
  provide(options, ListEvents, [t.eventReads]);
  provide(options, EventFeed, [t.eventReads, EventTail]);
  provide(options, FollowEvents, [EventFeed]);
});

/** Together at most 1,000 a minute. Whoever floods the service with bad keys takes no room from the uses of good ones. */
const REFUSALS: SumLimit = { limit: 800, rest: OTHER_REFUSALS };
const MESSAGES: SumLimit = { limit: 100, rest: OTHER_MESSAGES };
const USES: SumLimit = { limit: 100, rest: OTHER_USES };
