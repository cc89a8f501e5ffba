import { CelScalar, type CelEnv, type CelFunc, type parse } from '@bufbuild/cel';
import { compiledPattern } from './cel-pattern.ts';
import { offsetOf, TIME_GETTERS } from './cel-time-functions.ts';
import { CelMeter } from './cel-meter.ts';

/** A node of a parsed expression. */
export type Expr = ReturnType<typeof parse>['expr'];

/** The name of a CEL type; `dyn` where it is known only at evaluation. */
type TypeName = string;

/** An expression that can never be evaluated; the message is for its author. */
export class CelTypeError extends Error {}

const DYN: TypeName = CelScalar.DYN.name;
const BOOL: TypeName = CelScalar.BOOL.name;
const NUMERIC: ReadonlySet<TypeName> = new Set(['int', 'uint', 'double']);
const TYPE_NAMES: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);

/**
 * Infers the type of an expression and refuses what fails for every input: unknown variables and
 * functions, operands that no overload takes, and invalid literal patterns and time zones. Customer
 * content has no declared type, so everything read from it is `dyn` and passes.
 *
 * @throws CelTypeError
 */
export const checkType = (
  env: CelEnv,
  expr: Expr,
  variables: ReadonlyMap<string, TypeName>,
): TypeName => new TypeChecker(env).infer(expr, variables);

class TypeChecker {
  private readonly functions = new Map<string, CelFunc[]>();

  constructor(env: CelEnv) {
    for (const func of env.funcs)
      this.functions.set(func.name, [...(this.functions.get(func.name) ?? []), func]);
  }

  infer(expr: Expr, scope: ReadonlyMap<string, TypeName>): TypeName {
    const { exprKind } = expr;
    switch (exprKind.case) {
      case 'constExpr':
        return CONSTANTS.get(exprKind.value.constantKind.case) ?? DYN;
      case 'identExpr':
        return this.variable(exprKind.value.name, scope);
      case 'selectExpr': {
        const { operand, field, testOnly } = exprKind.value;
        const named = operand === undefined ? undefined : qualifiedName(expr);
        if (named !== undefined && TYPE_NAMES.has(named)) return 'type';
        const type = this.part(operand, scope);
        if (type !== 'map' && type !== DYN)
          throw new CelTypeError(`${type} has no member ${JSON.stringify(field)}`);
        return testOnly ? BOOL : DYN;
      }
      case 'callExpr':
        return this.call(exprKind.value, scope);
      case 'listExpr':
        for (const element of exprKind.value.elements) this.infer(element, scope);
        return 'list';
      case 'structExpr':
        if (exprKind.value.messageName !== '')
          throw new CelTypeError(
            `there are no messages here, such as ${exprKind.value.messageName}; use a map`,
          );
        for (const entry of exprKind.value.entries) {
          if (entry.keyKind.case === 'mapKey') this.infer(entry.keyKind.value, scope);
          this.part(entry.value, scope);
        }
        return 'map';
      case 'comprehensionExpr': {
        const { iterRange, iterVar, accuVar, accuInit, loopCondition, loopStep, result } =
          exprKind.value;
        const range = this.part(iterRange, scope);
        if (range !== 'list' && range !== 'map' && range !== DYN)
          throw new CelTypeError(`${range} cannot be walked; a list or a map can`);
        const inner = new Map([...scope, [accuVar, this.part(accuInit, scope)], [iterVar, DYN]]);
        this.expectBool(this.part(loopCondition, inner), 'the condition');
        this.part(loopStep, inner);
        return this.part(result, inner);
      }
      default:
        throw new CelTypeError('the expression is not complete');
    }
  }

  private part(expr: Expr | undefined, scope: ReadonlyMap<string, TypeName>): TypeName {
    if (expr === undefined) throw new CelTypeError('the expression is not complete');
    return this.infer(expr, scope);
  }

  private variable(name: string, scope: ReadonlyMap<string, TypeName>): TypeName {
    const type = scope.get(name.startsWith('.') ? name.slice(1) : name);
    if (type !== undefined) return type;
    if (TYPE_NAMES.has(name)) return 'type';
    const known = [...scope.keys()].filter((variable) => !variable.startsWith('@'));
    throw new CelTypeError(
      `there is no variable ${JSON.stringify(name)}; there are ${known.join(', ')}`,
    );
  }

