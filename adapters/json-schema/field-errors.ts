import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldError } from '../../domain/kernel/errors.ts';
import { appendPointer } from '../../domain/record-type/json-pointer.ts';
import { MAX_SCHEMA_ERRORS } from '../../domain/record-type/schema-limits.ts';

export const fieldErrors = (errors: ErrorObject[] | null | undefined): FieldError[] =>
  (errors ?? []).slice(0, MAX_SCHEMA_ERRORS).map(fieldError);

const fieldError = (error: ErrorObject): FieldError => {
  const { keyword, instancePath: path, params } = error;
  switch (keyword) {
    case 'required':
      return {
        path: appendPointer(path, params.missingProperty as string),
        keyword,
        message: 'is required',
      };
    case 'dependentRequired':
      return {
        path: appendPointer(path, params.missingProperty as string),
        keyword,
        message: `is required where ${JSON.stringify(params.property)} is present`,
      };
    case 'additionalProperties':
      return {
        path: appendPointer(path, params.additionalProperty as string),
        keyword,
        message: 'is not a member that is allowed here',
      };
    case 'unevaluatedProperties':
      return {
        path: appendPointer(path, params.unevaluatedProperty as string),
        keyword,
        message: 'is not a member that is allowed here',
      };
    case 'propertyNames':
      return {
        path: appendPointer(path, params.propertyName as string),
        keyword,
        message: 'is not a name that is allowed here',
      };
    default:
      return { path, keyword, message: error.message ?? 'is not valid' };
  }
};

/** ajv gives the place only inside its message: `… at "#/properties/a" (strictTypes)`. */
export const compileFault = (error: unknown): FieldError => {
  const text =
    error instanceof RangeError
      ? 'the schema is nested too deep'
      : error instanceof Error
        ? error.message
        : String(error);
  const place = /at "#?([^"]*)"/.exec(text.slice(0, 2_000))?.[1] ?? '';
  return {
    path: place.startsWith('/') ? decodeURI(place) : '',
    keyword: 'strict',
    message: text.slice(0, 500),
  };
};
