import type { Caller } from '../call.ts';
import type { BodyOf, QueryOf } from '../shapes.ts';
import type { CallOptions } from '../transport.ts';

/** Agents, as administrators make them and as others see them. */
export class Agents {
  constructor(private readonly caller: Caller) {}

  create(body: BodyOf<'post', '/v1/admin/agents'>, options?: CallOptions) {
    return this.caller.call('post', '/v1/admin/agents', { body }, options);
  }

  get(agentId: string, options?: CallOptions) {
    return this.caller.call('get', '/v1/agents/{agentId}', { path: { agentId } }, options);
  }

  list(query?: QueryOf<'get', '/v1/admin/agents'>, options?: CallOptions) {
    return this.caller.list('/v1/admin/agents', { query: query ?? {} }, options);
  }

  /** Revokes its keys and refuses its certificates. */
  deactivate(
    id: string,
    body: BodyOf<'post', '/v1/admin/agents/{id}/deactivate'> = {},
    options?: CallOptions,
  ) {
    return this.caller.call(
      'post',
      '/v1/admin/agents/{id}/deactivate',
      { path: { id }, body },
      options,
    );
  }

  reactivate(id: string, options?: CallOptions) {
    return this.caller.call('post', '/v1/admin/agents/{id}/reactivate', { path: { id } }, options);
  }

  /** Says which record types it handles; the whole list. */
  capabilities(
    agentId: string,
    body: BodyOf<'put', '/v1/agents/{agentId}/capabilities'>,
    options?: CallOptions,
  ) {
    return this.caller.call(
      'put',
      '/v1/agents/{agentId}/capabilities',
      { path: { agentId }, body },
      options,
    );
  }

  reputation(agentId: string, options?: CallOptions) {
    return this.caller.call(
      'get',
      '/v1/agents/{agentId}/reputation',
      { path: { agentId } },
      options,
    );
  }

  drift(
    agentId: string,
    query: QueryOf<'get', '/v1/agents/{agentId}/drift'> = {},
    options?: CallOptions,
  ) {
    return this.caller.call(
      'get',
      '/v1/agents/{agentId}/drift',
      { path: { agentId }, query },
      options,
    );
  }

  /** Its records and how they ended, newest first. */
  history(
    agentId: string,
    query: QueryOf<'get', '/v1/agents/{agentId}/history'> = {},
    options?: CallOptions,
  ) {
    return this.caller.list('/v1/agents/{agentId}/history', { path: { agentId }, query }, options);
  }
}