  private call(
    call: Extract<Expr['exprKind'], { case: 'callExpr' }>['value'],
    scope: ReadonlyMap<string, TypeName>,
  ): TypeName {
    const target = call.target === undefined ? undefined : this.infer(call.target, scope);
    const args = call.args.map((arg) => this.infer(arg, scope));
    switch (call.function) {
      case '_&&_':
      case '_||_':
        for (const type of args) this.expectBool(type, call.function.slice(1, -1));
        return BOOL;
      case '@not_strictly_false':
        return BOOL;
      case '_?_:_':
        this.expectBool(args[0] ?? DYN, 'the condition of ?:');
        return args[1] === args[2] ? (args[1] ?? DYN) : DYN;
      case '_[_]':
        if (args[0] !== 'list' && args[0] !== 'map' && args[0] !== DYN)
          throw new CelTypeError(`${args[0]} has no elements`);
        return DYN;
      case '_==_':
      case '_!=_':
        if (!canBeEqual(args[0] ?? DYN, args[1] ?? DYN))
          throw new CelTypeError(`${args[0]} and ${args[1]} are never equal`);
        return BOOL;
      default:
        this.checkLiterals(call);
        return this.overload(call.function, target, args);
    }
  }

  private overload(
    name: string,
    target: TypeName | undefined,
    args: readonly TypeName[],
  ): TypeName {
    const functions = this.functions.get(name);
    if (functions === undefined)
      throw new CelTypeError(`there is no function ${JSON.stringify(name)}`);
    const fitting = functions.filter(
      (func) =>
        fits(target, func.target?.name) &&
        func.arguments.length === args.length &&
        func.arguments.every((type, i) => fits(args[i], type.name)),
    );
    if (fitting.length === 0)
      throw new CelTypeError(
        `${operatorName(name)} cannot be applied to ${target === undefined ? '' : `${target}, `}${args.join(', ')}`.trimEnd(),
      );
    const results = new Set(fitting.map((func) => func.result.name));
    return results.size === 1 ? [...results][0]! : DYN;
  }

  /** Literals in the expression are checked now. */
  private checkLiterals(call: Extract<Expr['exprKind'], { case: 'callExpr' }>['value']): void {
    const text = literalText(call.args[0]);
    if (text === undefined) return;
    try {
      if (call.function === 'matches' && call.args.length === 1)
        compiledPattern(new CelMeter(), text);
      if (TIME_GETTERS.has(call.function)) offsetOf(text);
    } catch (error) {
      throw new CelTypeError(
        `${call.function}(${JSON.stringify(text.slice(0, 100))}): ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  private expectBool(type: TypeName, what: string): void {
    if (type !== BOOL && type !== DYN) throw new CelTypeError(`${what} takes a bool, not ${type}`);
  }
}

const CONSTANTS: ReadonlyMap<string | undefined, TypeName> = new Map([
  ['boolValue', 'bool'],
  ['bytesValue', 'bytes'],
  ['doubleValue', 'double'],
  ['int64Value', 'int'],
  ['uint64Value', 'uint'],
  ['stringValue', 'string'],
  ['nullValue', 'null_type'],
]);

const fits = (actual: TypeName | undefined, declared: TypeName | undefined): boolean =>
  actual === undefined || declared === undefined
    ? actual === declared
    : actual === DYN || declared === DYN || actual === declared;

const canBeEqual = (left: TypeName, right: TypeName): boolean =>
  left === right ||
  left === DYN ||
  right === DYN ||
  left === 'null_type' ||
  right === 'null_type' ||
  (NUMERIC.has(left) && NUMERIC.has(right));

const literalText = (expr: Expr | undefined): string | undefined =>
  expr?.exprKind.case === 'constExpr' && expr.exprKind.value.constantKind.case === 'stringValue'
    ? expr.exprKind.value.constantKind.value
    : undefined;

const qualifiedName = (expr: Expr | undefined): string | undefined => {
  if (expr?.exprKind.case === 'identExpr') return expr.exprKind.value.name;
  if (expr?.exprKind.case !== 'selectExpr' || expr.exprKind.value.testOnly) return undefined;
  const parent = qualifiedName(expr.exprKind.value.operand);
  return parent === undefined ? undefined : `${parent}.${expr.exprKind.value.field}`;
};

const operatorName = (name: string): string =>
  name === '@in' ? 'in' : name.replaceAll('_', '') || name;
