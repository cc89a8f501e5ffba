import { longestAt, sameBytes } from './dictionary-search.ts';
import { digitsOf, formAt, type Text } from './form-text.ts';
import { AGAIN, FROM, LITERAL, MOST_TEXTS, ONWARD, type Stretch } from './operations.ts';

/** The operations that add these bytes. They are longer by a byte for each 64 at most. */
export const pack = (bytes: Uint8Array): Uint8Array => new Packing(bytes).run();

class Packing {
  private readonly out: Uint8Array;
  private length = 0;
  /** The first byte that no operation adds yet. */
  private open = 0;
  /** Where the dictionary goes on. */
  private next = 0;
  private readonly texts: Text[] = [];

  constructor(private readonly bytes: Uint8Array) {
    this.out = Buffer.allocUnsafe(bytes.length + Math.ceil(bytes.length / LITERAL.longest) + 1);
  }

  run(): Uint8Array {
    const { length } = this.bytes;
    for (let at = 0; at < length;) at += this.dictionary(at) || this.text(at) || 1;
    this.literals(length);
    return this.out.subarray(0, this.length);
  }

  /** @returns how many bytes from there are taken from the dictionary. */
  private dictionary(at: number): number {
    const onward = sameBytes(this.bytes, at, this.next, ONWARD.longest);
    if (onward < ENOUGH) {
      const found = longestAt(this.bytes, at);
      if (found && found.length > onward + FROM_COSTS_MORE) {
        this.literals(at);
        this.begin(FROM, found.length);
        this.add(found.place >> 8);
        this.add(found.place & 0xff);
        this.next = found.place + found.length;
        return this.done(at, found.length);
      }
      if (onward < WORTH_IT) return 0;
    }
    this.literals(at);
    this.begin(ONWARD, onward);
    this.next += onward;
    return this.done(at, onward);
  }

  /** @returns the length of the text of a form that begins there; 0 where none does. */
  private text(at: number): number {
    const form = formAt(this.bytes, at);
    if (!form) return 0;
    this.literals(at);
    const text = { at, form };
    const known = this.known(text);
    if (known >= 0) {
      this.add(AGAIN);
      this.add(known);
    } else {
      this.add(form.op);
      digitsOf(this.bytes, text, this.out, this.length);
      this.length += form.high.length;
      if (this.texts.length < MOST_TEXTS) this.texts.push(text);
    }
    return this.done(at, form.length);
  }

  /** As which of the texts before it came; -1 where it is new. */
  private known({ at, form }: Text): number {
    for (let i = 0; i < this.texts.length; i++) {
      const one = this.texts[i]!;
      if (one.form === form && isSame(this.bytes, one.at, at, form.length)) return i;
    }
    return -1;
  }

  private done(at: number, length: number): number {
    this.open = at + length;
    return length;
  }

  /** Adds the bytes before this place as they are. */
  private literals(end: number): void {
    while (this.open < end) {
      const length = Math.min(end - this.open, LITERAL.longest);
      this.begin(LITERAL, length);
      for (let i = 0; i < length; i++) this.add(this.bytes[this.open++]!);
    }
  }

  private begin({ op, shortest }: Stretch, length: number): void {
    this.add(op + length - shortest);
  }

  private add(byte: number): void {
    this.out[this.length++] = byte;
  }
}

/** From the end: UUIDs of one time begin alike. */
const isSame = (bytes: Uint8Array, one: number, other: number, length: number): boolean => {
  for (let i = length - 1; i >= 0; i--) if (bytes[one + i] !== bytes[other + i]) return false;
  return true;
};

/** To go on costs one byte, to go elsewhere three: so much is worth no search. */
const ENOUGH = 8;
const FROM_COSTS_MORE = 2;
/** A single byte of the dictionary between others would cost more than it saves. */
const WORTH_IT = 2;
