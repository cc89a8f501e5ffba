import { unparse } from '@bufbuild/cel';
import { nearestName } from '../../domain/kernel/nearest-name.ts';
import { CelTypeError } from './cel-fault.ts';
import { type Call, type Comprehension, type Expr, qualifiedName } from './cel-expression.ts';
import { type FunctionTable, operatorOf } from './cel-function-table.ts';
import { checkConstant, checkLiterals } from './cel-literals.ts';
import { BOOL, DOUBLE, KEYS, LIST, MAP, NULL, NUMERIC, TYPE } from './cel-kinds.ts';
import { inWords, mismatch } from './cel-mismatch.ts';
import {
  DYN,
  either,
  elementOf,
  EMPTY_LIST_TYPE,
  listOf,
  mapOf,
  ofKinds,
  type StaticType,
  walkedOf,
} from './cel-static-type.ts';
import { TYPE_NAMES } from './cel-conversions.ts';

export type Scope = ReadonlyMap<string, StaticType>;

/**
 * Infers the type of an expression and refuses what fails for every input: unknown variables and
 * functions, operands that no overload takes, literals that no conversion takes. Of content it is
 * known that JSON has no ints, so that an int can never be added to it.
 *
 * @throws CelTypeError
 */
export const checkType = (functions: FunctionTable, expr: Expr, variables: Scope): StaticType =>
  new TypeChecker(functions, variables).infer(expr, variables);

class TypeChecker {
  constructor(
    private readonly functions: FunctionTable,
    private readonly variables: Scope,
  ) {}

  infer(expr: Expr, scope: Scope): StaticType {
    const { exprKind, id } = expr;
    switch (exprKind.case) {
      case 'constExpr':
        return ofKinds(checkConstant(exprKind.value.constantKind, id));
      case 'identExpr':
        return this.variable(exprKind.value.name, id, scope);
      case 'selectExpr': {
        const { operand, field, testOnly } = exprKind.value;
        if (TYPE_NAMES.has(qualifiedName(expr) ?? '')) return ofKinds(TYPE);
        const type = this.part(operand, scope);
        if (!(type.kinds & MAP))
          throw new CelTypeError(`${inWords(type)} has no member ${JSON.stringify(field)}`, id);
        return testOnly ? ofKinds(BOOL) : elementOf(type);
      }
      case 'callExpr':
        return this.call(exprKind.value, id, scope);
      case 'listExpr':
        return exprKind.value.elements
          .map((element) => listOf(this.infer(element, scope)))
          .reduce(either, EMPTY_LIST_TYPE);
      case 'structExpr':
        if (exprKind.value.messageName !== '')
          throw new CelTypeError(
            `there are no messages here, such as ${exprKind.value.messageName}; use a map`,
            id,
          );
        return exprKind.value.entries
          .map(({ keyKind, value }) =>
            mapOf(
              this.key(keyKind.case === 'mapKey' ? keyKind.value : undefined, scope),
              this.part(value, scope),
            ),
          )
          .reduce(either, mapOf(0, EMPTY_LIST_TYPE.element));
      case 'comprehensionExpr':
        return this.comprehension(exprKind.value, id, scope);
      default:
        throw new CelTypeError('the expression is not complete', id);
    }
  }

  private part(expr: Expr | undefined, scope: Scope): StaticType {
    if (expr === undefined) throw new CelTypeError('the expression is not complete');
    return this.infer(expr, scope);
  }

  private key(expr: Expr | undefined, scope: Scope): number {
    const type = this.part(expr, scope);
    if (!(type.kinds & KEYS))
      throw new CelTypeError(
        `a key of a map is a string, an int, a uint or a bool, not ${inWords(type)}`,
        expr?.id,
      );
    return type.kinds & KEYS;
  }

  private variable(name: string, id: bigint, scope: Scope): StaticType {
    const plain = name.startsWith('.') ? name.slice(1) : name;
    const type = scope.get(plain);
    if (type !== undefined && plain !== name && type !== this.variables.get(plain))
      throw new CelTypeError(`a comprehension uses the name ${plain} for something else`, id);
    if (type !== undefined) return type;
    if (TYPE_NAMES.has(name)) return ofKinds(TYPE);
    const known = [...scope.keys()].filter((variable) => !variable.startsWith('@'));
    const near = nearestName(name, known);
    throw new CelTypeError(
      `there is no variable ${JSON.stringify(name)}; ` +
        (near === null ? `there are ${known.join(', ')}` : `is ${near} meant?`),
      id,
    );
  }

