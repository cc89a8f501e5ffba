import type { Answered } from './answered.ts';

/** What stands around an answer. */
export interface Meta {
  readonly status: number;
  /** What the operator finds the call by. */
  readonly requestId: string | null;
  /** Of the version that was shown; send it as `ifMatch` with what changes it. */
  readonly etag: string | null;
  /** Whether the call had been carried out before, under the same idempotency key. Secrets are not shown again. */
  readonly replayed: boolean;
  /** How often the call was sent. */
  readonly attempts: number;
}

const known = new WeakMap<object, Meta>();

/** What stood around an answer of the client; undefined for any other object. */
export const metaOf = (answer: object): Meta | undefined => known.get(answer);

export const rememberMeta = (answer: object, { status, headers, attempts }: Answered): void =>
  void known.set(answer, {
    status,
    requestId: headers.get('x-request-id'),
    etag: headers.get('etag'),
    replayed: headers.get('idempotency-replayed') === 'true',
    attempts,
  });
