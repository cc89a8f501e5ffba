/** More addresses than handshake within the time that is counted. */
const MAX_ADDRESSES = 10_000;

/**
 * Handshakes under the id of a hub that is registered here, by a key that is not the one that was registered. Nothing is kept
 * of them, but they are counted as those that wait for an operator are: whoever counts learns nothing of who is known here.
 */
export class TakenHandshakes {
  private readonly ends = new Map<string, Map<string, number>>();

  constructor(private readonly lifetimeMs: number) {}

  /** How many came from an address, without those of one key. */
  of(address: string, butThumbprint: string, now: number): number {
    const own = this.ends.get(address);
    if (!own) return 0;
    for (const [thumbprint, end] of own) if (end <= now) own.delete(thumbprint);
    return own.size - (own.has(butThumbprint) ? 1 : 0);
  }

  add(address: string, thumbprint: string, now: number): void {
    const own = this.ends.get(address) ?? new Map<string, number>();
    own.set(thumbprint, now + this.lifetimeMs);
    this.ends.delete(address);
    this.ends.set(address, own);
    const [oldest] = this.ends.keys();
    if (this.ends.size > MAX_ADDRESSES && oldest !== undefined) this.ends.delete(oldest);
  }
}
