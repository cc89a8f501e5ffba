import type { Call } from './cel-expression.ts';
import { operatorOf, type Overload } from './cel-function-table.ts';
import { DOUBLE, INT, kindsIn, type Kinds, namesOf, NUMERIC, STRING, UINT } from './cel-kinds.ts';
import { JSON_TYPE, type StaticType } from './cel-static-type.ts';

/** What no overload takes, in words, with the correction where there is one. */
export const mismatch = (
  call: Call,
  overloads: readonly Overload[],
  sources: readonly string[],
  types: readonly StaticType[],
): string => {
  const name = operatorOf(call.function);
  if (!ARITHMETIC.has(call.function) || types.length < 2) {
    const operands = types.map(inWords).join(' and ') || 'nothing';
    return `${name} is not defined for ${operands}${takes(overloads)}`;
  }
  const kinds = types.map((type) => type.kinds);
  if (call.function === '_%_' && kinds.every((kind) => kind & NUMERIC) && kinds.some(isDouble))
    return `% is not defined for doubles${JSON_NOTE}; write ${corrected(sources, (source, i) => (isDouble(kinds[i] ?? 0) ? `int(${source})` : source)).join(' % ')}`;
  if (kinds.some(isDouble) && kinds.some(isWhole))
    return `${name} is not defined for ${kinds.map((kind) => (isWhole(kind) ? namesOf(kind & NUMERIC) : 'double')).join(' and ')}${JSON_NOTE}; write ${corrected(
      sources,
      (source, i) => (isWhole(kinds[i] ?? 0) ? asDouble(source) : source),
    ).join(` ${name} `)}`;
  if (kinds.some((kind) => kind === STRING) && kinds.some((kind) => kind & NUMERIC))
    return `${name} is not defined for ${types.map(inWords).join(' and ')}; string(...) makes a text of a number`;
  return `${name} is not defined for ${types.map(inWords).join(' and ')}`;
};

/** The type as one says it. */
export const inWords = ({ kinds }: StaticType): string =>
  kinds === JSON_TYPE.kinds ? 'a value of JSON' : namesOf(kinds);

const JSON_NOTE = ', and every number of JSON is a double';

const ARITHMETIC: ReadonlySet<string> = new Set(['_+_', '_-_', '_*_', '_/_', '_%_']);

const isWhole = (kinds: Kinds): boolean => (kinds & (INT | UINT)) !== 0 && (kinds & DOUBLE) === 0;

const isDouble = (kinds: Kinds): boolean => (kinds & DOUBLE) !== 0 && (kinds & (INT | UINT)) === 0;

const corrected = (
  sources: readonly string[],
  change: (source: string, i: number) => string,
): string[] => sources.map(change);

const asDouble = (source: string): string =>
  /^-?\d+u?$/.test(source) ? `${source.replace('u', '')}.0` : `double(${source})`;

const takes = (overloads: readonly Overload[]): string => {
  const forms = new Set(
    overloads
      .filter(({ name }) => /^[a-z]/.test(name))
      .map(({ method, operands }) => {
        const [target, ...rest] = operands.map((kinds) =>
          kindsIn(kinds).length > 3 ? 'value' : namesOf(kinds),
        );
        return method ? `${target ?? ''}.(${rest.join(', ')})` : operandsInWords(target, rest);
      }),
  );
  return forms.size === 0 || forms.size > 8 ? '' : `; it takes ${[...forms].join(', ')}`;
};

const operandsInWords = (first: string | undefined, rest: readonly string[]): string =>
  `(${[first ?? '', ...rest].join(', ')})`;
