import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobLeases, SeenJob } from '../../../application/ports/job-leases.port.ts';
import type { Dialect } from '../base/dialect.ts';
import { placeholders } from '../base/session.ts';
import type { UnitRunner } from '../tables/unit-context.ts';

const MAX_FAILURE = 1000;
const ASK_AGAIN_MS = 50;

export class SqlJobLeases implements JobLeases {
  /** Names this process as the holder of its leases. */
  private readonly holder = randomUUID();
  /** Jobs of which the interval is written. */
  private readonly known = new Set<string>();

  constructor(
    private readonly unitOfWork: UnitRunner,
    private readonly dialect: Dialect,
  ) {}

  /** Nobody asks for a lease that ends after twice its term: another hand wrote that, and it is taken over. */
  acquire(job: string, forMs: number): Promise<boolean> {
    const { now, insertIgnore } = this.dialect;
    return this.unitOfWork.run(async (unit) => {
      await unit.run(`${insertIgnore} INTO jobs (name, holder, lease_until) VALUES (?, NULL, 0)`, [
        job,
      ]);
      const taken = await unit.run(
        `UPDATE jobs SET holder = ?, lease_until = ${now} + ?, last_started_at = ${now} WHERE name = ? AND (holder IS NULL OR holder = ? OR lease_until <= ${now} OR lease_until > ${now} + ?)`,
        [this.holder, forMs, job, this.holder, 2 * forMs],
      );
      return taken === 1;
    });
  }

  async acquireWithin(job: string, forMs: number, waitMs: number): Promise<boolean> {
    const deadline = performance.now() + waitMs;
    while (!(await this.acquire(job, forMs))) {
      if (performance.now() >= deadline) return false;
      await sleep(ASK_AGAIN_MS);
    }
    return true;
  }

  /**
   * Ends the lease of another process that is known to be gone.
   *
   * @param before the lease was taken before this time, ms since 1970 by the clock of the database.
   * @returns whether there was one.
   */
  async endLeft(job: string, before: number): Promise<boolean> {
    const ended = await this.unitOfWork.run((unit) =>
      unit.run(
        `UPDATE jobs SET holder = NULL, lease_until = 0 WHERE name = ? AND holder IS NOT NULL AND holder <> ? AND lease_until > ${this.dialect.now} AND last_started_at < ?`,
        [job, this.holder, before],
      ),
    );
    return ended === 1;
  }

  async release(
    job: string,
    { durationMs, failure }: { readonly durationMs: number; readonly failure: string | null },
  ): Promise<void> {
    await this.unitOfWork.run((unit) =>
      unit.run(
        'UPDATE jobs SET holder = NULL, lease_until = 0, last_duration_ms = ?, last_failure = ? WHERE name = ? AND holder = ?',
        [durationMs, shortened(failure), job, this.holder],
      ),
    );
  }

  async tell(job: string, failure: string | null): Promise<void> {
    await this.unitOfWork.run((unit) =>
      unit.run('UPDATE jobs SET last_failure = ? WHERE name = ? AND holder = ?', [
        shortened(failure),
        job,
        this.holder,
      ]),
    );
  }

  async seen(jobs: readonly SeenJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const { now, insertIgnore } = this.dialect;
    const news = jobs.filter(({ name }) => !this.known.has(name));
    const names = jobs.map(({ name }) => name);
    await this.unitOfWork.run(async (unit) => {
      for (const { name, everyMs } of news) {
        await unit.run(
          `${insertIgnore} INTO jobs (name, holder, lease_until) VALUES (?, NULL, 0)`,
          [name],
        );
        await unit.run('UPDATE jobs SET every_ms = ? WHERE name = ?', [everyMs, name]);
      }
      await unit.run(
        `UPDATE jobs SET seen_at = ${now} WHERE name IN (${placeholders(names.length)})`,
        names,
      );
    });
    for (const { name } of news) this.known.add(name);
  }
}

const shortened = (failure: string | null): string | null => failure?.slice(0, MAX_FAILURE) ?? null;
