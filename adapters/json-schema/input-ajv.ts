import {
  _,
  Ajv2020,
  Name,
  type CodeKeywordDefinition,
  type ErrorObject,
  type FuncKeywordDefinition,
  type KeywordCxt,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { TSchema } from 'typebox';
import { isUuid } from '../../domain/kernel/ids.ts';

/** How many findings one refusal lists. */
export const MAX_FINDINGS = 100;

/**
 * Compiles the schema of an input. The validator looks for every finding, but stops soon after there are more than
 * `MAX_FINDINGS`: a body may be wrong in a hundred thousand places, and each finding is an object that somebody has to
 * make, sort and show.
 */
export const compileInput = (schema: TSchema): ValidateFunction => {
  const text = JSON.stringify(schema);
  let validate = compiled.get(text);
  if (!validate) {
    validate = ajv.compile(stopping(schema));
    compiled.set(text, validate);
  }
  return validate;
};

/** By the text of the schema, because many operations take the same parameters. */
const compiled = new Map<string, ValidateFunction>();

const isInstant = (text: string): boolean =>
  (fullFormats['date-time'] as { validate: (text: string) => boolean }).validate(text) &&
  !Number.isNaN(Date.parse(text));

const ajv = new Ajv2020({
  allErrors: true,
  // These schemas are ours, and strict mode refuses what it does not know. Compiling the meta-schema would hold the event
  // loop for 50 ms at the first input.
  meta: false,
  validateSchema: false,
  // Verbose: each error carries its schema, from which the nearest known name is found.
  verbose: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  formats: {
    uuid: (text: string) => isUuid(text.toLowerCase()),
    'date-time': isInstant,
    uri: true,
  },
});

/** Stands for `additionalProperties: false`, of which ajv makes one finding for each unknown member. */
const CLOSED = '$closed';
const closed: FuncKeywordDefinition = {
  keyword: CLOSED,
  type: 'object',
  schemaType: 'boolean',
  errors: 'full',
  compile: (_isClosed, parentSchema) => {
    const known: object = (parentSchema['properties'] as object | undefined) ?? {};
    const check: { (data: object): boolean; errors?: Partial<ErrorObject>[] } = (data) => {
      const errors: Partial<ErrorObject>[] = [];
      for (const name in data) {
        if (Object.hasOwn(known, name)) continue;
        errors.push({
          keyword: 'additionalProperties',
          params: { additionalProperty: name },
          parentSchema,
        });
        if (errors.length > MAX_FINDINGS) break;
      }
      check.errors = errors;
      return errors.length === 0;
    };
    return check;
  },
};
ajv.addKeyword(closed);

/** The names that ajv gives to the list of findings and to their number in the code that it generates. */
const ERRORS = new Name('vErrors');
const COUNT = new Name('errors');

/** Stands in the schema of each item of an array: with too many findings the validation ends there. */
const STOP = '$stop';
const stop: CodeKeywordDefinition = {
  keyword: STOP,
  schemaType: 'boolean',
  code: ({ gen, it }: KeywordCxt) => {
    // In an alternative, findings may still be taken back.
    if (it.compositeRule) return;
    gen.if(_`${COUNT} > ${MAX_FINDINGS}`, () => {
      gen.assign(_`${it.validateName}.errors`, ERRORS);
      gen.return(false);
    });
  },
};
ajv.addKeyword(stop);

interface Nested {
  readonly items?: TSchema;
  readonly properties?: { readonly [name: string]: TSchema };
  readonly anyOf?: readonly TSchema[];
  readonly additionalProperties?: boolean;
}

/** The same schema, in which closed objects and the items of arrays are places to stop. */
const stopping = (schema: TSchema): TSchema => {
  const { items, properties, anyOf, additionalProperties, ...rest } = schema as Nested;
  return {
    ...rest,
    ...(additionalProperties === false ? { [CLOSED]: true } : {}),
    ...(items ? { items: { ...stopping(items), [STOP]: true } } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, stopping(one)]),
          ),
        }
      : {}),
    ...(anyOf ? { anyOf: anyOf.map(stopping) } : {}),
  };
};
