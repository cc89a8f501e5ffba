import { LINE_FEED, MAX_LINE_BYTES } from './dump-lines.ts';

/** Whole lines of a file. */
export interface DumpBlock {
  /** They stand at the beginning of the buffer, which is given back when they were read. */
  readonly buffer: ArrayBuffer;
  readonly length: number;
  /** Of the first line in it, from 1. */
  readonly firstLine: number;
  /** Nothing of the file comes after it. */
  readonly isLast: boolean;
}

/** A block of `audit_vault`. */
export interface ChainBlock extends DumpBlock {
  /** What went on in the block before goes on here. */
  readonly continues: boolean;
  /** What goes on here does so in the next block. */
  readonly goesOn: boolean;
  /** The highest chain key up to its end that can be seen without reading the lines; empty where there is none. */
  readonly highest: string;
}

/** A block ends when it has this length and may end. */
const WANTED = 256 * 1024;
/** And at that length in any case. */
const MOST = 1024 * 1024;
/** A line that is longer than any row is cut, so long that it still shows. */
const CAPACITY = MOST + 2 * MAX_LINE_BYTES;

/** Buffers that are used again: what a block no longer needs is given back by whoever read it. */
export class BlockBuffers {
  private readonly free: ArrayBuffer[] = [];

  take(): ArrayBuffer {
    return this.free.pop() ?? new ArrayBuffer(CAPACITY);
  }

  give(buffer: ArrayBuffer): void {
    if (buffer.byteLength === CAPACITY) this.free.push(buffer);
  }
}

/** Cuts a file into blocks of lines, each of which can be read alone. */
export async function* blocksOf(
  parts: AsyncIterable<Uint8Array>,
  buffers: BlockBuffers,
): AsyncGenerator<DumpBlock> {
  const cut = new Cut(buffers);
  for await (const part of parts)
    for (const length of cut.lines(part)) if (length >= WANTED) yield cut.block(length, false);
  yield cut.block(cut.length, true);
}

/**
 * Cuts `audit_vault` into blocks that can be verified apart from each other: one begins where the chain key ascends beyond
 * all keys before it. Where it does not for long, be it that a chain is long or that the file is out of order, the parts
 * continue each other. Whether a block begins at a line is seen by the text of the file alone.
 */
export async function* chainBlocksOf(
  parts: AsyncIterable<Uint8Array>,
  buffers: BlockBuffers,
): AsyncGenerator<ChainBlock> {
  const cut = new Cut(buffers);
  let highest = '';
  let continues = false;
  let current = new Uint8Array(0);
  const block = (length: number, goesOn: boolean, isLast = false): ChainBlock => {
    const made = { ...cut.block(length, isLast), continues, goesOn, highest };
    continues = goesOn;
    return made;
  };
  for await (const part of parts)
    for (const end of cut.lines(part)) {
      const { line } = cut;
      const key = chainKeyBytes(line);
      if (key && !isSame(key, current)) {
        current = key.slice();
        const text = ascii.decode(key);
        const start = end - line.length - 1;
        if (text > highest) {
          if (start >= WANTED) yield block(start, false);
          highest = text;
        }
      }
      if (cut.length >= MOST) yield block(cut.length, true);
    }
  yield block(cut.length, false, true);
}

/** Collects bytes, and finds the ends of lines in them. */
class Cut {
  private bytes: Uint8Array<ArrayBuffer>;
  /** How much is held. */
  private held = 0;
  /** Where the line begins that has no end yet. */
  private start = 0;
  private firstLine = 1;
  private linesHeld = 0;
  /** The line that ended last, without its line feed. */
  line = new Uint8Array(0);

  constructor(private readonly buffers: BlockBuffers) {
    this.bytes = new Uint8Array(buffers.take());
  }

  /** The last line in it may have no end. */
  get length(): number {
    return this.held;
  }

  /** Takes bytes in, and stops at the end of each line: gives the length up to there, the line feed included. */
  *lines(part: Uint8Array): Generator<number> {
    for (let at = 0; at < part.length;) {
      const feed = part.indexOf(LINE_FEED, at);
      const end = feed < 0 ? part.length : feed;
      // Of a line that is too long there is no more than shows that.
      const room = MAX_LINE_BYTES + 1 - (this.held - this.start);
      const taken = Math.min(end - at, Math.max(0, room));
      this.bytes.set(part.subarray(at, at + taken), this.held);
      this.held += taken;
      at = end;
      if (feed < 0) return;
      this.line = this.bytes.subarray(this.start, this.held);
      this.bytes[this.held++] = LINE_FEED;
      this.start = this.held;
      this.linesHeld++;
      at++;
      yield this.held;
    }
  }

  /** Gives the lines up to there away. */
  block(length: number, isLast: boolean): DumpBlock {
    const { buffer } = this.bytes;
    const next = new Uint8Array(this.buffers.take());
    const rest = this.bytes.subarray(length, this.held);
    next.set(rest);
    this.bytes = next;
    this.held = rest.length;
    this.start -= length;
    // What is left ends with the line that was just seen, or is none.
    const linesLeft = this.start > 0 ? 1 : 0;
    const { firstLine } = this;
    this.firstLine += this.linesHeld - linesLeft;
    this.linesHeld = linesLeft;
    return { buffer, length, firstLine, isLast };
  }
}

const PREFIX = new TextEncoder().encode('{"chain_key":"');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MAX_KEY_BYTES = 64;

/** What a line of `audit_vault` says before anything else; null where that is not seen at once. */
const chainKeyBytes = (line: Uint8Array): Uint8Array | null => {
  for (let at = 0; at < PREFIX.length; at++) if (line[at] !== PREFIX[at]) return null;
  for (let at = PREFIX.length; at < PREFIX.length + MAX_KEY_BYTES; at++) {
    const byte = line[at];
    if (byte === QUOTE) return line.subarray(PREFIX.length, at);
    if (byte === undefined || byte === BACKSLASH || byte < 0x20 || byte > 0x7e) return null;
  }
  return null;
};

const isSame = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false;
  for (let at = a.length - 1; at >= 0; at--) if (a[at] !== b[at]) return false;
  return true;
};

const ascii = new TextDecoder('latin1');