  private comprehension(value: Comprehension, id: bigint, scope: Scope): StaticType {
    const { iterRange, iterVar, accuVar, accuInit, loopCondition, loopStep, result } = value;
    const range = this.part(iterRange, scope);
    if (!(range.kinds & (LIST | MAP)))
      throw new CelTypeError(`${inWords(range)} cannot be walked; a list or a map can`, id);
    const inner = new Map([
      ...scope,
      [accuVar, this.part(accuInit, scope)],
      [iterVar, walkedOf(range)],
    ]);
    this.expectBool(this.part(loopCondition, inner), 'the condition', loopCondition);
    return this.part(
      result,
      inner.set(accuVar, either(inner.get(accuVar) ?? DYN, this.part(loopStep, inner))),
    );
  }

  private call(call: Call, id: bigint, scope: Scope): StaticType {
    this.checkName(call, id);
    const operands = [...(call.target === undefined ? [] : [call.target]), ...call.args];
    const types = operands.map((operand) => this.infer(operand, scope));
    const [first = DYN, second = DYN, third = DYN] = types;
    switch (call.function) {
      case '_&&_':
      case '_||_':
        types.forEach((type, i) => {
          this.expectBool(type, operatorOf(call.function), operands[i]);
        });
        return ofKinds(BOOL);
      case '@not_strictly_false':
        return ofKinds(BOOL);
      case '_?_:_':
        this.expectBool(first, 'the condition of ?:', operands[0]);
        return either(second, third);
      case '_[_]':
        if (first.kinds & LIST && second.kinds & NUMERIC) return elementOf(first);
        if (first.kinds & MAP && second.kinds & (KEYS | DOUBLE)) return elementOf(first);
        throw new CelTypeError(
          first.kinds & (LIST | MAP)
            ? `${inWords(first)} has no element at ${inWords(second)}`
            : `${inWords(first)} has no elements`,
          id,
        );
      case '_==_':
      case '_!=_':
        if (!canBeEqual(first, second))
          throw new CelTypeError(
            `${inWords(first)} and ${inWords(second)} are never equal; convert one of them`,
            id,
          );
        return ofKinds(BOOL);
      default:
        checkLiterals(call, id);
        return this.overload(call, id, operands, types);
    }
  }

  private checkName(call: Call, id: bigint): void {
    const { function: name } = call;
    if (OPERATORS.has(name) || this.functions.find(name) !== undefined) return;
    const form = MACROS.get(name);
    if (form !== undefined) throw new CelTypeError(`${name} is written ${form}`, id);
    const near = nearestName(
      name,
      [...this.functions.names, ...MACROS.keys()].filter((known) => /^[a-z]/.test(known)),
    );
    throw new CelTypeError(
      `there is no function ${JSON.stringify(name)}${near === null ? '' : `; is ${near} meant?`}`,
      id,
    );
  }

  private overload(
    call: Call,
    id: bigint,
    operands: readonly Expr[],
    types: readonly StaticType[],
  ): StaticType {
    const all = this.functions.find(call.function)?.overloads ?? [];
    const isMethod = call.target !== undefined;
    const fitting = all.filter(
      (overload) =>
        overload.method === isMethod &&
        overload.operands.length === types.length &&
        overload.operands.every((kinds, i) => kinds & (types[i]?.kinds ?? 0)),
    );
    if (fitting.length > 0) return fitting.map(({ result }) => result(types)).reduce(either);
    throw new CelTypeError(mismatch(call, all, operands.map(sourceOf), types), id);
  }

  private expectBool(type: StaticType, what: string, expr: Expr | undefined): void {
    if (!(type.kinds & BOOL))
      throw new CelTypeError(`${what} takes a bool, not ${inWords(type)}`, expr?.id);
  }
}

const OPERATORS: ReadonlySet<string> = new Set([
  '_&&_',
  '_||_',
  '@not_strictly_false',
  '_?_:_',
  '_[_]',
]);

const MACROS: ReadonlyMap<string, string> = new Map([
  ['has', 'has(value.member)'],
  ['all', 'list.all(x, condition), with a plain name for x'],
  ['exists', 'list.exists(x, condition), with a plain name for x'],
  ['exists_one', 'list.exists_one(x, condition), with a plain name for x'],
  ['map', 'list.map(x, value), with a plain name for x'],
  ['filter', 'list.filter(x, condition), with a plain name for x'],
]);

const canBeEqual = (a: StaticType, b: StaticType): boolean =>
  (a.kinds & b.kinds) !== 0 ||
  ((a.kinds & NUMERIC) !== 0 && (b.kinds & NUMERIC) !== 0) ||
  a.kinds === NULL ||
  b.kinds === NULL;

/** The text of a part, for a correction. */
const sourceOf = (expr: Expr): string => {
  try {
    const text = unparse(expr);
    return text.length <= 60 ? text : '...';
  } catch {
    return '...';
  }
};
