/** Where in an expression: `line 1, column 16: evidence.score «+» 1`. */
export const placeIn = (expression: string, offset: number): string => {
  const space = /\s*/y;
  space.lastIndex = offset;
  space.test(expression);
  const start = Math.min(space.lastIndex, expression.length);
  const before = expression.slice(0, start);
  const line = before.split(NEWLINE).length;
  const head = before.split(NEWLINE).at(-1) ?? '';
  const rest = expression.slice(start).split(NEWLINE)[0] ?? '';
  const token = TOKEN.exec(rest)?.[0] ?? '';
  const tail = rest.slice(token.length);
  return (
    `line ${line}, column ${head.length + 1}: ` +
    `${head.length > AROUND ? `...${head.slice(-AROUND)}` : head}«${cut(token)}»${cut(tail)}`
  );
};

const AROUND = 40;

const cut = (text: string): string => (text.length > AROUND ? `${text.slice(0, AROUND)}...` : text);

const NEWLINE = /\r\n|\r|\n/;

const TOKEN =
  /^(?:[rRbB]{0,2}"(?:[^"\\]|\\.)*"|[rRbB]{0,2}'(?:[^'\\]|\\.)*'|\.?[A-Za-z_]\w*|\d[\w.]*|[<>=!]=|&&|\|\||.)/u;
