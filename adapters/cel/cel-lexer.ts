/** A piece of the text of an expression. A fault is what begins no piece of CEL. */
export interface Token {
  readonly kind: 'operand' | 'name' | 'operator' | 'open' | 'close' | 'fault';
  readonly text: string;
  readonly offset: number;
}

/** The pieces of a text, spaces and comments left out. */
export function* tokensOf(text: string): Generator<Token> {
  const pattern = new RegExp(TOKEN);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { space, operand, name, open, close, operator } = match.groups ?? {};
    if (space !== undefined) continue;
    const kind =
      operand !== undefined
        ? 'operand'
        : name !== undefined
          ? name === 'in'
            ? 'operator'
            : 'name'
          : open !== undefined
            ? 'open'
            : close !== undefined
              ? 'close'
              : operator !== undefined
                ? 'operator'
                : 'fault';
    yield { kind, text: match[0], offset: match.index };
  }
}

const TOKEN = new RegExp(
  [
    '(?<space>[\\t\\n\\f\\r ]+|//[^\\r\\n]*)',
    `(?<operand>[rRbB]{0,2}(?:"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\\\\r\\n]|\\\\.)*"|'(?:[^'\\\\\\r\\n]|\\\\.)*')` +
      '|0x[0-9a-fA-F]+u?|(?:\\d+\\.\\d+|\\.\\d+|\\d+)(?:[eE][+-]?\\d+)?[uU]?)',
    '(?<name>[A-Za-z_]\\w*)',
    '(?<fault>===|!==|\\?\\?|\\?\\.|\\*\\*|=>|=<|<>)',
    '(?<open>[([{])',
    '(?<close>[)\\]}])',
    '(?<operator>&&|\\|\\||[<>=!]=|[-+*/%<>!?:.,])',
    '[^]',
  ].join('|'),
  'gu',
);

/**
 * The place of an escape sequence that CEL does not have, or null. The parser takes `"\\d"` for
 * `"d"`; others refuse it.
 */
export const illegalEscape = (text: string): number | null => {
  for (const token of tokensOf(text)) {
    const [, prefix = '', quoted] = /^([rRbB]*)(["'][^]*)$/.exec(token.text) ?? [];
    if (quoted === undefined || /r/i.test(prefix)) continue;
    const legal = /b/i.test(prefix) ? LEGAL_IN_BYTES : LEGAL;
    for (const { index, 0: escape } of quoted.matchAll(ESCAPE))
      if (!legal.test(escape)) return token.offset + prefix.length + index;
  }
  return null;
};

const ESCAPE = /\\(?:U[^]{0,8}|u[^]{0,4}|[xX][^]{0,2}|[0-7][^]{0,2}|[^])/gu;
const LEGAL_IN_BYTES = /^\\(?:[abfnrtv\\?"'`]|[xX][0-9a-fA-F]{2}|[0-3][0-7]{2})$/;
const LEGAL =
  /^\\(?:[abfnrtv\\?"'`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})$/;
