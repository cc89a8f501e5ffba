import type { Caller } from '../../domain/identity/caller.ts';
import type { Protocol } from '../../domain/vault/statement.ts';
import type { Eventually } from '../ports/rate-limiter.port.ts';
import type { Traced } from '../ports/tracer.port.ts';
import type { Allowance } from './budgets.ts';
import type { Proofs } from './proofs.ts';

/** What is known of a call before a byte of its input is read. */
export interface Call extends Traced {
  readonly protocol: Protocol;
  /** Chosen by the caller or made by the front-end; in every log line, event and sealed entry of the call. */
  readonly requestId: string;
  /** Of the client itself, normalised; behind trusted proxies what they say. */
  readonly address: string;
  /** How long the input will be, as far as it was announced and will be read; 0 where nothing is known of it. */
  readonly announcedBytes: number;
  /**
   * The credential as text: a key, a certificate or a token. Undefined where none was sent.
   *
   * @throws NotaryError UNAUTHORIZED where it was sent in a form that cannot be read.
   */
  credential(): string | undefined;
  /** Hears what the call has left of its limits, also where it is refused. */
  allow(allowance: Allowance): void;
}

/** A call that was let in. */
export interface Admission {
  readonly call: Call;
  /** Null on what anyone may call. */
  readonly caller: Caller | null;
}

/** Is told how many further bytes of the answer are sent, and counts what they are worth. */
export type AnswerMeter = (bytes: number) => Eventually<void>;

/** What a caller asks of an operation. The gateway reads each part in its turn, so that refusals keep their order. */
export interface Asked {
  /** Members of the input that are certain before it is read, not yet checked: what a path names, what a binding fixes. */
  known(): { readonly [member: string]: unknown };
  /** What the caller proves beside its credential; null where it brings nothing. */
  proofs(): Proofs | null;
  /** Aborts where nobody waits for a live operation any more; left out where the protocol has none of those. */
  signal?(): AbortSignal;
  /** Which of several calls it is, from 0, where they came in one input; left out where the input is one call. */
  item?(): number | undefined;
  /** The Idempotency-Key, where the protocol has one and the caller sent it. */
  key(): string | undefined;
  /** Refuses a call that is not a repetition, before it acts. The refusal is not kept under the key. */
  assertMayBeNew?(): void;
  /** The versions of the resource of which the caller expects one; undefined: any. */
  expectedVersions(): readonly number[] | undefined;
  /**
   * A value for each part of the form that the operation was bound with, one after the other: each is checked before
   * the next is read. A promise where that takes long.
   */
  input(): Iterable<unknown> | Promise<Iterable<unknown>>;
}
