import type { components, paths } from './generated/openapi.ts';

/** What the OpenAPI document calls its schemas. */
export type Schemas = components['schemas'];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that take a method, as the OpenAPI document writes them. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: M extends keyof paths[P] ? P : never;
}[keyof paths];

type OperationOf<M extends Method, P extends PathOf<M>> = M extends keyof paths[P]
  ? paths[P][M]
  : never;

type ParametersIn<O, K extends 'path' | 'query'> = O extends { parameters: infer All }
  ? All extends { [k in K]?: infer T }
    ? Exclude<T, undefined>
    : never
  : never;

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;

/** What a call takes as its body; never where it takes none. */
export type BodyOf<M extends Method, P extends PathOf<M>> =
  OperationOf<M, P> extends { requestBody?: infer R } ? JsonOf<Exclude<R, undefined>> : never;

export type QueryOf<M extends Method, P extends PathOf<M>> = ParametersIn<
  OperationOf<M, P>,
  'query'
>;

/** What a call that succeeds answers. */
export type AnswerOf<M extends Method, P extends PathOf<M>> =
  OperationOf<M, P> extends { responses: infer R } ? JsonOf<R[keyof R]> : never;

/** The parts of a request that the document knows: those that are there for this operation, each required as it says. */
export type PartsOf<M extends Method, P extends PathOf<M>> = OptionalWhereEmpty<
  'path',
  ParametersIn<OperationOf<M, P>, 'path'>
> &
  OptionalWhereEmpty<'query', QueryOf<M, P>> &
  (OperationOf<M, P> extends { requestBody: unknown }
    ? { readonly body: BodyOf<M, P> }
    : OperationOf<M, P> extends { requestBody?: unknown }
      ? { readonly body?: BodyOf<M, P> }
      : unknown);

/** A member that must be given where anything in it must, may be left out where nothing does, and is absent where it is nothing. */
type OptionalWhereEmpty<Name extends string, T> = [T] extends [never]
  ? unknown
  : Record<never, never> extends T
    ? { readonly [name in Name]?: T }
    : { readonly [name in Name]: T };

export type NotaryRecord = AnswerOf<'get', '/v1/records/{id}'>;
/** A record as the call that changed it shows it, with the entry that it sealed. */
export type SealedRecord = AnswerOf<'post', '/v1/records'>;
export type NewRecord = BodyOf<'post', '/v1/records'>;
export type NextStep = Schemas['NextStep'];
export type ProblemDocument = Schemas['Problem'];
export type ProblemCode = Schemas['ProblemCode'];
export type VerificationKeys = AnswerOf<'get', '/v1/verification-keys'>;
