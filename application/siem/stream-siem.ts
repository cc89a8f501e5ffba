import type { NumberedEvent } from '../../domain/event/event.ts';
import type { EventPlaces } from '../../domain/event/event-places.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { SiemFormat } from '../../domain/siem/siem-line.ts';
import type { CallContext } from '../call/call-context.ts';
import { eventViewer } from '../event/event-viewer.ts';
import type { Vault } from '../sealing/vault.ts';
import type { SiemCursors, SiemPlace } from './siem-cursors.ts';
import type { SiemLines } from './siem-lines.ts';
import type { SiemWalks } from './siem-walk.ts';

/** An event that waits longer than this for its number, ms: what can be read may be far from what happened. */
const LONGEST_WAIT_MS = 60_000;

interface StreamInput {
  readonly since?: string;
  readonly cursor?: string;
  readonly limit?: number;
  readonly format?: SiemFormat;
}

/** One page of the stream. */
export interface SiemPage {
  readonly events: readonly NumberedEvent[];
  /** One an event, with its line feed. Made while they are read. */
  readonly lines: () => AsyncIterable<string>;
  /** Where the next page begins. */
  readonly cursor: string;
  /** Whole seconds. */
  readonly holdbackSeconds: number;
}

/** Numbered events as lines for a SIEM, a page a call. */
export class StreamSiem {
  constructor(
    private readonly walks: Pick<SiemWalks, 'after'>,
    private readonly places: Pick<EventPlaces, 'longestWait'>,
    private readonly cursors: SiemCursors,
    private readonly lines: SiemLines,
    private readonly vault: Pick<Vault, 'hub'>,
  ) {}

  async execute(
    { caller }: CallContext,
    { since, cursor, limit = 100, format = 'ocsf' }: StreamInput,
  ): Promise<SiemPage> {
    if (since !== undefined && cursor !== undefined) throw bothGiven();
    const walk = { viewer: eventViewer(caller), hubId: this.vault.hub.hubId, format };
    const place: SiemPlace =
      cursor === undefined ? { since: since ?? null } : this.cursors.decode(cursor, walk);
    // Before the page: what waited then has a number by now, or is not in this page.
    const waiting = await this.places.longestWait();
    if (waiting > LONGEST_WAIT_MS) throw notNumbered();
    const events = await this.walks.after(place, walk.viewer, limit);
    const last = events.at(-1);
    const { lines } = this;
    return {
      events,
      lines: async function* () {
        for (const event of events) yield lines.of(event, format);
      },
      cursor: this.cursors.encode(last ?? place, walk),
      holdbackSeconds: Math.ceil(waiting / 1000),
    };
  }
}

const bothGiven = (): NotaryError =>
  new NotaryError('VALIDATION_ERROR', 'A walk begins with since or goes on with cursor.', {
    errors: ['since', 'cursor'].map((name) => ({
      path: `/${name}`,
      keyword: 'not',
      message: 'cannot stand beside the other of the two',
    })),
    suggestion: 'Send since with the first request alone, and cursor with every other one.',
  });

const notNumbered = (): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    'Events have waited for their numbers for more than a minute, so it cannot be said where the stream ends.',
    { retryAfter: 30, suggestion: 'Ask again with the same cursor: nothing is lost.' },
  );
