import {
  Composer,
  isAlias,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  visit,
  type CST,
  type Document,
} from 'yaml';
import { DocumentError } from './document-error.ts';

/**
 * What the lexer cuts a file into: a member of a block takes seven, an item of a list five. The parser takes a few ms for a
 * thousand of them, and nothing else of the service goes on meanwhile. JSON is read a hundred times as fast.
 */
export const MAX_TOKENS = 16_384;

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  strict: true,
  // The parser compares each member with all those before it.
  uniqueKeys: false,
  stringKeys: true,
  intAsBigInt: true,
  prettyErrors: false,
  logLevel: 'error',
} as const;

/** The one document of a text, without aliases. It stops at the first fault. @throws DocumentError */
export const parseYaml = (text: string): unknown => {
  const lines = new LineCounter();
  const document = oneDocument(text, lines);
  if (!document || (document.contents === null && document.errors.length === 0))
    throw new DocumentError('is empty. Write one document, or remove the file.');
  // The sentences of the parser quote lines of the file, which may hold what no log should.
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault) throw invalid(fault.code.toLowerCase().replaceAll('_', ' '), lines, fault.pos[0]);
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node))
        throw new DocumentError('uses an alias (*). Write the value itself wherever it is meant.');
    },
    Map: (_, { items }) => {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const before = names.size;
        if (names.add(key.value).size > before) continue;
        throw invalid('a member is there twice', lines, key.range?.[0] ?? 0);
      }
    },
  });
  return document.toJS();
};

const oneDocument = (text: string, lines: LineCounter): Document.Parsed | null => {
  let found: Document.Parsed | null = null;
  for (const document of new Composer(OPTIONS).compose(tokensOf(text, lines))) {
    if (found) throw new DocumentError('holds several documents. Give each a file of its own.');
    found = document;
  }
  return found;
};

function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  let count = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > MAX_TOKENS)
      throw new DocumentError(
        `holds more than ${MAX_TOKENS} words and marks of YAML, as many as are read. Write it as JSON, in a .json file, or split it.`,
      );
    for (const token of parser.next(lexeme)) yield valid(token, lines);
  }
  for (const token of parser.end()) yield valid(token, lines);
}

const valid = (token: CST.Token, lines: LineCounter): CST.Token => {
  if (token.type === 'error') throw invalid('unexpected token', lines, token.offset);
  return token;
};

const invalid = (what: string, lines: LineCounter, offset: number): DocumentError =>
  new DocumentError(`is not valid YAML: ${what} (line ${lines.linePos(offset).line}).`);
