import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { closest } from 'fastest-levenshtein';
import type { Static, TSchema } from 'typebox';
import { NotaryError, type FieldError, type ProblemMembers } from '../../domain/kernel/errors.ts';
import { isUuid } from '../../domain/kernel/ids.ts';

/** Gives the value back with its type, or throws. */
export type Check<T> = (value: unknown) => T;

export type Place = 'body' | 'query' | 'path';

/**
 * Compiles a wire schema once. The check throws VALIDATION_ERROR with every finding by JSON Pointer; an unknown
 * member is named together with the nearest known one.
 */
export const compileCheck = <S extends TSchema>(
  schema: S,
  place: Place,
  members: ProblemMembers = {},
): Check<Static<S>> => {
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return value as Static<S>;
    throw refusal(validate.errors ?? [], place, members);
  };
};

const isInstant = (text: string): boolean =>
  (fullFormats['date-time'] as { validate: (text: string) => boolean }).validate(text) &&
  !Number.isNaN(Date.parse(text));

const ajv = new Ajv2020({
  allErrors: true,
  // The schema beside each error, so that the nearest known name can be told.
  verbose: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  formats: { uuid: isUuid, 'date-time': isInstant, uri: true },
});

const MAX_ERRORS = 100;

const refusal = (
  found: readonly ErrorObject[],
  place: Place,
  members: ProblemMembers,
): NotaryError => {
  // An unknown member first: it is mostly the reason why another one is missing.
  const unknownFirst = [...found].sort(
    (a, b) =>
      Number(b.keyword === 'additionalProperties') - Number(a.keyword === 'additionalProperties'),
  );
  const errors = unknownFirst.slice(0, MAX_ERRORS).map((error) => fieldError(error, place));
  const first = errors[0];
  const detail = first
    ? `${PLACE_NAMES[place]} is not valid: ${first.path === '' ? '' : `${first.path} `}${first.message}${errors.length > 1 ? `, and ${errors.length - 1} more` : ''}.`
    : `${PLACE_NAMES[place]} is not valid.`;
  const allowed = found.find((error) => error.keyword === 'enum')?.params['allowedValues'] as
    readonly string[] | undefined;
  return new NotaryError('VALIDATION_ERROR', detail, {
    ...members,
    errors,
    ...(allowed ? { allowedValues: allowed } : {}),
  });
};

const PLACE_NAMES = {
  body: 'The body',
  query: 'The query',
  path: 'The path',
} as const satisfies Record<Place, string>;
const MEMBER_NAMES = {
  body: 'member',
  query: 'query parameter',
  path: 'path parameter',
} as const satisfies Record<Place, string>;

const fieldError = (error: ErrorObject, place: Place): FieldError => {
  const { keyword, instancePath, params } = error;
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    return {
      path: `${instancePath}/${pointerToken(name)}`,
      keyword,
      message: `is not a known ${MEMBER_NAMES[place]}${nearest(name, error.parentSchema)}`,
    };
  }
  if (keyword === 'required')
    return {
      path: `${instancePath}/${pointerToken(String(params['missingProperty']))}`,
      keyword,
      message: 'is required',
    };
  if (keyword === 'enum')
    return {
      path: instancePath,
      keyword,
      message: `must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`,
    };
  if (keyword === 'format' && params['format'] === 'uuid')
    return { path: instancePath, keyword, message: 'must be a UUID in lowercase' };
  if (keyword === 'format' && params['format'] === 'date-time')
    return {
      path: instancePath,
      keyword,
      message: 'must be an ISO 8601 time with its zone, such as 2026-01-31T12:00:00.000Z',
    };
  return { path: instancePath, keyword, message: error.message ?? `fails ${keyword}` };
};

const nearest = (name: string, schema: ErrorObject['parentSchema']): string => {
  const known = Object.keys((schema?.['properties'] as object | undefined) ?? {});
  return known.length === 0
    ? '; none is taken'
    : `; the nearest known one is ${closest(name.slice(0, 200), known)}`;
};

const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
