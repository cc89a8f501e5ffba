import type { NumberedEvent } from '../../domain/event/event.ts';
import type { EventPlaces } from '../../domain/event/event-places.port.ts';
import type { EventViewer } from '../../domain/event/event-reads.port.ts';
import type { EventFeed } from '../event/event-feed.ts';
import type { SiemPlace } from './siem-cursors.ts';

/** The walk along the numbers that everybody takes who pulls, and every sink. */
export class SiemWalks {
  constructor(
    private readonly feed: Pick<EventFeed, 'page'>,
    private readonly places: EventPlaces,
  ) {}

  /** The next events of a viewer behind a place. Rows that somebody else wrote are left out. */
  async after(
    place: SiemPlace,
    viewer: EventViewer,
    limit: number,
  ): Promise<readonly NumberedEvent[]> {
    for (let after = await this.numberOf(place); ;) {
      const { events, through, hasMore } = await this.feed.page({ viewer, after, limit });
      if (events.length > 0 || !hasMore) return events;
      after = through;
    }
  }

  /**
   * In a database that was restored the number may belong to another event, or to none: then the walk goes on from the time
   * at which it was given. Doubles may come, and nothing is missed.
   */
  private async numberOf(place: SiemPlace): Promise<number> {
    if ('since' in place) return place.since === null ? 0 : this.places.before(place.since);
    const { sequence, id, numberedAt } = place;
    return (await this.places.isAt(sequence, id)) ? sequence : this.places.before(numberedAt);
  }
}
