import { tracesOf, tracesOfBytes } from '../clients/traces.ts';

/** What nobody but its owner may see. Its kind is what a report names; its value never is. */
export interface Secret {
  readonly kind: string;
  readonly value: string | Uint8Array;
}

interface Needle {
  readonly kind: string;
  readonly encoding: string;
  readonly bytes: Buffer;
}

/** Every STRIDE-th place of a text is looked at, four bytes at a time; each needle is known by as many windows side by side. */
const STRIDE = 16;
const WINDOW = 4;
const SLOTS = 1 << 20;

/** Shorter ones would be found by chance. */
export const MIN_SECRET_BYTES = 20;

/** Looks for many secrets at once, each in every form in which it could be written. One pass, whatever their number. */
export class SecretScan {
  private readonly maybe = new Uint8Array(SLOTS);
  private readonly byWindow = new Map<
    number,
    { readonly needle: Needle; readonly offset: number }[]
  >();

  constructor(secrets: readonly Secret[]) {
    for (const secret of secrets) for (const needle of needlesOf(secret)) this.add(needle);
  }

  /** What stands in the bytes, as "kind in encoding". */
  find(haystack: Uint8Array): ReadonlySet<string> {
    const found = new Set<string>();
    const { maybe, byWindow } = this;
    if (byWindow.size === 0) return found;
    const bytes = Buffer.from(haystack.buffer, haystack.byteOffset, haystack.byteLength);
    for (let at = 0; at + WINDOW <= bytes.length; at += STRIDE) {
      const window =
        bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      if (maybe[slotOf(window)] === 0) continue;
      for (const { needle, offset } of byWindow.get(window) ?? []) {
        const start = at - offset;
        if (
          start >= 0 &&
          bytes.compare(
            needle.bytes,
            0,
            needle.bytes.length,
            start,
            Math.min(start + needle.bytes.length, bytes.length),
          ) === 0
        )
          found.add(`${needle.kind} in ${needle.encoding}`);
      }
    }
    return found;
  }

  /** By its end: what all secrets of a kind share stands at their beginning. */
  private add(needle: Needle): void {
    const first = needle.bytes.length - WINDOW - STRIDE + 1;
    for (let offset = first; offset < first + STRIDE; offset++) {
      const window = needle.bytes.readInt32LE(offset);
      this.maybe[slotOf(window)] = 1;
      const known = this.byWindow.get(window);
      if (known) known.push({ needle, offset });
      else this.byWindow.set(window, [{ needle, offset }]);
    }
  }
}

const slotOf = (window: number): number => Math.imul(window, 0x9e3779b1) >>> 12;

/** @throws Error where it is so short that chance would find it. */
const needlesOf = ({ kind, value }: Secret): readonly Needle[] => {
  const forms =
    typeof value === 'string'
      ? formsOfText(value)
      : [{ encoding: 'bytes', bytes: Buffer.from(value) }, ...tracesOfBytes(Buffer.from(value))];
  if (forms.some(({ bytes }) => bytes.length < MIN_SECRET_BYTES))
    throw new Error(`${kind} is too short to be looked for`);
  return forms.map((form) => ({ kind, ...form }));
};

const formsOfText = (
  text: string,
): readonly { readonly encoding: string; readonly bytes: Buffer }[] => {
  const escaped = JSON.stringify(text).slice(1, -1);
  const written = [
    { encoding: 'JSON', text: escaped },
    { encoding: 'JSON with escaped slashes', text: escaped.replaceAll('/', '\\/') },
    { encoding: 'a URL', text: encodeURIComponent(text) },
  ];
  return [
    ...tracesOf(text),
    ...written
      .filter((form) => form.text !== text)
      .map((form) => ({ encoding: form.encoding, bytes: Buffer.from(form.text) })),
  ];
};
