import { Caller } from './call.ts';
import type { CredentialSource } from './credential.ts';
import { Agents } from './resources/agents.ts';
import { Disputes } from './resources/disputes.ts';
import { Keys, Orgs } from './resources/governance.ts';
import { Records, type ExportQuery } from './resources/records.ts';
import { Types } from './resources/types.ts';
import { Webhooks } from './resources/webhooks.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';
import type { AnswerOf, Method, NewRecord, NextStep, PartsOf, PathOf, QueryOf } from './shapes.ts';
import { Transport, type CallOptions } from './transport.ts';

export interface NotaryClientSettings {
  /** The address of the service, as it is called from outside. */
  readonly url: string;
  /** Null calls what takes no credential. */
  readonly credential?: CredentialSource;
  /** In the place of the runtime's own. */
  readonly fetch?: typeof fetch;
  /** Of a whole call, its repetitions and waits counted; default 60 s. */
  readonly timeoutMs?: number;
  /** Of one attempt; default 35 s, which is more than the service takes. */
  readonly attemptTimeoutMs?: number;
  /** The longest answer that is read; default 256 MiB. An export may be as long as it likes. */
  readonly maxAnswerBytes?: number;
  readonly retry?: Partial<RetryPolicy>;
}

/**
 * A notary, called over HTTP. A POST, which is all that moves a record, is sent under an idempotency key, and again where
 * no answer came, so it acts once.
 *
 * @example const notary = new NotaryClient({ url, credential: apiKey });
 */
export class NotaryClient {
  readonly records: Records;
  readonly disputes: Disputes;
  readonly types: Types;
  readonly agents: Agents;
  readonly orgs: Orgs;
  readonly keys: Keys;
  readonly webhooks: Webhooks;
  private readonly caller: Caller;

  /** @throws TypeError where the url is none. */
  constructor({ url, credential = null, retry, ...given }: NotaryClientSettings) {
    this.caller = new Caller(
      new Transport({
        url: baseOf(url),
        credential,
        fetch: given.fetch ?? ((input, init) => fetch(input, init)),
        timeoutMs: given.timeoutMs ?? 60_000,
        attemptTimeoutMs: given.attemptTimeoutMs ?? 35_000,
        maxAnswerBytes: given.maxAnswerBytes ?? 256 * 1024 * 1024,
        retry: { ...DEFAULT_RETRY, ...retry },
        now: Date.now,
      }),
    );
    this.records = new Records(this.caller);
    this.disputes = new Disputes(this.caller);
    this.types = new Types(this.caller);
    this.agents = new Agents(this.caller);
    this.orgs = new Orgs(this.caller);
    this.keys = new Keys(this.caller);
    this.webhooks = new Webhooks(this.caller);
  }

  /** Seals a fact under a type that only notarizes: one call, and the record is final. */
  notarize(body: NewRecord, options?: CallOptions) {
    return this.records.create(body, options);
  }

  /** Who calls, and what it may do. */
  whoami(options?: CallOptions) {
    return this.caller.call('get', '/v1/auth/me', {}, options);
  }

  /** What happened, as far as this credential may know. */
  events(query?: QueryOf<'get', '/v1/events'>, options?: CallOptions) {
    return this.caller.list('/v1/events', { query: query ?? {} }, options);
  }

  /** The keys under which entries, and webhooks of the asymmetric schemes, are signed. */
  verificationKeys(options?: CallOptions) {
    return this.caller.call('get', '/v1/verification-keys', {}, options);
  }

  /** The signed chain of a record as a file, byte for byte, for `verify` of `notary-service/client/verify`. */
  export(recordId: string, query?: ExportQuery, options?: CallOptions) {
    return this.records.export(recordId, query, options);
  }

  /** Any operation of the interface, by its method and path. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    parts: PartsOf<M, P>,
    options?: CallOptions,
  ): Promise<AnswerOf<M, P>> {
    return this.caller.call(method, path, parts, options);
  }

  /** Does what an answer names among its `nextSteps`. */
  follow(step: NextStep, body?: object, options: CallOptions = {}): Promise<unknown> {
    return this.caller.json(step.method, step.href, body, options);
  }
}

/** @throws TypeError */
const baseOf = (url: string): string => {
  const { protocol, origin, pathname, search, hash, username } = new URL(url);
  if (!/^https?:$/.test(protocol) || search + hash + username !== '')
    throw new TypeError(
      `${url} is not the address of a service: http or https, without query and user`,
    );
  return origin + pathname.replace(/\/+$/, '');
};
