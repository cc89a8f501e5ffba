import { type CelEnv, type CelInput, parse, plan } from '@bufbuild/cel';
import { GATE_VARIABLES } from '../../domain/record-type/gate-evaluator.port.ts';
import { MAX_EXPRESSION_BYTES } from '../../domain/record-type/manifest.ts';
import { illegalEscape } from './cel-lexer.ts';
import { childrenOf, type Expr } from './cel-expression.ts';
import { CelTypeError } from './cel-fault.ts';
import type { FunctionTable } from './cel-function-table.ts';
import { BOOL, TIMESTAMP } from './cel-kinds.ts';
import { inWords } from './cel-mismatch.ts';
import { checkNegations } from './cel-negations.ts';
import { placeIn } from './cel-place.ts';
import { rewrite } from './cel-rewrite.ts';
import { JSON_TYPE, listOf, ofKinds } from './cel-static-type.ts';
import { syntaxFault } from './cel-syntax-fault.ts';
import { checkType, type Scope } from './cel-type-check.ts';

export interface CelProgram {
  /** Gives a value of CEL or an error of the library. */
  readonly run: (bindings: Record<string, CelInput>) => unknown;
  /** Where in the text a node stands, in words; null where it stands nowhere. */
  readonly placeOf: (node: bigint | undefined) => string | null;
}

/** What a gate is compiled in: the functions, the library's view of them, and the variables. */
export interface CelContext {
  readonly env: CelEnv;
  readonly functions: FunctionTable;
  readonly variables: Scope;
}

export const GATE_SCOPE: Scope = new Map(
  GATE_VARIABLES.map((name) => [
    name,
    name === 'now' ? ofKinds(TIMESTAMP) : name === 'children' ? listOf(JSON_TYPE) : JSON_TYPE,
  ]),
);

/**
 * Limits on the text, so that neither parser nor planner can overflow the stack, however deep the
 * caller's stack is.
 */
const MAX_BRACKETS = 64;
const MAX_NESTED_NODES = 250;
const MAX_NESTED_COMPREHENSIONS = 2;

/**
 * Parses the expression of a gate, checks its limits and types, and plans it.
 *
 * @throws CelTypeError with a message for the author, the place marked.
 */
export const compileGate = (context: CelContext, expression: string): CelProgram =>
  compile(context, expression, BOOL);

/** The same for an expression of any type out of `kinds`. */
export const compile = (
  { env, functions, variables }: CelContext,
  expression: string,
  kinds: number,
): CelProgram => {
  if (new TextEncoder().encode(expression).length > MAX_EXPRESSION_BYTES)
    throw new CelTypeError(`an expression has at most ${MAX_EXPRESSION_BYTES} bytes`);
  if (bracketDepth(expression) > MAX_BRACKETS)
    throw new CelTypeError(`brackets are nested deeper than ${MAX_BRACKETS}`);
  const { expr, places, macros } = parsed(expression);
  const placeOf = (node: bigint | undefined): string | null => {
    const offset = node === undefined ? undefined : places[String(node)];
    return offset === undefined ? null : placeIn(expression, offset);
  };
  try {
    if (macros.includes('existsOne')) throw new CelTypeError('existsOne is written exists_one');
    assertBounded(expr, 0, 0);
    checkNegations(expression, expr);
    const type = checkType(functions, expr, variables);
    if (!(type.kinds & kinds)) throw new CelTypeError(`a gate gives a bool, not ${inWords(type)}`);
  } catch (error) {
    if (!(error instanceof CelTypeError) || typeof error.at !== 'bigint') throw error;
    const place = placeOf(error.at);
    throw place === null ? error : new CelTypeError(`${error.message} (${place})`);
  }
  rewrite(expr);
  return { run: plan(env, expr), placeOf };
};

const parsed = (
  expression: string,
): {
  readonly expr: Expr;
  readonly places: Readonly<Record<string, number>>;
  readonly macros: readonly string[];
} => {
  try {
    const { expr, sourceInfo } = parse(expression);
    const escape = illegalEscape(expression);
    if (escape !== null)
      throw new CelTypeError(
        `CEL has no such escape; a backslash is written \\\\, or in a raw string as r"\\d" (${placeIn(expression, escape)})`,
      );
    return {
      expr,
      places: sourceInfo?.positions ?? {},
      macros: Object.values(sourceInfo?.macroCalls ?? {}).flatMap(({ exprKind }) =>
        exprKind.case === 'callExpr' ? [exprKind.value.function] : [],
      ),
    };
  } catch (error) {
    if (error instanceof RangeError || error instanceof CelTypeError) throw error;
    const { message, offset } = syntaxFault(expression, reached(error));
    throw new CelTypeError(`${message} (${placeIn(expression, offset)})`);
  }
};

/** How far the parser came. What it expected there is a list of all that CEL has; it helps nobody. */
const reached = (error: unknown): { message: string; offset: number } => {
  const { rawMessage, location, expected } = error as {
    rawMessage?: string;
    location?: { start: { offset: number } };
    expected?: unknown;
  };
  return {
    message:
      location === undefined
        ? error instanceof Error
          ? error.message
          : 'the expression cannot be read'
        : expected === undefined && rawMessage !== undefined
          ? `this is a ${rawMessage}; use value["name"] for a member of that name`
          : 'the expression cannot be read from here on',
    offset: location?.start.offset ?? 0,
  };
};

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
    throw new CelTypeError(
      `comprehensions are nested more than ${MAX_NESTED_COMPREHENSIONS} deep`,
      expr.id,
    );
  for (const { node, repeated } of childrenOf(expr))
    assertBounded(node, depth + 1, repeated ? loop : comprehensions);
};
