import type { JsonObject } from '../kernel/canonical-json.ts';
import { isMultipleOf } from '../kernel/decimal.ts';
import { commonStep, multipleAt, quotient } from './common-step.ts';

/**
 * A small number that fits the numeric keywords of all parts. The search tries a few candidates, so
 * it may miss one and return a number that does not fit.
 */
export const exampleNumber = (parts: readonly JsonObject[], integer: boolean): number => {
  const step = commonStep([...(integer ? [1] : []), ...valuesOf(parts, 'multipleOf')]);
  const starts = startingPoints(parts);
  const candidates =
    step === null
      ? starts
      : starts.flatMap((start) => {
          const { floor, isExact } = quotient(start, step);
          const nearest = isExact ? floor : floor + 1n;
          return [nearest, nearest + 1n, nearest - 1n].map((count) => multipleAt(count, step));
        });
  return (
    candidates.find((candidate) => fitsNumericKeywords(candidate, parts)) ?? candidates[0] ?? 0
  );
};

/** Checks the number against the numeric keywords of the parts, and not against their types. */
export const fitsNumericKeywords = (value: number, parts: readonly JsonObject[]): boolean =>
  Number.isFinite(value) &&
  valuesOf(parts, 'minimum').every((limit) => value >= limit) &&
  valuesOf(parts, 'exclusiveMinimum').every((limit) => value > limit) &&
  valuesOf(parts, 'maximum').every((limit) => value <= limit) &&
  valuesOf(parts, 'exclusiveMaximum').every((limit) => value < limit) &&
  valuesOf(parts, 'multipleOf').every((step) => isMultipleOf(value, step));

const valuesOf = (parts: readonly JsonObject[], keyword: string): number[] =>
  parts.map((part) => part[keyword]).filter((value) => typeof value === 'number');

/** The preferred values first. An exclusive bound itself comes first too, and does not fit. */
const startingPoints = (parts: readonly JsonObject[]): number[] => {
  const low = Math.max(...valuesOf(parts, 'minimum'), ...valuesOf(parts, 'exclusiveMinimum'));
  const high = Math.min(...valuesOf(parts, 'maximum'), ...valuesOf(parts, 'exclusiveMaximum'));
  return (
    low === -Infinity
      ? [Math.min(high, 1), high - 1, high - Math.abs(high)]
      : [low, low + 1, low / 2 + high / 2, low + Math.abs(low)]
  ).filter(Number.isFinite);
};
