import type { Caller } from '../call.ts';
import type { BodyOf, QueryOf } from '../shapes.ts';
import type { CallOptions } from '../transport.ts';

type Pin = QueryOf<'get', '/v1/schemas/{type}'>;

/** Record types: what an org says a record of a name must hold, and which gates it passes. */
export class Types {
  constructor(private readonly caller: Caller) {}

  /** Registering the same manifest again gives the one that is there. */
  register(
    body: BodyOf<'post', '/v1/schemas'>,
    query: QueryOf<'post', '/v1/schemas'> = {},
    options?: CallOptions,
  ) {
    return this.caller.call('post', '/v1/schemas', { body, query }, options);
  }

  get(type: string, query: Pin = {}, options?: CallOptions) {
    return this.caller.call('get', '/v1/schemas/{type}', { path: { type }, query }, options);
  }

  list(query?: QueryOf<'get', '/v1/schemas'>, options?: CallOptions) {
    return this.caller.list('/v1/schemas', { query: query ?? {} }, options);
  }

  versions(
    type: string,
    query: QueryOf<'get', '/v1/schemas/{type}/versions'> = {},
    options?: CallOptions,
  ) {
    return this.caller.list('/v1/schemas/{type}/versions', { path: { type }, query }, options);
  }

  /** Whether criteria or evidence would be taken, and what the gates would say; nothing is sealed. */
  validate(
    type: string,
    body: BodyOf<'post', '/v1/schemas/{type}/validate'>,
    query: QueryOf<'post', '/v1/schemas/{type}/validate'> = {},
    options?: CallOptions,
  ) {
    return this.caller.call(
      'post',
      '/v1/schemas/{type}/validate',
      { path: { type }, body, query },
      options,
    );
  }

  /** Enables or disables a version. */
  update(
    type: string,
    body: BodyOf<'patch', '/v1/schemas/{type}'>,
    query: QueryOf<'patch', '/v1/schemas/{type}'>,
    options?: CallOptions,
  ) {
    return this.caller.call(
      'patch',
      '/v1/schemas/{type}',
      { path: { type }, body, query },
      options,
    );
  }
}
