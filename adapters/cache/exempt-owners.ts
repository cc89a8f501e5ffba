import type { ExemptOwners } from '../../application/ports/exempt-owners.port.ts';
import type { Eventually } from '../../application/ports/rate-limiter.port.ts';
import type { RateLimitExemptionReads } from '../../domain/identity/rate-limit-exemption-store.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { CACHED_MS } from './cached-reads.ts';
import type { ChangeNotices } from './change-notices.ts';

/** After so long the next call has the rows read anew, and does not wait for them. */
const REFRESH_MS = CACHED_MS / 2;

type Owners = ReadonlySet<Uuid>;

/**
 * All owners that are exempt, in memory: one statement twice a second while calls come, and none while none do. Only a
 * call that comes after a pause, or after a change by this node, waits for it.
 */
export class CachedExemptOwners implements ExemptOwners {
  private known: Owners = new Set();
  /** When the reading of them began. */
  private asOf = -Infinity;
  private reading: Promise<Owners> | null = null;
  /** Made by this node: what was read before the last of them is not kept. */
  private changes = 0;

  constructor(
    private readonly reads: Pick<RateLimitExemptionReads, 'owners'>,
    notices: ChangeNotices,
    private readonly now: () => number = () => performance.now(),
  ) {
    notices.on('rate-limit-exemption', () => {
      this.changes++;
      this.asOf = -Infinity;
      this.reading = null;
    });
  }

  isExempt(ownerId: Uuid): Eventually<boolean> {
    const age = this.now() - this.asOf;
    if (age >= CACHED_MS) return this.read().then((owners) => owners.has(ownerId));
    if (age >= REFRESH_MS) void this.read();
    return this.known.has(ownerId);
  }

  /** Those who ask at once share it. One connection that fell silent would hold up every call, so none waits for long. */
  private read(): Promise<Owners> {
    if (this.reading) return this.reading;
    const reading = Promise.race([this.stored(), noAnswer()])
      .catch(() => null)
      .then((owners) => {
        if (this.reading === reading) this.reading = null;
        return owners ?? this.known;
      });
    this.reading = reading;
    return reading;
  }

  /** Kept also where it comes late, so that what was taken back ends on a slow node too. */
  private async stored(): Promise<Owners> {
    const { changes } = this;
    const begun = this.now();
    const owners = await this.reads.owners();
    if (changes === this.changes && begun > this.asOf) {
      this.known = owners;
      this.asOf = begun;
    }
    return owners;
  }
}

const noAnswer = (): Promise<null> =>
  new Promise((resolve) => setTimeout(() => resolve(null), CACHED_MS).unref());
