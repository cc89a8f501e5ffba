import { NotaryError } from '../../domain/kernel/errors.ts';

/** Bodies of the largest size that one address may have under way before a signature vouches for them. */
const MOST = 16;

/**
 * Bodies that are read before it is known who sent them. Anybody may name a hub that is a peer here, so an address has room
 * for a few of them, and no memory is taken beyond that.
 */
export class UnprovenBodies {
  private readonly held = new Map<string, number>();

  /** @param largest bytes of the largest body that is taken. */
  constructor(
    private readonly largest: number,
    private readonly addressKey: (address: string) => string,
  ) {}

  /**
   * @param bytes as announced; null where the head does not say, which counts as the largest.
   * @throws RATE_LIMITED; otherwise what gives the room back.
   */
  hold(address: string, bytes: number | null): () => void {
    const key = this.addressKey(address);
    const asked = Math.min(bytes ?? this.largest, this.largest);
    const before = this.held.get(key) ?? 0;
    if (before + asked > MOST * this.largest)
      throw new NotaryError(
        'RATE_LIMITED',
        'Too many bodies from this address are under way at once.',
        { retryAfter: 1 },
      );
    this.held.set(key, before + asked);
    return () => {
      const left = (this.held.get(key) ?? 0) - asked;
      if (left > 0) this.held.set(key, left);
      else this.held.delete(key);
    };
  }
}
