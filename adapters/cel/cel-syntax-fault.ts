import { type Token, tokensOf } from './cel-lexer.ts';

/** What is wrong with a text that is no expression, in words, and where. */
export interface SyntaxFault {
  readonly message: string;
  readonly offset: number;
}

/**
 * Finds the first place where the text stops to be an expression. The parser itself only says up to
 * where it could read, which is often long before: `a.all(x` fails at its dot.
 *
 * @param reached how far the parser came, and what it said there.
 */
export const syntaxFault = (text: string, reached: SyntaxFault): SyntaxFault => {
  const open: { mark: string; offset: number }[] = [];
  let last: Token | null = null;
  for (const token of tokensOf(text)) {
    const fault = faultAt(token, last, open);
    if (fault !== null) return { message: fault, offset: token.offset };
    last = token;
  }
  const unclosed = open.at(-1);
  if (last === null) return { message: 'the expression is empty', offset: 0 };
  if (wantsOperand(last))
    return { message: `something is missing after ${last.text}`, offset: last.offset };
  if (unclosed !== undefined)
    return { message: `this ${unclosed.mark} is not closed`, offset: unclosed.offset };
  return reached;
};

const faultAt = (
  token: Token,
  last: Token | null,
  open: { mark: string; offset: number }[],
): string | null => {
  const { kind, text, offset } = token;
  const afterValue = last !== null && !wantsOperand(last);
  switch (kind) {
    case 'fault':
      return FAULTS.get(text) ?? (/^["']/.test(text) ? 'this string is not closed' : NO_SIGN);
    case 'operand':
    case 'name':
      if (!afterValue) return null;
      return WORDS.get(text.toLowerCase()) ?? `an operator is missing before ${text}`;
    case 'open':
      if (afterValue && text === '{' && last?.kind !== 'name')
        return 'an operator is missing before {';
      open.push({ mark: text, offset });
      return null;
    case 'close': {
      const opened = open.pop();
      if (opened === undefined) return `nothing was opened that ${text} could close`;
      if (PAIRS.get(opened.mark) !== text)
        return `${text} cannot close the ${opened.mark} before it`;
      return last !== null && last.kind === 'operator' && last.text !== ','
        ? `something is missing between ${last.text} and ${text}`
        : null;
    }
    case 'operator':
      if (afterValue || PREFIXES.has(text)) return null;
      return last === null || last.kind === 'open'
        ? `something is missing before ${text}`
        : `something is missing between ${last.text} and ${text}`;
  }
};

const wantsOperand = ({ kind }: Token): boolean => kind === 'operator' || kind === 'open';

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

const PREFIXES: ReadonlySet<string> = new Set(['!', '-', '.']);

const NO_SIGN = 'this sign means nothing here';

const FAULTS: ReadonlyMap<string, string> = new Map([
  ['`', 'a member of such a name is written value["name"]'],
  ['=', 'equality is written =='],
  ['===', 'equality is written =='],
  ['!==', 'inequality is written !='],
  ['&', 'and is written &&'],
  ['|', 'or is written ||'],
  ['??', 'CEL has no ??; use has(value.member) ? value.member : ...'],
  ['?.', 'CEL has no ?.; use has(value.member)'],
  ['**', 'CEL has no **'],
  ['=>', 'CEL has no =>; greater or equal is >='],
  ['=<', 'less or equal is written <='],
  ['<>', 'inequality is written !='],
]);

const WORDS: ReadonlyMap<string, string> = new Map([
  ['and', 'and is written &&'],
  ['or', 'or is written ||'],
  ['not', 'not is written !'],
  ['is', 'equality is written =='],
]);
