import { setTimeout as sleep } from 'node:timers/promises';
import type { Stores, UnitOfWork } from '../../../application/ports/unit-of-work.port.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import {
  ConnectionLostError,
  ContentionError,
  overloaded,
  unavailable,
} from '../base/database-error.ts';
import type { Dialect } from '../base/dialect.ts';
import { MAX_TRIES, pause } from '../base/retry.ts';
import type { RowSeals } from '../tables/row-seals.ts';
import { Unit } from './unit.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { RunAlone, type UnitWriter } from './unit-writer.ts';

/** Is told how writes end. */
export interface WriteOutcomes {
  failed(error: unknown): void;
  succeeded(): void;
}

/** Runs units of work. The writer decides how they reach the database, alone or grouped. */
export class SqlUnitOfWork implements UnitOfWork {
  #active = 0;
  #closed = false;
  #idle: (() => void) | null = null;

  constructor(
    private readonly dialect: Dialect,
    private readonly seals: RowSeals,
    private readonly writer: UnitWriter,
    private readonly storesOf: (unit: UnitContext) => Stores,
    private readonly writes: WriteOutcomes,
    /** After a commit that left events behind. */
    private readonly onEvents: () => void = () => undefined,
    /** After a commit that left messages for these peers behind. */
    private readonly onMessages: (peerHubIds: Iterable<Uuid>) => void = () => undefined,
  ) {}

  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    return this.run((unit) => work(this.storesOf(unit)));
  }

  /** For the housekeeping of the adapter, which uses statements that no store offers. */
  async run<T>(work: (unit: UnitContext) => Promise<T>): Promise<T> {
    if (this.#closed)
      throw new NotaryError('SERVICE_UNAVAILABLE', 'The service is shutting down.', {
        retryAfter: 5,
      });
    this.#active++;
    try {
      return await this.#untilSettled(work);
    } catch (error) {
      this.writes.failed(error);
      throw error;
    } finally {
      this.#active--;
      if (this.#active === 0) this.#idle?.();
    }
  }

  /** Refuses new units and waits for those that run. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#active > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  async #untilSettled<T>(work: (unit: UnitContext) => Promise<T>): Promise<T> {
    let alone = false;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#attempt(work, alone);
      } catch (error) {
        if (error instanceof RunAlone) alone = true;
        else if (error instanceof ContentionError) {
          if (tries >= MAX_TRIES) throw overloaded(error);
          await sleep(pause(tries));
        } else if (error instanceof ConnectionLostError) {
          if (tries >= 2) throw unavailable(error);
        } else throw error;
      }
    }
  }

  async #attempt<T>(work: (unit: UnitContext) => Promise<T>, alone: boolean): Promise<T> {
    const unit = new Unit(this.dialect, this.seals, this.writer, alone);
    this.writer.entered(unit);
    let value: T;
    try {
      value = await work(unit);
    } catch (refusal) {
      await this.writer.finish(unit, false);
      throw refusal;
    }
    await this.writer.finish(unit, true);
    if (unit.hasEvents) {
      this.writes.succeeded();
      this.onEvents();
    }
    if (unit.toldPeers.size > 0) this.onMessages(unit.toldPeers);
    return value;
  }
}
