import { runningSha256, sha256Hex, toHex, type RunningSha256 } from '../../domain/kernel/digest.ts';
import { PIECE_BYTES } from '../ports/compliance-export.ts';

/** How far it was. The last two are taken when the first piece behind it is stored. */
interface Mark {
  readonly used: number;
  readonly pieces: number;
  stored: { readonly whole: RunningSha256; readonly begun: Uint8Array } | null;
}

/** Gathers text into pieces of at most so many bytes, and hashes them and the whole. */
export class PieceWriter {
  readonly pieces: string[] = [];
  private whole = runningSha256();
  private marked: Mark | null = null;
  private readonly encoder = new TextEncoder();
  private readonly buffer: Uint8Array;
  private used = 0;

  constructor(
    /** Stores a piece, in the place of an earlier one with its number; the bytes are its own. */
    private readonly store: (ordinal: number, content: Uint8Array) => Promise<void>,
    size = PIECE_BYTES,
  ) {
    this.buffer = new Uint8Array(size);
  }

  /** What is added from here on can be taken back, however long it is. */
  mark(): void {
    this.marked = { used: this.used, pieces: this.pieces.length, stored: null };
  }

  /** Goes back to the mark. */
  takeBack(): void {
    const { marked } = this;
    if (!marked) throw new TypeError('there is no mark');
    this.used = marked.used;
    if (!marked.stored) return;
    this.pieces.length = marked.pieces;
    this.whole = marked.stored.whole;
    this.buffer.set(marked.stored.begun);
    this.mark();
  }

  async add(text: string): Promise<void> {
    let bytes = this.encoder.encode(text);
    while (bytes.length > 0) {
      const part = bytes.subarray(0, this.buffer.length - this.used);
      this.buffer.set(part, this.used);
      this.used += part.length;
      bytes = bytes.subarray(part.length);
      if (this.used === this.buffer.length) await this.flush();
    }
  }

  /** Stores what is left. @returns the SHA-256 of everything, hex. */
  async end(): Promise<string> {
    if (this.used > 0) await this.flush();
    return toHex(this.whole.digest());
  }

  private async flush(): Promise<void> {
    const content = this.buffer.slice(0, this.used);
    if (this.marked)
      this.marked.stored ??= {
        whole: this.whole.clone(),
        begun: content.slice(0, this.marked.used),
      };
    this.used = 0;
    this.whole.update(content);
    this.pieces.push(sha256Hex(content));
    await this.store(this.pieces.length - 1, content);
  }
}
