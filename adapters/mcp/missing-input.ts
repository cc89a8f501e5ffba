import { getSchema } from '../../application/record-type/operations.ts';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { askedCriteria } from '../http/asked-criteria.ts';
import { argumentsOf } from './bound-tools.ts';
import type { McpCall } from './mcp-call.ts';
import type { Tool } from './tools.ts';

/** One thing that is missing and that a person can type in. */
interface Field {
  readonly path: readonly string[];
  readonly schema: JsonObject;
}

/** Under which the answer comes back. */
const ANSWER = 'missing';
const MAX_FIELDS = 20;

export interface AskedInput {
  readonly key: string;
  readonly message: string;
  readonly requestedSchema: JsonObject;
}

/**
 * What to ask the person behind the client for: members that the input needs and a form can hold, those of the criteria
 * of the record type among them. Null where nothing of the kind is missing.
 */
export const askForMissing = async (
  call: McpCall,
  tool: Tool,
  args: JsonObject,
): Promise<AskedInput | null> => {
  const fields = await missingFields(call, tool, args);
  if (fields.length === 0) return null;
  return {
    key: ANSWER,
    message: `${tool.name} needs ${fields.map(nameOf).join(', ')}.`,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [nameOf(field), field.schema])),
      required: fields.map(nameOf),
    },
  };
};

/** Whether the client asked the person already, and sends what came of it. */
export const hasAnswer = ({ inputResponses }: JsonObject): boolean => isObject(inputResponses);

/** The arguments with what the person gave. What was not asked for is not taken. */
export const withAnswer = async (
  call: McpCall,
  tool: Tool,
  args: JsonObject,
): Promise<JsonObject> => {
  const { inputResponses } = call.params;
  const answer = isObject(inputResponses) ? inputResponses[ANSWER] : undefined;
  if (!isObject(answer) || answer['action'] !== 'accept' || !isObject(answer['content']))
    return args;
  const { content } = answer as { readonly content: JsonObject };
  const fields = await missingFields(call, tool, args);
  return fields.reduce<JsonObject>((given, field) => {
    const value = content[nameOf(field)];
    return value === undefined ? given : withMember(given, field.path, value);
  }, args);
};

const nameOf = ({ path }: Field): string => path.join('.');

const withMember = (
  into: JsonObject,
  [name, ...rest]: readonly string[],
  value: JsonValue,
): JsonObject => {
  const inner = into[name!];
  return {
    ...into,
    [name!]: rest.length === 0 ? value : withMember(isObject(inner) ? inner : {}, rest, value),
  };
};

const missingFields = async (
  call: McpCall,
  tool: Tool,
  args: JsonObject,
): Promise<readonly Field[]> => {
  const own = fieldsIn([], argumentsOf(tool) as unknown as JsonObject, args);
  const { type, criteria = {} } = args;
  if (!('criteria' in tool.operation.input.properties)) return own;
  if (typeof type !== 'string' || !isObject(criteria)) return own;
  const schema = await criteriaOf(call, args);
  return [...own, ...(schema ? fieldsIn(['criteria'], schema, criteria) : [])].slice(0, MAX_FIELDS);
};

const fieldsIn = (path: readonly string[], schema: JsonObject, given: JsonObject): Field[] => {
  const { required, properties } = schema;
  if (!Array.isArray(required) || !isObject(properties)) return [];
  return (required as readonly JsonValue[]).flatMap((name) => {
    if (typeof name !== 'string' || Object.hasOwn(given, name) || !Object.hasOwn(properties, name))
      return [];
    const asked = formField(properties[name]);
    return asked ? [{ path: [...path, name], schema: asked }] : [];
  });
};

/** What a form can ask for (MCP, elicitation: primitive values alone); null for anything else. */
const formField = (schema: JsonValue | undefined): JsonObject | null => {
  if (!isObject(schema)) return null;
  const { type, enum: values, format } = schema;
  const taken = TAKEN.get(type as string);
  if (!taken) return null;
  if (Array.isArray(values) && !values.every((value) => typeof value === 'string')) return null;
  return {
    ...Object.fromEntries(
      taken.flatMap(([name, kind]) =>
        typeof schema[name] === kind ? [[name, schema[name] as JsonValue]] : [],
      ),
    ),
    type: type as string,
    ...(Array.isArray(values) ? { enum: values } : {}),
    ...(FORMATS.has(format as string) ? { format: format as string } : {}),
  };
};

type Keywords = readonly (readonly [name: string, kind: string])[];
const WORDS: Keywords = [
  ['title', 'string'],
  ['description', 'string'],
];
const RANGE: Keywords = [...WORDS, ['minimum', 'number'], ['maximum', 'number']];
const LENGTH: Keywords = [...WORDS, ['minLength', 'number'], ['maxLength', 'number']];
const TAKEN: ReadonlyMap<string, Keywords> = new Map([
  ['string', LENGTH],
  ['number', RANGE],
  ['integer', RANGE],
  ['boolean', WORDS],
]);
const FORMATS: ReadonlySet<string> = new Set(['email', 'uri', 'date', 'date-time']);

const criteriaOf = async (
  call: McpCall,
  { type, publisher, contractVersion }: JsonObject,
): Promise<JsonObject | null> => {
  if (!call.mayCall(getSchema)) return null;
  const version = contractVersion;
  const input = {
    type: type as string,
    ...(typeof publisher === 'string' ? { publisher } : {}),
    ...(typeof version === 'number' ? { version } : {}),
  };
  return askedCriteria(() =>
    call.perform({ name: 'get_record_type', operation: getSchema }, input),
  );
};
