import type { Caller } from '../call.ts';
import type { BodyOf, QueryOf } from '../shapes.ts';
import type { CallOptions } from '../transport.ts';

/** Webhooks, their deliveries, and what was not delivered. */
export class Webhooks {
  constructor(private readonly caller: Caller) {}

  /** The secret is shown once, and for the scheme hmac alone. */
  create(
    body: BodyOf<'post', '/v1/webhooks'>,
    query: QueryOf<'post', '/v1/webhooks'> = {},
    options?: CallOptions,
  ) {
    return this.caller.call('post', '/v1/webhooks', { body, query }, options);
  }

  get(id: string, options?: CallOptions) {
    return this.caller.call('get', '/v1/webhooks/{id}', { path: { id } }, options);
  }

  list(query?: QueryOf<'get', '/v1/webhooks'>, options?: CallOptions) {
    return this.caller.list('/v1/webhooks', { query: query ?? {} }, options);
  }

  update(id: string, body: BodyOf<'patch', '/v1/webhooks/{id}'>, options?: CallOptions) {
    return this.caller.call('patch', '/v1/webhooks/{id}', { path: { id }, body }, options);
  }

  delete(id: string, options?: CallOptions) {
    return this.caller.call('delete', '/v1/webhooks/{id}', { path: { id } }, options);
  }

  /** Sends a signed test event now, and says what came of it. */
  ping(id: string, options?: CallOptions) {
    return this.caller.call('post', '/v1/webhooks/{id}/ping', { path: { id }, body: {} }, options);
  }

  /** Another secret; the one before it stays good for a while. */
  rotate(id: string, body: BodyOf<'post', '/v1/webhooks/{id}/rotate'> = {}, options?: CallOptions) {
    return this.caller.call('post', '/v1/webhooks/{id}/rotate', { path: { id }, body }, options);
  }

  pause(id: string, options?: CallOptions) {
    return this.caller.call('post', '/v1/webhooks/{id}/pause', { path: { id }, body: {} }, options);
  }

  resume(id: string, options?: CallOptions) {
    return this.caller.call(
      'post',
      '/v1/webhooks/{id}/resume',
      { path: { id }, body: {} },
      options,
    );
  }

  deliveries(
    id: string,
    query: QueryOf<'get', '/v1/webhooks/{id}/deliveries'> = {},
    options?: CallOptions,
  ) {
    return this.caller.call(
      'get',
      '/v1/webhooks/{id}/deliveries',
      { path: { id }, query },
      options,
    );
  }

  deadLetters(
    id: string,
    query: QueryOf<'get', '/v1/webhooks/{id}/dlq'> = {},
    options?: CallOptions,
  ) {
    return this.caller.list('/v1/webhooks/{id}/dlq', { path: { id }, query }, options);
  }

  retryAll(id: string, options?: CallOptions) {
    return this.caller.call(
      'post',
      '/v1/webhooks/{id}/dlq/retry-all',
      { path: { id }, body: {} },
      options,
    );
  }
}
