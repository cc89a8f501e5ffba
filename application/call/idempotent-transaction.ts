import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hasPassed } from '../../domain/kernel/due.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isDrift } from '../../domain/kernel/row-drift.ts';
import type { CallContext, IdempotencyClaim } from './call-context.ts';
import type { Traced } from '../ports/tracer.port.ts';
import { DuplicateError, type Stores, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { IdempotencyReads, KeptAnswer } from '../ports/idempotency-store.port.ts';

/** Another call under the same Idempotency-Key committed first; its kept answer is the answer to this one too. */
export class IdempotencyConflict extends Error {
  override readonly name = 'IdempotencyConflict';
}

/** A call completes within milliseconds. One that has not completed after this time has died, and its first answer stands, ms. */
const PROVISIONAL_MS = 5_000;

/**
 * Runs a unit of work so that a repeated Idempotency-Key never acts twice: the answer is written in the same transaction
 * as the effect. Every use case that writes runs its work here.
 */
export class IdempotentTransaction {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: IdempotencyReads,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws IN_FLIGHT while the first call with the key is not done.
   * @throws NotaryError CONFLICT with reason payload_drift if the service did not write the kept answer. Whether the call
   *   was carried out before is then unknown, so it is neither repeated nor carried out.
   */
  async find(scope: Uint8Array): Promise<KeptAnswer | null> {
    const kept = await this.reads.find(scope).catch((error: unknown) => {
      throw isDrift(error) ? forgedAnswer(error) : error;
    });
    if (kept?.isProvisional && !hasPassed(PROVISIONAL_MS, kept.createdAt, this.clock.now())) {
      throw new NotaryError(
        'IN_FLIGHT',
        'The first request with this Idempotency-Key still runs. Send the same request again in a second.',
        { retryAfter: 1 },
      );
    }
    return kept;
  }

  /**
   * @param isProvisional whether a second unit of work, by `again`, completes the call.
   * @throws IdempotencyConflict where another call under the same key was faster.
   */
  async run<T>(
    context: CallContext,
    work: (stores: Stores) => Promise<T>,
    isProvisional = false,
  ): Promise<T> {
    const { idempotency: claim, beside } = context;
    if (!claim)
      return this.unitOfWork.transaction(beside ? withBeside(work, beside) : work, context);
    return this.guarded(context, claim, async (stores) => {
      const result = await work(stores);
      await stores.idempotency.insert(this.kept(claim, claim.keep(result), isProvisional));
      return result;
    });
  }

  /** A second unit of work of the same call: its answer replaces the one kept before. */
  again<T>(context: CallContext, work: (stores: Stores) => Promise<T>): Promise<T> {
    const { idempotency: claim } = context;
    return this.unitOfWork.transaction(async (stores) => {
      const result = await work(stores);
      if (claim) await stores.idempotency.replace(this.kept(claim, claim.keep(result)));
      return result;
    }, context);
  }

  /** Keeps an answer that has no effect of its own to commit with. A concurrent one is as good. */
  async keep(claim: IdempotencyClaim, answer: string, call?: Traced): Promise<void> {
    try {
      await this.unitOfWork.transaction(
        (stores) => stores.idempotency.insert(this.kept(claim, answer)),
        call,
      );
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error;
    }
  }

  private async guarded<T>(
    call: Traced,
    claim: IdempotencyClaim,
    work: (stores: Stores) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.unitOfWork.transaction(work, call);
    } catch (error) {
      // The same call may have been faster on another node. Then its key is taken, or the state that it left refuses
      // this call; in both cases the kept answer tells.
      const mayBeLate =
        error instanceof DuplicateError || (error instanceof NotaryError && !error.entry.retryable);
      if (mayBeLate && (await this.find(claim.scope)))
        throw new IdempotencyConflict('answered under the same key', { cause: error });
      throw error;
    }
  }

  private kept(claim: IdempotencyClaim, answer: string, isProvisional = false): KeptAnswer {
    return {
      scope: claim.scope,
      fingerprint: claim.fingerprint,
      answer,
      isProvisional,
      createdAt: this.clock.now().toISOString(),
    };
  }
}

const forgedAnswer = (cause: unknown): NotaryError =>
  new NotaryError(
    'CONFLICT',
    'The answer that is stored for this Idempotency-Key was not written by the service. It is not given, and this request was not carried out.',
    {
      reason: 'payload_drift',
      suggestion:
        'Read the resource to see whether your first request was carried out, and use a new key for what is left to do. Tell the operator: the database was changed behind the service, and the log names the row.',
    },
    { cause },
  );

const withBeside =
  <T>(work: (stores: Stores) => Promise<T>, beside: NonNullable<CallContext['beside']>) =>
  async (stores: Stores): Promise<T> => {
    const result = await work(stores);
    await beside(stores, result);
    return result;
  };
