import type { Caller } from '../call.ts';
import type { BodyOf, QueryOf } from '../shapes.ts';
import type { CallOptions } from '../transport.ts';

type Act<Name extends 'evidence' | 'escalate' | 'resolve' | 'withdraw'> = BodyOf<
  'post',
  `/v1/records/{id}/dispute/${Name}`
>;

/** Disputes. One is opened with `records.dispute`; what follows is done by the id of its record. */
export class Disputes {
  constructor(private readonly caller: Caller) {}

  get(disputeId: string, options?: CallOptions) {
    return this.caller.call('get', '/v1/disputes/{disputeId}', { path: { disputeId } }, options);
  }

  /** The newest dispute of a record. */
  of(id: string, options?: CallOptions) {
    return this.caller.call('get', '/v1/records/{id}/dispute', { path: { id } }, options);
  }

  list(query?: QueryOf<'get', '/v1/disputes'>, options?: CallOptions) {
    return this.caller.list('/v1/disputes', { query: query ?? {} }, options);
  }

  evidence(id: string, body: Act<'evidence'>, options?: CallOptions) {
    return this.caller.call(
      'post',
      '/v1/records/{id}/dispute/evidence',
      { path: { id }, body },
      options,
    );
  }

  escalate(id: string, body: Act<'escalate'> = {}, options?: CallOptions) {
    return this.caller.call(
      'post',
      '/v1/records/{id}/dispute/escalate',
      { path: { id }, body },
      options,
    );
  }

  resolve(id: string, body: Act<'resolve'>, options?: CallOptions) {
    return this.caller.call(
      'post',
      '/v1/records/{id}/dispute/resolve',
      { path: { id }, body },
      options,
    );
  }

  withdraw(id: string, body: Act<'withdraw'> = {}, options?: CallOptions) {
    return this.caller.call(
      'post',
      '/v1/records/{id}/dispute/withdraw',
      { path: { id }, body },
      options,
    );
  }
}
