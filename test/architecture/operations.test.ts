import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TObject, TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { AjvInputCheck } from '../../adapters/json-schema/ajv-input-check.ts';
import { IDS } from '../../application/call/example-story.ts';
import type { Operation } from '../../application/call/operation.ts';
import { OPERATIONS } from '../../config/operations.ts';
import { isErrorCode } from '../../domain/kernel/errors.ts';
import { isUuid } from '../../domain/kernel/ids.ts';

/** The rules that every operation keeps, whatever front-end binds it. One that is added falls under them. */
const rows = OPERATIONS.map((operation) => [operation.id, operation] as const);
const writes = rows.filter(([, { effect }]) => effect === 'write');
const byId = new Map(rows);

/** Operations whose answer leads no further by itself, each with the reason. The list may only become shorter. */
const UNGUIDED: ReadonlyMap<string, string> = new Map([
  ['createRecordsBulk', 'each of its records carries the guidance of its own'],
]);

/** Steps of examples that lead to what is no operation yet. The list may only become shorter. */
const NOT_YET: readonly string[] = [];

/**
 * Members that a step tells as a text though the operation takes a number: a step holds texts alone, which is enough
 * for a path. A front-end without paths needs the number. The list may only become shorter.
 */
const TOLD_AS_TEXT: readonly string[] = ['updateSchema.version'];

const GUIDANCE = ['suggestion', 'nextSteps'];
const RECORD_GUIDANCE = [...GUIDANCE, 'nextActions', 'validTransitions', 'hint'];

/** Members that stand in a path, where the examples of an operation leave them out. */
const PATH_MEMBERS: { readonly [member: string]: unknown } = {
  type: 'report.weekly',
  publisher: 'acme',
  version: 1,
  thumbprint: '0'.repeat(64),
};

const A_RECORD: { readonly [member: string]: unknown } = { recordId: IDS.record };

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: {
    uuid: isUuid,
    'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
    uri: true,
  },
});
/** What of the value does not fit the schema. */
const faultsOf = (schema: TSchema, value: unknown): readonly string[] => {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema)) as object);
  validate(JSON.parse(JSON.stringify(value)));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

const membersOf = (schema: TSchema): { readonly [name: string]: TSchema } =>
  (schema as Partial<TObject>).properties ?? {};

/** The same input with what its path would say. */
const whole = ({ input }: Operation, example: object): object => {
  const missing = (input.required ?? []).filter((name) => !(name in example));
  const said = missing.map((name) => {
    const { format } = membersOf(input)[name] as { readonly format?: string };
    return [name, format === 'uuid' ? IDS.record : PATH_MEMBERS[name]];
  });
  return { ...Object.fromEntries(said), ...example };
};

/** Takes no more than what says which thing is meant. */
const namesAThing = ({ input }: Operation): boolean =>
  Object.entries(membersOf(input)).every(
    ([name, schema]) =>
      name in PATH_MEMBERS || (schema as { readonly format?: string }).format === 'uuid',
  );

interface Step {
  readonly operation: string;
  readonly input: { readonly [member: string]: unknown };
}

/** Every step that stands within an example. */
const stepsIn = (value: unknown): readonly Step[] => {
  if (Array.isArray(value)) return value.flatMap(stepsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'nextSteps' ? (member as readonly Step[]) : stepsIn(member),
  );
};

/** The name of every member that a schema says, however deep. */
const namesIn = (schema: unknown): readonly string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, part]) => [
    ...(name === 'properties' ? Object.keys(part as object) : []),
    ...namesIn(part),
  ]);
};

const examplesOf = ({ result }: Operation): readonly unknown[] =>
  result.found ? [result.example, result.found.example] : [result.example];

describe('operations', () => {
  it('have ids of their own, in camelCase', () => {
    expect(byId.size).toBe(OPERATIONS.length);
    expect([...byId.keys()].filter((id) => !/^[a-z]+(?:[A-Z][a-z0-9]*)*$/.test(id))).toEqual([]);
  });

  it('exceptions name what is there', () => {
    expect([...UNGUIDED.keys()].filter((id) => !byId.has(id))).toEqual([]);
    expect(NOT_YET.filter((id) => byId.has(id))).toEqual([]);
  });
});

describe.each(rows)('%s', (_id, operation) => {
  const { words, input, output, examples, result, problems, secrets, effect } = operation;

  it('has words, an input that is closed, and problems of the catalogue', () => {
    expect(words.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(words.group).toMatch(/^[A-Z]/);
    expect(result.description).not.toBe('');
    expect(input).toMatchObject({ additionalProperties: false });
    expect(problems.filter((code) => !isErrorCode(code))).toEqual([]);
    expect(secrets.filter((name) => !namesIn(output).includes(name))).toEqual([]);
  });

  it('has an example of what it takes, and each one passes its check', () => {
    const check = new AjvInputCheck().prepare({
      noun: 'The input',
      memberNoun: 'member',
      schema: input,
      hasHelp: false,
    });
    if (effect === 'write' && !namesAThing(operation))
      expect(Object.keys(examples)).not.toEqual([]);
    for (const [name, example] of Object.entries(examples))
      expect(() => check(whole(operation, example)), name).not.toThrow();
  });

  it('has an example of its result that fits its schema', () => {
    for (const example of examplesOf(operation)) expect(faultsOf(output, example)).toEqual([]);
  });

  it('leads in its examples to operations that there are, with what they take', () => {
    for (const step of examplesOf(operation).flatMap(stepsIn)) {
      if (NOT_YET.includes(step.operation)) continue;
      const next = byId.get(step.operation);
      expect(next, step.operation).toBeDefined();
      for (const [member, value] of Object.entries(step.input)) {
        const schema = membersOf(next!.input)[member];
        expect(schema, `${step.operation}: ${member}`).toBeDefined();
        const isText = TOLD_AS_TEXT.includes(`${step.operation}.${member}`);
        // Dots stand for what only the caller can say.
        if (value !== '...')
          expect(
            faultsOf(schema!, isText ? Number(value) : value),
            `${step.operation}.${member}`,
          ).toEqual([]);
      }
    }
  });

  it('speaks no HTTP in the names of its members', () => {
    const spoken = /^(?:GET|POST|PUT|PATCH|DELETE)$|\/v1\/|href|header|http|etag/;
    const names = [...namesIn(input), ...namesIn(output)];
    expect(names.filter((name) => spoken.test(name) || /href|header/i.test(name))).toEqual([]);
  });
});

describe('every change', () => {
  it.each(writes.filter(([id]) => !UNGUIDED.has(id)))(
    '%s says what to do next',
    (id, { output, target }) => {
      const isOfRecord = id === 'createRecord' || target?.(A_RECORD)?.kind === 'record';
      const needed = isOfRecord ? RECORD_GUIDANCE : GUIDANCE;
      const { required = [] } = output as { readonly required?: readonly string[] };
      expect(needed.filter((name) => !required.includes(name))).toEqual([]);
    },
  );
});
