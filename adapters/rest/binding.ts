import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { inputOf, pick, type Binding } from '../../application/call/input-form.ts';
import type { InputPart } from '../../application/call/input-check.port.ts';
import type { Operation } from '../../application/call/operation.ts';
import type { ViewOf } from '../../application/call/view-of.ts';
import type { ErrorCode } from '../../domain/kernel/errors.ts';
import type { Method } from '../http/route-doc.ts';
import type { Deprecated } from './deprecation.ts';
import { JSON_FORM, type Form } from './form.ts';

/** How REST calls an operation. Everything that is not said here is in the operation. */
interface BindingOptions<I extends TObject, V extends TSchema> {
  readonly method: Method;
  /** In the form of OpenAPI: `/v1/records/{id}`. */
  readonly path: string;
  /** Members of the input that this path fixes. */
  readonly fixed?: Partial<Static<I>>;
  /** Parameters of the path and the query whose name in the input differs. */
  readonly names?: { readonly [parameter: string]: keyof Static<I> & string };
  /** Members that stand in the query although the method takes a body. */
  readonly query?: readonly (keyof Static<I> & string)[];
  /** The member that is the whole body. */
  readonly whole?: keyof Static<I> & string;
  /** The body is bytes of one of these media types; `whole` is their base64. */
  readonly takes?: readonly string[];
  /** A request without a body is refused, although the body needs no member. */
  readonly needsBody?: boolean;
  /** The status of success; by default 201 where something with an id is created, else 200. */
  readonly status?: number;
  /** The path of the created resource, where it can be read by GET. */
  readonly location?: (view: ViewOf<V>) => string;
  /** Its documentation. */
  readonly locationWords?: string;
  /** Documentation of the ETag that answers carry. */
  readonly etag?: string;
  /** The GET of the state that this path changes, with the same path parameters. */
  readonly refresh?: string;
  /** Refusals with a problem type of their own on this path. */
  readonly problems?: { readonly [code in ErrorCode]?: ErrorCode };
  /** For an alias: its own operation id and words. */
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly examples?: { readonly [name: string]: object };
  /** Request headers of this path alone, each with its description. */
  readonly headers?: { readonly [name: string]: string };
  /**
   * A step that links to this path shows the body as well, because the path does not name the
   * action.
   */
  readonly namesAction?: boolean;
  /** Headers of the answer: what documents say of each, and what they are for a view. */
  readonly answerHeaders?: {
    readonly words: { readonly [name: string]: string };
    of(view: ViewOf<V>): { readonly [name: string]: string };
  };
  /** Each answer says so. `description` names what to use instead. */
  readonly deprecated?: Deprecated;
  /** Accepts an empty object as body although the input has no member for the body. */
  readonly takesEmptyBody?: boolean;
  /** What the answer comes as, best first; where the input has a member `format`, it names one. JSON by default. */
  readonly forms?: readonly [Form<ViewOf<V>>, ...Form<ViewOf<V>>[]];
  /** Changes the whole view for REST, beyond links and problems. */
  readonly body?: (view: ViewOf<V>) => unknown;
  /** The schema of the changed view. */
  readonly bodySchema?: TSchema;
  /** What documents show of a request body whose parts are checked one by one. */
  readonly documentedBody?: TSchema;
}

/** A binding in the REST route table. */
export interface RestBinding extends Binding {
  readonly options: BindingOptions<TObject, TSchema>;
  readonly operationId: string;
  /** Parameters of the path, in its order, each with its member of the input. */
  readonly parameters: readonly (readonly [parameter: string, member: string])[];
  readonly params: TObject | null;
  readonly query: TObject;
  /** Parameters of the query, each with its member of the input. */
  readonly queryNames: RestBinding['parameters'];
  readonly body: TSchema | null;
  /** A request without a body and without Content-Type counts as `{}`. */
  readonly isBodyOptional: boolean;
}

export const bind = <I extends TObject, R, V extends TSchema>(
  operation: Operation<I, R, V>,
  options: BindingOptions<I, V>,
): RestBinding => bindingOf(operation, options);

