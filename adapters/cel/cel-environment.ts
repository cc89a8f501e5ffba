import { celEnv, type CelEnv } from '@bufbuild/cel';
import { arithmetic } from './cel-arithmetic.ts';
import { collections } from './cel-collection-functions.ts';
import { conversions } from './cel-conversions.ts';
import { equality } from './cel-equality.ts';
import { func, FunctionTable } from './cel-function-table.ts';
import { BOOL } from './cel-kinds.ts';
import type { CelMeter } from './cel-meter.ts';
import { ordering } from './cel-ordering.ts';
import { texts } from './cel-text-functions.ts';
import { times } from './cel-time-functions.ts';

/**
 * The standard definitions of cel-spec (doc/langdef.md) and no extension: no functions of strings,
 * of math or of sets beyond them, no optionals, no messages. All of them are ours, so that what a
 * gate means rests on this folder and on cel-spec's conformance data, not on a version of the
 * library, which reads and walks expressions. What is left out, because its result is not the same
 * everywhere or for ever: named time zones, and the text of values that engines write differently.
 */
export const celFunctions = (meter: CelMeter): FunctionTable =>
  new FunctionTable([
    ...arithmetic,
    ...equality(meter),
    ...ordering(meter),
    ...conversions(meter),
    ...texts(meter),
    ...collections(meter),
    ...times(meter),
    func('!_', [BOOL], BOOL, (value: boolean) => !value),
  ]);

/** An environment of the library that finds these functions and none of its own. */
export const celEnvironment = (functions: FunctionTable): CelEnv =>
  Object.create(celEnv(), { funcs: { value: functions } }) as CelEnv;
