/** Places for digests whose first bytes are alike. */
const WAYS = 4;
const BYTES = 32;

/**
 * Digests of 32 bytes that were added, of which the older ones are forgotten: it never knows one that was not added. Of half
 * of `capacity` hardly any is lost. They stand in one block, so that many weigh little and the garbage collector walks over
 * none of them.
 */
export class KnownDigests {
  private readonly rows: number;
  private places: Uint8Array | null = null;

  constructor(capacity: number) {
    this.rows = Math.ceil(capacity / WAYS);
  }

  add(digest: Uint8Array): void {
    const places = (this.places ??= new Uint8Array(this.rows * WAYS * BYTES));
    const row = this.rowOf(digest);
    places.copyWithin(row + BYTES, row, row + (WAYS - 1) * BYTES);
    places.set(digest, row);
  }

  /** An empty place holds zeros, which is the digest of nothing that anybody knows. */
  has(digest: Uint8Array): boolean {
    const { places } = this;
    if (!places) return false;
    const row = this.rowOf(digest);
    for (let place = row; place < row + WAYS * BYTES; place += BYTES)
      if (isAt(places, place, digest)) return true;
    return false;
  }

  private rowOf(digest: Uint8Array): number {
    if (digest.length !== BYTES) throw new RangeError(`a digest has ${BYTES} bytes`);
    const start = (digest[0]! << 16) | (digest[1]! << 8) | digest[2]!;
    return (start % this.rows) * WAYS * BYTES;
  }
}

const isAt = (places: Uint8Array, place: number, digest: Uint8Array): boolean => {
  for (let at = 0; at < BYTES; at++) if (places[place + at] !== digest[at]) return false;
  return true;
};
