import type { Caller } from '../call.ts';
import type { BodyOf, NewRecord, QueryOf } from '../shapes.ts';
import type { CallOptions } from '../transport.ts';

/** What an export holds, and in which form. */
export interface ExportQuery extends NonNullable<
  QueryOf<'get', '/v1/records/{recordId}/audit-export'>
> {}

/** What `POST /v1/records/{id}/…` takes. */
type Act<Name extends ActName> = BodyOf<'post', `/v1/records/{id}/${Name}`>;
type ActName =
  | 'accept'
  | 'accept-counter'
  | 'cancel'
  | 'completions'
  | 'counter-propose'
  | 'dispute'
  | 'references'
  | 'reject'
  | 'revision'
  | 'transition'
  | 'verdict';

/** Records, and all that may be done with one. What an answer shows as `nextSteps` is what this credential may do next. */
export class Records {
  constructor(private readonly caller: Caller) {}

  /** Opens a record; of a type that only notarizes it is sealed and final at once. */
  create(body: NewRecord, options?: CallOptions) {
    return this.caller.call('post', '/v1/records', { body }, options);
  }

  /** Up to 100, each on its own: look at the status of each item. */
  createBulk(body: readonly NewRecord[], options?: CallOptions) {
    return this.caller.call('post', '/v1/records/bulk', { body: [...body] }, options);
  }

  get(id: string, options?: CallOptions) {
    return this.caller.call('get', '/v1/records/{id}', { path: { id } }, options);
  }

  list(query?: QueryOf<'get', '/v1/records'>, options?: CallOptions) {
    return this.caller.list('/v1/records', { query: query ?? {} }, options);
  }

  /** The delegation tree, as far as this credential may read it. */
  chain(id: string, options?: CallOptions) {
    return this.caller.call('get', '/v1/records/{id}/chain', { path: { id } }, options);
  }

  /** Any action of the lifecycle, by its name. */
  transition(id: string, body: Act<'transition'>, options?: CallOptions) {
    return this.caller.call('post', '/v1/records/{id}/transition', { path: { id }, body }, options);
  }

  /** Offers a draft to the performer. */
  propose(id: string, body: Omit<Act<'transition'>, 'action'> = {}, options?: CallOptions) {
    return this.transition(id, { ...body, action: 'propose' }, options);
  }

  activate(id: string, options?: CallOptions) {
    return this.transition(id, { action: 'activate' }, options);
  }

  accept(id: string, body: Act<'accept'> = {}, options?: CallOptions) {
    return this.caller.call('post', '/v1/records/{id}/accept', { path: { id }, body }, options);
  }

  reject(id: string, body: Act<'reject'> = {}, options?: CallOptions) {
    return this.caller.call('post', '/v1/records/{id}/reject', { path: { id }, body }, options);
  }

  /** Answers a proposal with other criteria. */
  counter(id: string, body: Act<'counter-propose'>, options?: CallOptions) {
    return this.caller.call(
      'post',
      '/v1/records/{id}/counter-propose',
      { path: { id }, body },
      options,
    );
  }

  acceptCounter(id: string, body: Act<'accept-counter'> = {}, options?: CallOptions) {
    return this.caller.call(
      'post',
      '/v1/records/{id}/accept-counter',
      { path: { id }, body },
      options,
    );
  }

  cancel(id: string, body: Act<'cancel'> = {}, options?: CallOptions) {
    return this.caller.call('post', '/v1/records/{id}/cancel', { path: { id }, body }, options);
  }

  /** Submits what was done, with its evidence. */
  complete(id: string, body: Act<'completions'>, options?: CallOptions) {
    return this.caller.call(
      'post',
      '/v1/records/{id}/completions',
      { path: { id }, body },
      options,
    );
  }

  completion(id: string, completionId: string, options?: CallOptions) {
    const path = { id, completionId };
    return this.caller.call(
      'get',
      '/v1/records/{id}/completions/{completionId}',
      { path },
      options,
    );
  }

  /** What the gates say of the latest completion. */
  gates(id: string, options?: CallOptions) {
    return this.caller.call('get', '/v1/records/{id}/gate-status', { path: { id } }, options);
  }

  verdict(id: string, body: Act<'verdict'>, options?: CallOptions) {
    return this.caller.call('post', '/v1/records/{id}/verdict', { path: { id }, body }, options);
  }

  /** Asks for the work to be done again. */
  revise(id: string, body: Act<'revision'> = {}, options?: CallOptions) {
    return this.caller.call('post', '/v1/records/{id}/revision', { path: { id }, body }, options);
  }

  /** Opens a dispute; `disputes` has what follows. */
  dispute(id: string, body: Act<'dispute'> = {}, options?: CallOptions) {
    return this.caller.call('post', '/v1/records/{id}/dispute', { path: { id }, body }, options);
  }

  /** Points at something outside. */
  refer(id: string, body: Act<'references'>, options?: CallOptions) {
    return this.caller.call('post', '/v1/records/{id}/references', { path: { id }, body }, options);
  }

  /** The signed chain of a record as a file, byte for byte, for `verify` of `notary-service/client/verify`. */
  export(recordId: string, query: ExportQuery = {}, options?: CallOptions) {
    const place = '/v1/records/{recordId}/audit-export';
    return this.caller.bytes(
      place,
      { path: { recordId }, query },
      'application/json, */*;q=0.1',
      options,
    );
  }

  /** The signed structures alone, as a CBOR sequence; with receipts, which tell that the log of the org holds each. */
  attestation(
    recordId: string,
    query: { readonly receipts?: boolean } = {},
    options?: CallOptions,
  ) {
    const place = '/v1/records/{recordId}/attestation';
    return this.caller.bytes(
      place,
      { path: { recordId }, query },
      'application/cose-sequence',
      options,
    );
  }
}
