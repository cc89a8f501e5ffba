import { parse, plan, type CelEnv, type CelInput } from '@bufbuild/cel';
import { MAX_EXPRESSION_BYTES } from '../../domain/record-type/manifest.ts';
import { GATE_VARIABLES } from '../../domain/record-type/gate-evaluator.port.ts';
import { WALK } from './cel-list-functions.ts';
import { checkType, CelTypeError, type Expr } from './cel-type-check.ts';

export type CelProgram = (bindings: Record<string, CelInput>) => unknown;

/**
 * Limits on the text, so that neither parser nor planner can overflow the stack, however deep the
 * caller's stack is.
 */
const MAX_BRACKETS = 64;
const MAX_NESTED_NODES = 250;
const MAX_NESTED_COMPREHENSIONS = 2;

/**
 * Parses an expression, checks its limits and types, and plans it.
 *
 * @throws CelTypeError or the parser's SyntaxError, with a message for the author of the
 *   expression.
 */
export const compileCel = (env: CelEnv, expression: string): CelProgram => {
  if (new TextEncoder().encode(expression).length > MAX_EXPRESSION_BYTES)
    throw new CelTypeError(`an expression has at most ${MAX_EXPRESSION_BYTES} bytes`);
  if (bracketDepth(expression) > MAX_BRACKETS)
    throw new CelTypeError(`brackets are nested deeper than ${MAX_BRACKETS}`);
  const { expr } = parse(expression);
  assertBounded(expr, 0, 0);
  const type = checkType(env, expr, VARIABLES);
  if (type !== 'bool' && type !== 'dyn') throw new CelTypeError(`a gate gives a bool, not ${type}`);
  meterComprehensions(expr);
  return plan(env, expr);
};

const VARIABLES: ReadonlyMap<string, string> = new Map(
  GATE_VARIABLES.map((name) => [
    name,
    name === 'now' ? 'google.protobuf.Timestamp' : name === 'children' ? 'list' : 'dyn',
  ]),
);

const bracketDepth = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if ('([{'.includes(character)) deepest = Math.max(deepest, ++depth);
    else if (')]}'.includes(character)) depth--;
  }
  return deepest;
};

const assertBounded = (expr: Expr, depth: number, comprehensions: number): void => {
  if (depth > MAX_NESTED_NODES)
    throw new CelTypeError(`the expression is nested deeper than ${MAX_NESTED_NODES} operations`);
  const loop = expr.exprKind.case === 'comprehensionExpr' ? comprehensions + 1 : comprehensions;
  if (loop > MAX_NESTED_COMPREHENSIONS)
    throw new CelTypeError(`comprehensions are nested more than ${MAX_NESTED_COMPREHENSIONS} deep`);
  for (const { node, repeated } of childrenOf(expr))
    assertBounded(node, depth + 1, repeated ? loop : comprehensions);
};

/**
 * Wraps the range of every comprehension in a call that charges its size times the nodes of one
 * round.
 */
const meterComprehensions = (expr: Expr): void => {
  for (const { node } of childrenOf(expr)) meterComprehensions(node);
  if (expr.exprKind.case !== 'comprehensionExpr' || expr.exprKind.value.iterRange === undefined)
    return;
  const weight = childrenOf(expr).reduce(
    (sum, { node, repeated }) => sum + (repeated ? nodesOf(node) : 0),
    0,
  );
  expr.exprKind.value.iterRange = call(WALK, [expr.exprKind.value.iterRange, integer(weight)]);
};

/** The nodes visited in one evaluation. An inner comprehension charges its rounds itself. */
const nodesOf = (expr: Expr): number =>
  childrenOf(expr).reduce(
    (sum, { node, repeated }) => sum + (repeated ? 0 : nodesOf(node)),
    NODE_STEPS.get(expr.exprKind.case) ?? 1,
  );

/** Nodes that create a list or a map each time, or an error where a member is missing. */
const NODE_STEPS: ReadonlyMap<string | undefined, number> = new Map([
  ['listExpr', 6],
  ['structExpr', 6],
  ['selectExpr', 6],
]);

interface Child {
  readonly node: Expr;
  /** Evaluated in every round. */
  readonly repeated: boolean;
}

const childrenOf = ({ exprKind }: Expr): Child[] => {
  const once = (...nodes: readonly (Expr | undefined)[]): Child[] =>
    nodes.flatMap((node) => (node === undefined ? [] : [{ node, repeated: false }]));
  switch (exprKind.case) {
    case 'selectExpr':
      return once(exprKind.value.operand);
    case 'callExpr':
      return once(exprKind.value.target, ...exprKind.value.args);
    case 'listExpr':
      return once(...exprKind.value.elements);
    case 'structExpr':
      return exprKind.value.entries.flatMap((entry) =>
        once(entry.keyKind.case === 'mapKey' ? entry.keyKind.value : undefined, entry.value),
      );
    case 'comprehensionExpr': {
      const { iterRange, accuInit, result, loopCondition, loopStep } = exprKind.value;
      return [
        ...once(iterRange, accuInit, result),
        ...once(loopCondition, loopStep).map(({ node }) => ({ node, repeated: true })),
      ];
    }
    default:
      return [];
  }
};

const call = (name: string, args: Expr[]): Expr => ({
  $typeName: 'cel.expr.Expr',
  id: 0n,
  exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
});

const integer = (value: number): Expr => ({
  $typeName: 'cel.expr.Expr',
  id: 0n,
  exprKind: {
    case: 'constExpr',
    value: {
      $typeName: 'cel.expr.Constant',
      constantKind: { case: 'int64Value', value: BigInt(value) },
    },
  },
});
