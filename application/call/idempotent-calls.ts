import { canonicalJsonBytes, type JsonObject } from '../../domain/kernel/canonical-json.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { KeyUsedOtherwise } from './key-used-otherwise.ts';
import type { KeptAnswer } from '../ports/idempotency-store.port.ts';
import { IdempotencyConflict, type IdempotentTransaction } from './idempotent-transaction.ts';
import type { Traced } from '../ports/tracer.port.ts';
import type { IdempotencyClaim } from './call-context.ts';
import { credentialOwner } from './credential-owner.ts';
import { keepRefusal, keepShown, replay } from './kept-outcome.ts';
import type { Operation, Shown } from './operation.ts';

/** One call that may be a repetition. */
export interface KeyedCall extends Traced {
  readonly key: string;
  readonly caller: Caller;
  readonly operation: Operation;
  /** Checked. */
  readonly input: object;
  readonly requestId: string;
  /** Throws if only a repetition is answered. */
  readonly assertMayBeNew?: (() => void) | undefined;
}

export interface CallOutcome {
  readonly shown: Shown;
  /** True where the call was carried out before. */
  readonly isReplay: boolean;
  /** To be called once the answer was sent or broken off; undefined where nothing is held until then. */
  readonly end?: () => void;
}

const MAX_KEY = 256;

/** Lets a call under a key act once: its outcome is kept with its effect, and given again to whoever repeats the call. */
export class IdempotentCalls {
  /** Of this process. Between processes the unique key in the database decides. */
  private readonly running = new Set<string>();

  constructor(private readonly answers: Pick<IdempotentTransaction, 'find' | 'keep'>) {}

  /**
   * @param perform carries the call out; its unit of work keeps the outcome by the claim.
   * @param show makes the outcome of its result.
   * @throws KeptRefusal where the call was refused before; NotaryError IN_FLIGHT; NotaryError UNPROCESSABLE where the key
   *   was used with another input.
   */
  async run<R>(
    call: KeyedCall,
    perform: (claim: IdempotencyClaim) => Promise<R>,
    show: (result: R) => Shown,
  ): Promise<CallOutcome> {
    const { operation } = call;
    const shown = oncePerResult(show);
    const claim: IdempotencyClaim = {
      ...identityOf(call),
      keep: (result) => keepShown(operation, shown(result as R)),
    };
    const name = encodeBase64(claim.scope);
    if (this.running.has(name)) throw inFlight();
    this.running.add(name);
    try {
      const kept = await this.answers.find(claim.scope);
      if (kept) return repeat(kept, claim);
      call.assertMayBeNew?.();
      return await this.first(call, claim, async () => shown(await perform(claim)));
    } finally {
      this.running.delete(name);
    }
  }

  private async first(
    call: KeyedCall,
    claim: IdempotencyClaim,
    perform: () => Promise<Shown>,
  ): Promise<CallOutcome> {
    try {
      return { shown: await perform(), isReplay: false };
    } catch (error) {
      if (error instanceof IdempotencyConflict) return await this.afterConflict(claim);
      if (isKept(error)) await this.answers.keep(claim, keepRefusal(error, call.requestId), call);
      throw error;
    }
  }

  /** Another process committed first under the same key. */
  private async afterConflict(claim: IdempotencyClaim): Promise<CallOutcome> {
    const kept = await this.answers.find(claim.scope);
    if (!kept) throw inFlight();
    return repeat(kept, claim);
  }
}

/** What is kept with the effect is also the answer: a view is made once. A unit of work that ran again has a new result. */
const oncePerResult = <R>(show: (result: R) => Shown): ((result: R) => Shown) => {
  let last: { readonly result: R; readonly shown: Shown } | undefined;
  return (result) => {
    if (!last || last.result !== result) last = { result, shown: show(result) };
    return last.shown;
  };
};

/** @throws NotaryError VALIDATION_ERROR where it is empty or longer than 256 characters. */
export const assertIdempotencyKey = (key: string): void => {
  if (key.length >= 1 && key.length <= MAX_KEY) return;
  throw new NotaryError(
    'VALIDATION_ERROR',
    `An Idempotency-Key has 1 to ${MAX_KEY} characters; this one has ${key.length}.`,
  );
};

const identityOf = ({
  key,
  caller,
  operation,
  input,
}: KeyedCall): Omit<IdempotencyClaim, 'keep'> => {
  const target = operation.target?.(input);
  const scope = [credentialOwner(caller), operation.id, target?.kind, target?.id, key];
  return {
    scope: sha256(new TextEncoder().encode(JSON.stringify(scope))),
    fingerprint: sha256(canonicalJsonBytes(input as JsonObject)),
  };
};

const repeat = (kept: KeptAnswer, claim: IdempotencyClaim): CallOutcome => {
  if (!bytesEqual(kept.fingerprint, claim.fingerprint)) throw new KeyUsedOtherwise();
  return { shown: replay(kept.answer), isReplay: true };
};

const inFlight = (): NotaryError =>
  new NotaryError(
    'IN_FLIGHT',
    'The first request with this Idempotency-Key still runs. Send the same request again in a second.',
    { retryAfter: 1 },
  );

/** What may end otherwise the next time is not kept, and a malformed call does not use its key up. */
const isKept = (error: unknown): error is NotaryError =>
  error instanceof NotaryError &&
  !(error instanceof KeyUsedOtherwise) &&
  error.code !== 'IN_FLIGHT' &&
  !PASSING_KINDS.has(error.entry.kind);

const PASSING_KINDS: ReadonlySet<string> = new Set([
  'malformed',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'internal',
  'unavailable',
]);
