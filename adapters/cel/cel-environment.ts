import { celEnv, CelScalar, type CelEnv, type CelFunc } from '@bufbuild/cel';
import type { CelMeter } from './cel-meter.ts';
import { metered } from './cel-charges.ts';
import { conversions, mixedArithmetic } from './cel-number-functions.ts';
import { timeGetters } from './cel-time-functions.ts';
import { texts } from './cel-text-functions.ts';
import { lists } from './cel-list-functions.ts';

/**
 * The standard functions of CEL. Each charges the meter for the cost of its operands. Functions
 * whose library version depends on the machine or is too lenient are replaced:
 *
 * - timestamp getters: UTC, or a fixed offset such as "+02:00". Named time zones are refused,
 *   because their rules change over the years, and the local zone of the machine plays no part;
 * - `timestamp(int)` counts seconds, as the language defines it;
 * - conversions of strings to numbers take decimal numbers only;
 * - arithmetic between doubles and ints gives a double;
 * - `matches` runs on RE2 with a bounded pattern.
 */
export const celEnvironment = (meter: CelMeter): CelEnv => {
  // Overloads are tried in order, and most operands are doubles: the numbers of customers.
  const standard = [...celEnv().funcs]
    .sort((a, b) => doublesIn(b) - doublesIn(a))
    .map((func) => metered(func, meter));
  return celEnv({
    funcs: [
      ...standard,
      ...conversions(meter),
      ...mixedArithmetic(),
      ...timeGetters(meter),
      ...texts(meter),
      ...lists(meter),
    ],
  });
};

const doublesIn = (func: CelFunc): number =>
  func.arguments.filter((type) => type === CelScalar.DOUBLE).length;
