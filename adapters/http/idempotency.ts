import { createHash } from 'node:crypto';
import { OnceConflict } from '../../application/idempotency/run-once.ts';
import type { KeptAnswer } from '../../application/idempotency/idempotency-store.port.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { OnceKey } from '../../application/call/call-context.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { credentialOwner } from '../../application/call/credential-owner.ts';
import type { Incoming } from './incoming.ts';

/** An answer as it is kept and replayed. */
export interface StoredAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: unknown;
}

export interface OnceStore {
  find(scope: Uint8Array): Promise<KeptAnswer | null>;
  keep(once: OnceKey, answer: string): Promise<void>;
}

/** One call under an Idempotency-Key. */
export interface OnceCall {
  readonly scope: Uint8Array;
  readonly bodyHash: Uint8Array;
}

export interface KeptRefusal {
  readonly once: OnceKey;
  readonly answer: StoredAnswer;
}

export type Outcome<T> = { readonly fresh: T } | { readonly replayed: StoredAnswer };

const MAX_KEY = 256;

/**
 * The key as the caller meant it: plain, or an sf-string in quotes (RFC 8941 section 3.3.3).
 *
 * @throws NotaryError VALIDATION_ERROR where it is empty or longer than 256 characters.
 */
export const idempotencyKeyOf = (header: string | undefined): string | undefined => {
  if (header === undefined) return undefined;
  const key = /^"(?:[^"\\]|\\["\\])*"$/.test(header)
    ? header.slice(1, -1).replace(/\\(["\\])/g, '$1')
    : header;
  if (key.length >= 1 && key.length <= MAX_KEY) return key;
  throw new NotaryError(
    'VALIDATION_ERROR',
    `An Idempotency-Key has 1 to ${MAX_KEY} characters; this one has ${key.length}.`,
  );
};

export const onceCallOf = (
  caller: Caller,
  incoming: Incoming,
  key: string,
  body: Uint8Array,
): OnceCall => {
  const text = [credentialOwner(caller), incoming.method, incoming.path, key].join('\n');
  const hash = createHash('sha256').update(body);
  // The query is as much part of what was asked as the body.
  if (incoming.search !== '') hash.update(`\n?${incoming.search}`);
  return { scope: createHash('sha256').update(text).digest(), bodyHash: hash.digest() };
};

/** Lets a call under a key act once: its answer is kept with its effect, and given again to whoever repeats the call. */
export class IdempotentCalls {
  /** Of this process. Between processes the unique key in the database decides. */
  private readonly running = new Set<string>();

  constructor(private readonly store: OnceStore) {}

  /**
   * @param perform does it, with the key that the use case keeps the answer under.
   * @param refused what to keep of a refusal; null where it must not be kept.
   * @throws NotaryError IN_FLIGHT, or UNPROCESSABLE where the key was used with another body.
   */
  async run<T>(
    call: OnceCall,
    perform: () => Promise<T>,
    refused: (error: unknown) => KeptRefusal | null,
  ): Promise<Outcome<T>> {
    const name = Buffer.from(call.scope).toString('base64');
    if (this.running.has(name)) throw inFlight();
    this.running.add(name);
    try {
      const kept = await this.store.find(call.scope);
      return kept ? { replayed: replay(kept, call) } : await this.first(call, perform, refused);
    } finally {
      this.running.delete(name);
    }
  }

  private async first<T>(
    call: OnceCall,
    perform: () => Promise<T>,
    refused: (error: unknown) => KeptRefusal | null,
  ): Promise<Outcome<T>> {
    try {
      return { fresh: await perform() };
    } catch (error) {
      if (error instanceof OnceConflict) return { replayed: await this.afterConflict(call) };
      const refusal = refused(error);
      if (refusal) await this.store.keep(refusal.once, JSON.stringify(refusal.answer));
      throw error;
    }
  }

  /** Another process committed first under the same key. */
  private async afterConflict(call: OnceCall): Promise<StoredAnswer> {
    const kept = await this.store.find(call.scope);
    if (!kept) throw inFlight();
    return replay(kept, call);
  }
}

const replay = (kept: KeptAnswer, call: OnceCall): StoredAnswer => {
  if (!Buffer.from(kept.bodyHash).equals(call.bodyHash)) {
    throw new NotaryError(
      'UNPROCESSABLE',
      'This Idempotency-Key was used with another body. Use a new key for a new request.',
      {
        errors: [
          {
            path: '',
            keyword: 'idempotency-key',
            message: 'the body differs from that of the first request',
          },
        ],
      },
    );
  }
  return JSON.parse(kept.answer) as StoredAnswer;
};

const inFlight = (): NotaryError =>
  new NotaryError(
    'IN_FLIGHT',
    'The first request with this Idempotency-Key still runs. Send the same request again in a second.',
    { retryAfter: 1 },
  );

const SECRETS: ReadonlySet<string> = new Set(['apiKey', 'secret', 'certJws']);
const ROTATE =
  'The secret was shown once, in the first answer, and is not kept. If you lost it, rotate it or mint another.';

/** The answer without its secrets: null in their place, and beside them a hint to rotate. */
export const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const clean = entries.map(
    ([name, member]) => [name, SECRETS.has(name) ? null : withoutSecrets(member)] as const,
  );
  return Object.fromEntries(
    entries.some(([name]) => SECRETS.has(name)) ? [...clean, ['hint', ROTATE]] : clean,
  );
};
