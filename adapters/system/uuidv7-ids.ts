import { v7 } from 'uuid';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';

/**
 * UUIDv7 with a counter of 32 bits behind the millisecond (RFC 9562 section 6.2, method 1), which is counted
 * up within a millisecond and while the clock stands behind the last id: ids of one process strictly increase.
 */
export class Uuidv7Ids implements IdSource {
  next(): Uuid {
    return v7();
  }
}
