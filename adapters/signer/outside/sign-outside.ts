import type { Stores, UnitOfWork } from '../../../application/ports/unit-of-work.port.ts';
import type { Clock } from '../../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { cannotSign } from '../cannot-sign.ts';
import { Deadline } from './deadline.ts';
import { MissingSignature, Rehearsal, type Wanted } from './rehearsal.ts';
import type { Rehearsals } from './rehearsals.ts';
import { withSteadyTime } from './steady-time.ts';
import { HeldTurns, Turns } from './turns.ts';

/** Signatures of one unit that are asked for at once. */
const AT_ONCE = 32;

/**
 * Units of work whose signer is slow, because it is a device or another service.
 *
 * A run of the unit reads, builds what is to be signed, and is rolled back where a signature is missing: so no lock is held
 * while it is made. The next run takes the locks, and commits if it builds the same bytes, which it does unless a head
 * moved or the key was rotated. Units of this process that append to the same chain follow each other, from the signature to
 * the commit; those of other chains do not notice.
 *
 * @param limitMs from the first missing signature of a unit to its last. Then: SERVICE_UNAVAILABLE, with nothing written.
 */
export class SignOutside implements UnitOfWork {
  private readonly turns = new Turns();

  constructor(
    private readonly inner: UnitOfWork,
    private readonly rehearsals: Rehearsals,
    private readonly clock: Clock,
    private readonly limitMs: number,
  ) {}

  async transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    const rehearsal = new Rehearsal(this.clock.now());
    const turns = new HeldTurns(this.turns);
    const deadline = new Deadline(this.limitMs, moving);
    try {
      for (;;) {
        try {
          return await this.run(rehearsal, work);
        } catch (error) {
          if (rehearsal.wanted.length === 0) throw error;
        }
        const { wanted } = rehearsal;
        const names = wanted.flatMap(({ turn }) => turn ?? []);
        // Whoever waited reads again before it asks for a signature.
        if (await deadline.before(turns.take(names)))
          await deadline.before(sign(rehearsal, wanted));
      }
    } finally {
      deadline.end();
      turns.release();
      rehearsal.isOver = true;
    }
  }

  private run<T>(rehearsal: Rehearsal, work: (stores: Stores) => Promise<T>): Promise<T> {
    rehearsal.begin();
    return this.rehearsals.run(rehearsal, () =>
      this.inner.transaction(async (stores) => {
        rehearsal.begin();
        const value = await work(withSteadyTime(stores, rehearsal));
        // The work may have caught the error.
        if (rehearsal.wanted.length > 0) throw new MissingSignature('a signature is missing');
        return value;
      }),
    );
  }
}

const sign = async (rehearsal: Rehearsal, wanted: readonly Wanted[]): Promise<void> => {
  const waiting = [...wanted];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      rehearsal.keep(next, await next.signer.sign(next.bytes));
  };
  try {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, wanted.length) }, worker));
  } catch (error) {
    waiting.length = 0;
    throw error instanceof NotaryError ? error : cannotSign(error);
  }
};

/** The time is up. */
const moving = (): NotaryError =>
  cannotSign(
    new Error('the signer is too slow, or the chain moved each time before it had signed'),
  );
