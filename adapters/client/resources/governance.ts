import type { Caller } from '../call.ts';
import type { BodyOf, QueryOf } from '../shapes.ts';
import type { CallOptions } from '../transport.ts';

/** Orgs; for platform credentials, but for the settings of the caller's own. */
export class Orgs {
  constructor(private readonly caller: Caller) {}

  create(body: BodyOf<'post', '/v1/admin/orgs'>, options?: CallOptions) {
    return this.caller.call('post', '/v1/admin/orgs', { body }, options);
  }

  list(query?: QueryOf<'get', '/v1/admin/orgs'>, options?: CallOptions) {
    return this.caller.list('/v1/admin/orgs', { query: query ?? {} }, options);
  }

  update(id: string, body: BodyOf<'patch', '/v1/admin/orgs/{id}'>, options?: CallOptions) {
    return this.caller.call('patch', '/v1/admin/orgs/{id}', { path: { id }, body }, options);
  }
}

/** API keys. A key is shown once: an answer that `metaOf` calls replayed has null in its place. */
export class Keys {
  constructor(private readonly caller: Caller) {}

  mint(body: BodyOf<'post', '/v1/admin/api-keys'>, options?: CallOptions) {
    return this.caller.call('post', '/v1/admin/api-keys', { body }, options);
  }

  list(query?: QueryOf<'get', '/v1/admin/api-keys'>, options?: CallOptions) {
    return this.caller.list('/v1/admin/api-keys', { query: query ?? {} }, options);
  }

  update(
    keyId: string,
    body: BodyOf<'patch', '/v1/admin/api-keys/{keyId}'>,
    options?: CallOptions,
  ) {
    return this.caller.call(
      'patch',
      '/v1/admin/api-keys/{keyId}',
      { path: { keyId }, body },
      options,
    );
  }

  revoke(keyId: string, reason?: string, options?: CallOptions) {
    const body = { isActive: false, ...(reason === undefined ? {} : { reason }) };
    return this.update(keyId, body, options);
  }

  revokeAll(body: BodyOf<'post', '/v1/admin/api-keys/bulk-revoke'>, options?: CallOptions) {
    return this.caller.call('post', '/v1/admin/api-keys/bulk-revoke', { body }, options);
  }

  /** Another key in the place of the one that calls. */
  rotate(body: BodyOf<'post', '/v1/auth/keys/rotate'> = {}, options?: CallOptions) {
    return this.caller.call('post', '/v1/auth/keys/rotate', { body }, options);
  }
}
