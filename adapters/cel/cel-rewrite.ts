import { HAS, INDEX, MAP_LITERAL, WALK } from './cel-collection-functions.ts';
import { callAt, childrenOf, constantAt, type Expr, listAt } from './cel-expression.ts';

/**
 * Puts calls of our own functions in the place of what the library evaluates otherwise than cel-spec
 * says, and of what has to be charged:
 *
 * - the range of a comprehension goes through `@walk`, which charges its size times the nodes of one
 *   round;
 * - a map literal refuses double keys and the same key twice, and holds members that are null;
 * - `has(e.f)` is an error where `e` is no map;
 * - an index that is computed has to be one that a list or a map takes.
 */
export const rewrite = (expr: Expr): void => {
  const weight = expr.exprKind.case === 'comprehensionExpr' ? weightOf(expr) : 0;
  for (const { node } of childrenOf(expr)) rewrite(node);
  const { exprKind, id } = expr;
  switch (exprKind.case) {
    case 'comprehensionExpr': {
      const range = exprKind.value.iterRange;
      if (range !== undefined)
        exprKind.value.iterRange = callAt(id, WALK, [range, constantAt(id, BigInt(weight))]);
      return;
    }
    case 'structExpr': {
      const { entries } = exprKind.value;
      expr.exprKind = callAt(id, MAP_LITERAL, [
        listAt(
          id,
          entries.flatMap(({ keyKind }) => (keyKind.case === 'mapKey' ? [keyKind.value] : [])),
        ),
        listAt(
          id,
          entries.flatMap(({ value }) => (value === undefined ? [] : [value])),
        ),
      ]).exprKind;
      return;
    }
    case 'selectExpr': {
      const { testOnly, operand, field } = exprKind.value;
      if (testOnly && operand !== undefined)
        expr.exprKind = callAt(id, HAS, [operand, constantAt(id, field)]).exprKind;
      return;
    }
    case 'callExpr':
      if (exprKind.value.function === '_[_]' && !isPlainIndex(exprKind.value.args[1]))
        exprKind.value.function = INDEX;
      return;
    default:
  }
};

const isPlainIndex = (index: Expr | undefined): boolean =>
  index?.exprKind.case === 'constExpr' &&
  ['stringValue', 'int64Value'].includes(index.exprKind.value.constantKind.case ?? '');

/** The nodes of one round of a comprehension. */
const weightOf = (expr: Expr): number =>
  childrenOf(expr).reduce((sum, { node, repeated }) => sum + (repeated ? nodesOf(node) : 0), 0);

/** The nodes visited in one evaluation. An inner comprehension charges its rounds itself. */
const nodesOf = (expr: Expr): number =>
  childrenOf(expr).reduce(
    (sum, { node, repeated }) => sum + (repeated ? 0 : nodesOf(node)),
    NODE_STEPS.get(expr.exprKind.case) ?? 1,
  );

/** Nodes that create a list or a map each time, or an error where a member is missing. */
const NODE_STEPS: ReadonlyMap<string | undefined, number> = new Map([
  ['listExpr', 6],
  ['structExpr', 12],
  ['selectExpr', 6],
]);