const bindingOf = (
  operation: Operation,
  options: BindingOptions<TObject, TSchema>,
): RestBinding => {
  const { method, path, fixed = {}, names = {}, whole } = options;
  const input = inputOf(operation, fixed);
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name]) => [name as string, names[name as string] ?? (name as string)] as const,
  );
  const inPath = new Set(parameters.map(([, member]) => member));
  const rest = Object.keys(input.properties).filter((member) => !inPath.has(member));
  const takesBody = method !== 'GET' && method !== 'DELETE';
  const inQuery = takesBody ? rest.filter((member) => options.query?.includes(member)) : rest;
  const inBody = rest.filter((member) => !inQuery.includes(member));
  const params = parameters.length === 0 ? null : namedSchema(input, parameters);
  const queryNames = inQuery.map((member) => [queryName(member, options), member] as const);
  const query = namedSchema(input, queryNames);
  const body = whole
    ? memberOf(input, whole)
    : options.takesEmptyBody
      ? Type.Object({}, { additionalProperties: false })
      : bodySchema(input, inBody);
  const [example] = Object.values(options.examples ?? operation.examples);
  return {
    operation,
    fixed,
    options,
    operationId: options.operationId ?? operation.id,
    parameters,
    params,
    query,
    queryNames,
    body,
    isBodyOptional: !options.needsBody && needsNoMember(body),
    parts: [
      ...(params ? [pathPart(params, Object.fromEntries(parameters))] : []),
      queryPart(query, Object.fromEntries(queryNames)),
      ...(body ? [bodyPart(body, whole, example && bodyExample(example, inBody, whole))] : []),
    ],
  };
};

const needsNoMember = (body: TSchema | null): boolean => {
  const { type, required = [] } = (body ?? {}) as Partial<TObject>;
  return type === 'object' && required.length === 0;
};

export const formsOf = ({ options }: Pick<RestBinding, 'options'>): readonly Form[] =>
  options.forms ?? [JSON_FORM];

/** The part of an example input that belongs in the body. */
export const bodyExample = (
  example: object,
  members: readonly string[],
  whole?: string,
): unknown => {
  if (whole) return (example as { readonly [member: string]: unknown })[whole];
  return Object.fromEntries(Object.entries(example).filter(([name]) => members.includes(name)));
};

/** The body of an operation. @throws TypeError where there is none. */
export const bodyOf = (bindings: readonly RestBinding[], operationId: string): TSchema => {
  const body = bindings.find((one) => one.operationId === operationId)?.body;
  if (!body) throw new TypeError(`${operationId} takes no body`);
  return body;
};

export const bodyMembersOf = (body: TSchema): readonly string[] =>
  Object.keys((body as Partial<TObject>).properties ?? {});

/** A query parameter has the name of its member, unless `names` says otherwise. */
const queryName = (
  member: string,
  { path, names = {} }: Pick<BindingOptions<TObject, TSchema>, 'path' | 'names'>,
): string =>
  Object.keys(names).find((name) => names[name] === member && !path.includes(`{${name}}`)) ??
  member;

const namedSchema = (input: TObject, names: RestBinding['parameters']): TObject =>
  Type.Object(Object.fromEntries(names.map(([name, member]) => [name, memberOf(input, member)])), {
    additionalProperties: false,
  });

const bodySchema = (input: TObject, members: readonly string[]): TSchema | null => {
  if (members.length === 0) return null;
  const isWhole = members.length === Object.keys(input.properties).length;
  return isWhole ? input : pick(input, members);
};

const memberOf = (input: TObject, member: string): TSchema => {
  const schema = input.properties[member];
  if (!schema) throw new TypeError(`there is no member ${member} in the input`);
  return schema;
};

export const pathPart = (
  schema: TObject,
  names: { readonly [wire: string]: string } = {},
): InputPart => ({
  noun: 'The path',
  memberNoun: 'path parameter',
  schema,
  names,
  hasHelp: false,
});

export const queryPart = (
  schema: TObject,
  names: { readonly [wire: string]: string } = {},
): InputPart => ({
  noun: 'The query',
  memberNoun: 'query parameter',
  schema,
  ...(Object.entries(names).some(([name, member]) => name !== member) ? { names } : {}),
  hasHelp: false,
});

const bodyPart = (schema: TSchema, whole: string | undefined, example: unknown): InputPart => ({
  noun: 'The body',
  memberNoun: 'member',
  schema,
  hasHelp: true,
  ...(whole === undefined ? {} : { whole }),
  ...(example === undefined ? {} : { example }),
});
