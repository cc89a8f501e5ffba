import { isCelError, type CelValue } from '@bufbuild/cel';
import type { Call, Expr } from './cel-expression.ts';
import { celFunctions } from './cel-environment.ts';
import { CelTypeError, shownMessage } from './cel-fault.ts';
import { BOOL, BYTES, DOUBLE, INT, type Kinds, NULL, STRING, UINT } from './cel-kinds.ts';
import { CelMeter } from './cel-meter.ts';
import { TIME_GETTERS } from './cel-time-functions.ts';

type Constant = Extract<Expr['exprKind'], { case: 'constExpr' }>['value']['constantKind'];

/**
 * The kind of a literal.
 *
 * @throws CelTypeError where its value has no place in its type.
 */
export const checkConstant = (constant: Constant, id: bigint): Kinds => {
  switch (constant.case) {
    case 'boolValue':
      return BOOL;
    case 'bytesValue':
      return BYTES;
    case 'doubleValue':
      if (!Number.isFinite(constant.value))
        throw new CelTypeError('the number is too large for a double', id);
      return DOUBLE;
    case 'int64Value':
      if (BigInt.asIntN(64, constant.value) !== constant.value)
        throw new CelTypeError('the number is too large for an int, which has 64 bits', id);
      return INT;
    case 'uint64Value':
      if (BigInt.asUintN(64, constant.value) !== constant.value)
        throw new CelTypeError('the number is too large for a uint, which has 64 bits', id);
      return UINT;
    case 'stringValue':
      return STRING;
    case 'nullValue':
      return NULL;
    default:
      throw new CelTypeError('the literal cannot be used', id);
  }
};

/**
 * Tries patterns, time zones and conversions of literals now. A time zone has to be a literal, as
 * the named ones are refused and it has to be known when.
 *
 * @throws CelTypeError
 */
export const checkLiterals = (call: Call, id: bigint): void => {
  const [argument] = call.args.slice(call.function === 'matches' && !call.target ? 1 : 0);
  const text = literalText(argument);
  if (TIME_GETTERS.has(call.function) && argument !== undefined && text === undefined)
    throw new CelTypeError(
      `the time zone of ${call.function} is written into the expression, as in ${call.function}("+02:00")`,
      argument.id,
    );
  if (text === undefined) return;
  if (call.function === 'matches') attempt(id, 'matches', undefined, ['', text]);
  if (TIME_GETTERS.has(call.function)) attempt(id, call.function, EPOCH(), [text]);
  if (CONVERSIONS.has(call.function) && call.target === undefined)
    attempt(id, call.function, undefined, [text]);
};

const CONVERSIONS: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'timestamp',
  'duration',
]);

const meter = new CelMeter();
const functions = celFunctions(meter);

const EPOCH = (): CelValue => attempt(0n, 'timestamp', undefined, [0n]);

const attempt = (
  id: bigint,
  name: string,
  target: CelValue | undefined,
  args: CelValue[],
): CelValue => {
  meter.beginAll();
  meter.begin();
  const value = functions.find(name)!.call(0, target, args);
  if (isCelError(value))
    throw new CelTypeError(
      `${name}(${JSON.stringify(String(args.at(-1)).slice(0, 100))}): ${shownMessage(value.message) ?? meter.breach ?? value.message}`,
      id,
    );
  return value;
};

const literalText = (expr: Expr | undefined): string | undefined =>
  expr?.exprKind.case === 'constExpr' && expr.exprKind.value.constantKind.case === 'stringValue'
    ? expr.exprKind.value.constantKind.value
    : undefined;
