import { credentialOwner } from '../../application/call/credential-owner.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

/** Calls of one key whose message may be on its way at a time: as many as one connection has streams. */
const MOST_OF_KEY = 1_000;
/** Of one address, behind which there may be many keys. */
const MOST_OF_ADDRESS = 4_000;

/**
 * Counts the calls that were let in and whose message is not there. They have no place in the load gate, so nothing else
 * bounds what they hold.
 */
export class WaitingCalls {
  private readonly counts = new Map<string, number>();

  /**
   * @param caller null: anybody.
   * @returns what is called, once, when the call waits no longer.
   * @throws NotaryError RATE_LIMITED.
   */
  take(caller: Caller | null, address: string): () => void {
    const ofKey = caller ? `key:${caller.apiKeyId ?? credentialOwner(caller)}` : null;
    const ofAddress = `address:${address}`;
    if (ofKey !== null && this.of(ofKey) >= MOST_OF_KEY) throw tooMany('key', MOST_OF_KEY);
    if (this.of(ofAddress) >= MOST_OF_ADDRESS) throw tooMany('address', MOST_OF_ADDRESS);
    const names = ofKey === null ? [ofAddress] : [ofKey, ofAddress];
    for (const name of names) this.counts.set(name, this.of(name) + 1);
    return () => names.forEach((name) => this.forget(name));
  }

  private of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  private forget(name: string): void {
    const left = this.of(name) - 1;
    if (left > 0) this.counts.set(name, left);
    else this.counts.delete(name);
  }
}

const tooMany = (whose: 'key' | 'address', most: number): NotaryError =>
  new NotaryError(
    'RATE_LIMITED',
    `This ${whose} has ${most} calls open whose messages have not arrived, as many as may wait at once. Send their messages, or break them off, and try again.`,
    { retryAfter: 1 },
  );
