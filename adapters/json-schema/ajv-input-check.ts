import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { nearestName } from '../../domain/kernel/nearest-name.ts';
import type { TSchema } from 'typebox';
import type { InputCheck, InputPart, PartCheck } from '../../application/call/input-check.port.ts';
import { NotaryError, type FieldError, type ProblemMembers } from '../../domain/kernel/errors.ts';
import { refusedAs, refusedCharacter } from '../../domain/kernel/plain-text.ts';
import { compileInput, MAX_FINDINGS } from './input-ajv.ts';
import { normaliserOf } from './normalise-input.ts';

/** Checks inputs by ajv. */
export class AjvInputCheck implements InputCheck {
  prepare(part: InputPart): PartCheck {
    const { schema, names = {}, whole } = part;
    if (whole === undefined && isEmpty(schema))
      return noMembers(part, part.hasHelp ? helpOf(part) : {});
    const validate = compiledLater(schema);
    const normalise = normaliserOf(schema);
    const help = part.hasHelp ? helpOf(part) : {};
    const renamed = Object.entries(names);
    return (value) => {
      if (!validate()(value)) throw refusal(validate().errors ?? [], part, help);
      const checked = normalise(value);
      if (whole !== undefined) return { [whole]: checked };
      return renamed.length === 0 ? (checked as Members) : rename(checked as Members, names);
    };
  }
}

type Members = { readonly [member: string]: unknown };

const isEmpty = (schema: TSchema): boolean =>
  Object.keys((schema as { properties?: object }).properties ?? { one: 1 }).length === 0;

/** Compiles at the first call: most processes never call most operations, and a compiled schema takes memory. */
const compiledLater = (schema: TSchema): (() => ValidateFunction) => {
  let validate: ValidateFunction | undefined;
  return () => (validate ??= compileInput(schema));
};

/** A part without members. This is by far the most common case: an empty query. */
const noMembers = (part: InputPart, help: ProblemMembers): PartCheck => {
  const validate = compiledLater(part.schema);
  return (value) => {
    if (isEmptyObject(value)) return NOTHING;
    throw validate()(value)
      ? new TypeError('a closed part is open')
      : refusal(validate().errors ?? [], part, help);
  };
};

const isEmptyObject = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const _ in value) return false;
  return true;
};
const NOTHING: Members = Object.freeze({});

const rename = (value: Members, names: { readonly [wire: string]: string }): Members =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [names[name] ?? name, member]));

/** Finding the nearest known name takes long where the name is. */
const MAX_SUGGESTIONS = 8;

const refusal = (
  found: readonly ErrorObject[],
  { noun, memberNoun }: InputPart,
  help: ProblemMembers,
): NotaryError => {
  // Unknown members come first: they are usually the reason why another member is missing.
  const isUnknown = ({ keyword }: ErrorObject): boolean => keyword === 'additionalProperties';
  const unknownFirst = [...found.filter(isUnknown), ...found.filter((error) => !isUnknown(error))];
  const errors = unknownFirst
    .slice(0, MAX_FINDINGS)
    .map((error, at) => fieldError(error, memberNoun, at < MAX_SUGGESTIONS));
  const first = errors[0];
  const detail = first
    ? `${noun} is not valid: ${first.path === '' ? '' : `${first.path} `}${first.message}${others(errors.length - 1, found.length > MAX_FINDINGS)}.`
    : `${noun} is not valid.`;
  const allowed = found.map(allowedValues).find((values) => values !== undefined);
  return new NotaryError('VALIDATION_ERROR', detail, {
    ...help,
    errors,
    ...(allowed ? { allowedValues: allowed } : {}),
  });
};

/** The values of an enum that was missed, or the examples of a member that is missing. */
const allowedValues = ({
  keyword,
  params,
  parentSchema,
}: ErrorObject): readonly string[] | undefined => {
  if (keyword === 'enum') return params['allowedValues'] as readonly string[];
  if (keyword !== 'required') return undefined;
  const { properties } = parentSchema as {
    properties?: { [name: string]: { readonly examples?: readonly string[] } };
  };
  return properties?.[String(params['missingProperty'])]?.examples;
};

const others = (count: number, isCutShort: boolean): string => {
  if (isCutShort) return `, and ${count} more are listed; there are others that are not`;
  return count > 0 ? `, and ${count} more` : '';
};

/** The members of a refusal besides its errors. */
const helpOf = ({ schema, example }: InputPart): ProblemMembers => {
  const { properties, required } = schema as {
    properties?: object;
    required?: readonly string[];
  };
  if (!properties) return {};
  const requiredFields = required ?? [];
  return {
    requiredFields,
    optionalFields: Object.keys(properties).filter((name) => !requiredFields.includes(name)),
    ...(example === undefined ? {} : { examplePayload: example }),
  };
};

const fieldError = (error: ErrorObject, memberNoun: string, isSuggesting: boolean): FieldError => {
  const { keyword, instancePath, params } = error;
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    return {
      path: `${instancePath}/${pointerToken(name)}`,
      keyword,
      message: `is not a known ${memberNoun}${isSuggesting ? nearest(name, error.parentSchema) : ''}`,
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
  const refused =
    keyword === 'pattern' ? refusedCharacter(String(error.data), String(params['pattern'])) : null;
  if (refused !== null)
    return {
      path: instancePath,
      keyword: 'characters',
      message: `must not hold ${refused}: ${refusedAs(String(params['pattern']))}`,
    };
  if (keyword === 'format' && params['format'] === 'uuid')
    return { path: instancePath, keyword, message: 'must be a UUID' };
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
  if (known.length === 0) return '; none is taken';
  const near = nearestName(name, known);
  return near === null ? '' : `; the nearest known one is ${near}`;
};

const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
