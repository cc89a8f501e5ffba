import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';

const RANDOM = 16;
const SEQUENCES = 2 ** 32;

/**
 * UUIDv7 with a counter of 32 bits after the millisecond (RFC 9562 section 6.2, method 1). The
 * counter goes up within a millisecond, and while the clock is behind the last id, so ids of one
 * process strictly increase.
 *
 * Random bytes are fetched for many ids at once, because fetching them for each was a measurable
 * part of a notarize call.
 */
export class Uuidv7Ids implements IdSource {
  private readonly pool = new Uint8Array(RANDOM * 256);
  private used = this.pool.length;
  private msecs = 0;
  private seq = 0;

  next(): Uuid {
    const random = this.random();
    const now = Date.now();
    if (now > this.msecs) {
      this.msecs = now;
      // A start in the lower half leaves the counter room to count.
      this.seq = ((random[6]! & 0x7f) << 24) | (random[7]! << 16) | (random[8]! << 8) | random[9]!;
    } else {
      this.seq += 1;
      if (this.seq === SEQUENCES) [this.msecs, this.seq] = [this.msecs + 1, 0];
    }
    return v7({ msecs: this.msecs, seq: this.seq, random });
  }

  private random(): Uint8Array {
    if (this.used === this.pool.length) {
      randomFillSync(this.pool);
      this.used = 0;
    }
    this.used += RANDOM;
    return this.pool.slice(this.used - RANDOM, this.used);
  }
}
