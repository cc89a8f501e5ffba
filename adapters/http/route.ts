import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { CallContext, Caller } from '../../domain/identity/caller.ts';
import type { Role, Scope } from '../../domain/identity/scopes.ts';
import type { ErrorCode } from '../../domain/kernel/errors.ts';
import type { Keyset, SliceRequest } from '../../domain/kernel/page.ts';

/**
 * One row of the route table. Validation, the access check, the rate-limit class, the idempotency rule and the
 * OpenAPI operation are all made from it; a route that is in no table does not exist.
 */
export interface Route {
  readonly method: Method;
  /** In the form of OpenAPI: `/v1/records/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  readonly limit: LimitClass;
  readonly params: TObject | null;
  readonly query: TObject | null;
  readonly body: TSchema | null;
  /** No member is required: a request without a body and without Content-Type is `{}`. */
  readonly bodyOptional: boolean;
  /** Named example bodies. */
  readonly examples: { readonly [name: string]: unknown };
  readonly answers: { readonly [status: number]: AnswerDoc };
  /** Refusals beyond those that follow from the access, the parameters and the body. */
  readonly problems: readonly ErrorCode[];
  /** Media types that the answer comes in, best first. */
  readonly produces: readonly string[];
  /** Takes `limit` and `cursor` and answers a page. */
  readonly paged: boolean;
  /** Takes If-Match with the ETag of the record. */
  readonly ifMatch: boolean;
  /** Holds an API key or another secret, which a replayed answer must not show. */
  readonly secret: boolean;
  /** The GET that shows the state this route acts on, with the parameters of this path. */
  readonly refresh: string | null;
  /** Request headers that `execute` is given, in lowercase, each with its description. */
  readonly headers: { readonly [name: string]: string };
  /** How many requests this one counts for, once its body is read; absent: one. */
  readonly cost: ((body: unknown) => number) | null;
  readonly execute: (context: CallContext | null, input: Input) => Promise<unknown>;
  /** Pure: it may be called more than once for one result. */
  readonly present: (result: unknown, view: View, input: Input) => Answer;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type LimitClass = 'default' | 'records-create' | 'probe';

/** A list of scopes means any one of them; null: any valid credential. */
export type Access =
  'public' | { readonly scope: Scope | readonly Scope[] | null; readonly roles?: readonly Role[] };

export interface AnswerDoc {
  readonly description: string;
  readonly schema: TSchema;
  readonly example: unknown;
  /** Of media types that are no JSON: an example each, which is text. */
  readonly texts?: { readonly [mediaType: string]: string };
  /** Response headers of this answer, by name, with their description. */
  readonly headers?: { readonly [name: string]: string };
}

export interface Input<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Of a paged route. */
  readonly slice: SliceRequest;
  /** The versions that If-Match named, on a route that takes it. */
  readonly ifVersions: readonly number[] | undefined;
  /** The media type that Accept chose among those of the route. */
  readonly mediaType: string;
  readonly requestId: string;
  /** Those that the row names, as far as they were sent. */
  readonly headers: { readonly [name: string]: string | undefined };
}

/** What a presenter may know of the call besides the result. */
export interface View {
  readonly baseUrl: string;
  readonly requestId: string;
  readonly instance: string;
  readonly caller: Caller | null;
  /** Method and path of an operation with its parameters filled in; null where it does not exist or this caller may not call it. */
  link(operationId: string, params?: { readonly [name: string]: string }): Link | null;
  cursor(next: Keyset | null): string | null;
}

export interface Link {
  readonly method: Method;
  readonly href: string;
}

export interface Answer {
  readonly status: number;
  /** JSON, unless `text` is given. */
  readonly body?: unknown;
  readonly text?: { readonly mediaType: string; readonly content: string };
  readonly headers?: { readonly [name: string]: string };
}

interface Row<P extends TObject, Q extends TObject, B extends TSchema, R> extends Partial<
  Omit<Route, 'access' | 'params' | 'query' | 'body' | 'execute' | 'present'>
> {
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  readonly answers: Route['answers'];
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly present: (
    result: R,
    view: View,
    input: Input<Static<P>, Static<Q>, Static<B>>,
  ) => Answer;
}

interface ProtectedRow<P extends TObject, Q extends TObject, B extends TSchema, R> extends Row<
  P,
  Q,
  B,
  R
> {
  readonly access: Exclude<Access, 'public'>;
  readonly execute: (
    context: CallContext,
    input: Input<Static<P>, Static<Q>, Static<B>>,
  ) => Promise<R>;
}

interface PublicRow<P extends TObject, Q extends TObject, B extends TSchema, R> extends Row<
  P,
  Q,
  B,
  R
> {
  readonly execute: (input: Input<Static<P>, Static<Q>, Static<B>>) => Promise<R>;
}

type NoMembers = TObject<TProperties>;

/** A row that needs a credential. The schemas type what `execute` and `present` are given. */
export const route = <
  R,
  P extends TObject = NoMembers,
  Q extends TObject = NoMembers,
  B extends TSchema = NoMembers,
>(
  row: ProtectedRow<P, Q, B, R>,
): Route => ({
  ...withDefaults(row),
  access: row.access,
  execute: (context, input) => {
    if (!context) throw new TypeError(`${row.operationId} was reached without a caller`);
    return row.execute(context, input as Input<Static<P>, Static<Q>, Static<B>>);
  },
});

/** A row that anyone may call. */
export const publicRoute = <
  R,
  P extends TObject = NoMembers,
  Q extends TObject = NoMembers,
  B extends TSchema = NoMembers,
>(
  row: PublicRow<P, Q, B, R>,
): Route => ({
  ...withDefaults(row),
  access: 'public',
  execute: (_context, input) => row.execute(input as Input<Static<P>, Static<Q>, Static<B>>),
});

const withDefaults = <P extends TObject, Q extends TObject, B extends TSchema, R>(
  row: Row<P, Q, B, R>,
): Omit<Route, 'access' | 'execute'> => ({
  method: row.method,
  path: row.path,
  operationId: row.operationId,
  summary: row.summary,
  ...(row.description === undefined ? {} : { description: row.description }),
  tag: row.tag,
  limit: row.limit ?? 'default',
  params: row.params ?? null,
  query: row.query ?? null,
  body: row.body ?? null,
  bodyOptional: row.bodyOptional ?? false,
  examples: row.examples ?? {},
  answers: row.answers,
  problems: row.problems ?? [],
  produces: row.produces ?? ['application/json'],
  paged: row.paged ?? false,
  ifMatch: row.ifMatch ?? false,
  secret: row.secret ?? false,
  refresh: row.refresh ?? null,
  headers: row.headers ?? {},
  cost: row.cost ?? null,
  present: (result, view, input) =>
    row.present(result as R, view, input as Input<Static<P>, Static<Q>, Static<B>>),
});
