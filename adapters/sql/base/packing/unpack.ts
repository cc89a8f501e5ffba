import { DICTIONARY } from './dictionary.ts';
import { textOf, type Text } from './form-text.ts';
import {
  AGAIN,
  FORMS,
  FROM,
  LITERAL,
  LONGEST,
  MOST_TEXTS,
  ONWARD,
  type Form,
} from './operations.ts';

/** What the operations add; null where they are none, or would add too much. */
export const unpack = (packed: Uint8Array): Uint8Array | null => new Unpacking(packed).run();

class Unpacking {
  private out: Uint8Array = Buffer.allocUnsafe(FIRST_ROOM);
  private length = 0;
  /** The next byte of what is packed. */
  private at = 0;
  /** Where the dictionary goes on. */
  private next = 0;
  private readonly texts: Text[] = [];

  constructor(private readonly packed: Uint8Array) {}

  run(): Uint8Array | null {
    while (this.at < this.packed.length) if (!this.step(this.packed[this.at++]!)) return null;
    return new Uint8Array(this.out.subarray(0, this.length));
  }

  /** @returns whether there is such an operation, with all that it names, and room for what it adds. */
  private step(op: number): boolean {
    if (op < ONWARD.op) return this.literal(op - LITERAL.op + LITERAL.shortest);
    if (op < FROM.op) return this.dictionary(op - ONWARD.op + ONWARD.shortest);
    if (op < FIRST_FORM) {
      if (this.at + 2 > this.packed.length) return false;
      this.next = this.packed[this.at++]! * 256 + this.packed[this.at++]!;
      return this.dictionary(op - FROM.op + FROM.shortest);
    }
    if (op === AGAIN) return this.again(this.texts[this.packed[this.at++] ?? MOST_TEXTS]);
    const form = FORMS[op - FIRST_FORM];
    return form !== undefined && this.text(form);
  }

  private literal(length: number): boolean {
    if (this.at + length > this.packed.length || !this.hasRoom(length)) return false;
    copy(this.packed, this.at, length, this.out, this.length);
    this.at += length;
    this.length += length;
    return true;
  }

  private dictionary(length: number): boolean {
    if (this.next + length > DICTIONARY.length || !this.hasRoom(length)) return false;
    copy(DICTIONARY, this.next, length, this.out, this.length);
    this.next += length;
    this.length += length;
    return true;
  }

  private text(form: Form): boolean {
    const { length } = form;
    if (this.at + form.high.length > this.packed.length || !this.hasRoom(length)) return false;
    textOf(this.packed, this.at, form, this.out, this.length);
    if (this.texts.length < MOST_TEXTS) this.texts.push({ at: this.length, form });
    this.at += form.high.length;
    this.length += length;
    return true;
  }

  private again(text: Text | undefined): boolean {
    if (!text) return false;
    const { length } = text.form;
    if (!this.hasRoom(length)) return false;
    copy(this.out, text.at, length, this.out, this.length);
    this.length += length;
    return true;
  }

  private hasRoom(length: number): boolean {
    const needed = this.length + length;
    if (needed > LONGEST) return false;
    if (needed > this.out.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      larger.set(this.out);
      this.out = larger;
    }
    return true;
  }
}

/** A loop: most stretches are shorter than what a call of the runtime costs. */
const copy = (
  from: Uint8Array,
  start: number,
  length: number,
  into: Uint8Array,
  to: number,
): void => {
  for (let i = 0; i < length; i++) into[to + i] = from[start + i]!;
};

const FIRST_FORM = FORMS[0]!.op;
/** Most of what is packed was shorter. */
const FIRST_ROOM = 2048;
