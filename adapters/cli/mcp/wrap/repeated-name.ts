/**
 * Whether an object in this JSON text has a member twice: of two readers one takes the first, and the other the last.
 *
 * @param text JSON that the runtime parsed.
 * @param value what it made of it.
 */
export const hasRepeatedName = (text: string, value: unknown): boolean =>
  !isWrittenAs(text, value) && repeats(text);

/** One of two members of the same name is gone from the value, so what is written as the text has none. */
const isWrittenAs = (text: string, value: unknown): boolean => {
  try {
    return JSON.stringify(value) === text.trim();
  } catch {
    // Nested too deeply to be written.
    return false;
  }
};

const [QUOTE, BACKSLASH, OPENING, CLOSING, COLON] = [0x22, 0x5c, 0x7b, 0x7d, 0x3a];
const [BRACKET, END_BRACKET] = [0x5b, 0x5d];

/** In one pass, without recursion: a line may be nested as deeply as it is long. */
const repeats = (text: string): boolean => {
  /** The names so far of each object around; null of an array. */
  const around: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPENING) around.push(new Set());
    else if (code === BRACKET) around.push(null);
    else if (code === CLOSING || code === END_BRACKET) around.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, at);
      const names = around.at(-1);
      if (names && isName(text, end)) {
        const name = JSON.parse(text.slice(at, end)) as string;
        if (names.has(name)) return true;
        names.add(name);
      }
      at = end - 1;
    }
  }
  return false;
};

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
};

const isName = (text: string, end: number): boolean => {
  let at = end;
  while (/[ \t\n\r]/.test(text[at] ?? '')) at++;
  return text.charCodeAt(at) === COLON;
};
