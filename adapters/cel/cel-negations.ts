import { childrenOf, type Expr } from './cel-expression.ts';
import { CelTypeError } from './cel-fault.ts';
import { tokensOf } from './cel-lexer.ts';

/**
 * Refuses `-(-(x))` and `!(!(x))`. The parser makes `x` of them, so that what is no number or bool
 * would pass where another engine finds an error. `--x` and `!!x` are `x` to cel-go as well.
 *
 * @throws CelTypeError
 */
export const checkNegations = (text: string, expr: Expr): void => {
  for (const sign of ['-', '!'] as const) {
    const { written, doubled } = writtenNegations(text, sign);
    if (doubled * 2 + negationsIn(expr, sign) < written)
      throw new CelTypeError(`${sign}(${sign}(...)) is written without both signs`);
  }
};

/** The signs before an operand, and how many pairs of them stand side by side. */
const writtenNegations = (text: string, sign: string): { written: number; doubled: number } => {
  let written = 0;
  let doubled = 0;
  let run = 0;
  let wantsOperand = true;
  for (const { kind, text: token } of tokensOf(text)) {
    const isNegation = wantsOperand && token === sign;
    if (isNegation) {
      written++;
      run++;
    } else {
      doubled += Math.floor(run / 2);
      run = 0;
    }
    wantsOperand = kind === 'operator' || kind === 'open';
  }
  return { written, doubled };
};

const negationsIn = (expr: Expr, sign: '-' | '!'): number =>
  childrenOf(expr).reduce(
    (sum, { node }) => sum + negationsIn(node, sign),
    isNegation(expr, sign) ? 1 : 0,
  );

const isNegation = ({ exprKind }: Expr, sign: '-' | '!'): boolean => {
  if (exprKind.case === 'callExpr')
    return (
      exprKind.value.function === `${sign}_` &&
      // What `exists` puts in by itself.
      !(
        exprKind.value.args[0]?.exprKind.case === 'identExpr' &&
        exprKind.value.args[0].exprKind.value.name.startsWith('@')
      )
    );
  if (sign === '!' || exprKind.case !== 'constExpr') return false;
  const { constantKind } = exprKind.value;
  return (
    (constantKind.case === 'int64Value' && constantKind.value < 0n) ||
    (constantKind.case === 'doubleValue' &&
      (constantKind.value < 0 || Object.is(constantKind.value, -0)))
  );
};
