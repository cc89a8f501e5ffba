import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Caller } from '../../domain/identity/caller.ts';
import type { CallContext } from '../../application/call/call-context.ts';
import type { DpopProof } from '../../application/call/proofs.ts';
import type { Access } from '../../application/call/access.ts';
import type { Method, RouteDoc } from './route-doc.ts';
import type { Keyset, SliceRequest } from '../../domain/kernel/page.ts';

/** One row of the route table, with what it does. */
export interface Route extends RouteDoc {
  /** Holds an API key or another secret, which a replayed answer must not show. */
  readonly secret: boolean;
  /** The GET that shows the state this route acts on, with the parameters of this path. */
  readonly refresh: string | null;
  /** How many requests this one counts for, once its body is read; absent: one. */
  readonly cost: ((body: unknown) => number) | null;
  readonly execute: (context: CallContext | null, input: Input) => Promise<unknown>;
  /** Pure: it may be called more than once for one result. */
  readonly present: (result: unknown, view: View, input: Input) => Answer;
}

export type { Access } from '../../application/call/access.ts';
export type { AnswerDoc, Method } from './route-doc.ts';

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
  readonly dpop: DpopProof | null;
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
