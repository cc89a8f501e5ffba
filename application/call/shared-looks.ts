import type { Caller } from '../../domain/identity/caller.ts';
import type { Call } from './call.port.ts';
import type { Credentials } from './credentials.ts';

/** How often a credential is looked at, ms. */
const EVERY_MS = 1_000;

/** What a look at the credential came to: who calls, or why it no longer holds or could not be looked at. */
export type Look = { readonly caller: Caller } | { readonly error: unknown };

interface Watched {
  readonly watchers: Set<(look: Look) => void>;
  readonly timer: NodeJS.Timeout;
  isLooking: boolean;
}

/**
 * Looks at credentials again while streams are open. Those of one credential at one address share a look and its timer, so
 * that a thousand idle ones cost what one does.
 */
export class SharedLooks {
  private readonly watched = new Map<string, Watched>();

  constructor(
    private readonly credentials: Pick<Credentials, 'open'>,
    private readonly everyMs = EVERY_MS,
  ) {}

  /** @returns what ends it. */
  watch(call: Call, watcher: (look: Look) => void): () => void {
    const name = JSON.stringify([call.credential(), call.address]);
    const watched = this.watched.get(name) ?? this.begin(name, call);
    watched.watchers.add(watcher);
    return () => {
      watched.watchers.delete(watcher);
      if (watched.watchers.size > 0) return;
      clearInterval(watched.timer);
      if (this.watched.get(name) === watched) this.watched.delete(name);
    };
  }

  private begin(name: string, call: Call): Watched {
    const timer = setInterval(() => void this.look(watched, call), this.everyMs);
    const watched: Watched = { watchers: new Set(), timer, isLooking: false };
    this.watched.set(name, watched);
    return watched;
  }

  /** Never rejects. */
  private async look(watched: Watched, call: Call): Promise<void> {
    if (watched.isLooking) return;
    watched.isLooking = true;
    const look: Look = await this.credentials.open(call).then(
      (caller) => ({ caller }),
      (error: unknown) => ({ error }),
    );
    watched.isLooking = false;
    for (const watcher of [...watched.watchers]) watcher(look);
  }
}
