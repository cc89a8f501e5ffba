import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobLeases } from '../../application/operations/job-leases.port.ts';
import type { Dialect } from './dialect/dialect.ts';
import type { SqlUnitOfWork } from './unit-of-work.ts';

const MAX_FAILURE = 1000;
const ASK_AGAIN_MS = 50;

export class SqlJobLeases implements JobLeases {
  /** Names this process as the holder of its leases. */
  private readonly holder = randomUUID();

  constructor(
    private readonly unitOfWork: SqlUnitOfWork,
    private readonly dialect: Dialect,
  ) {}

  acquire(job: string, forMs: number): Promise<boolean> {
    const { now, insertIgnore } = this.dialect;
    return this.unitOfWork.run(async (unit) => {
      await unit.run(`${insertIgnore} INTO jobs (name, holder, lease_until) VALUES (?, NULL, 0)`, [
        job,
      ]);
      const taken = await unit.run(
        `UPDATE jobs SET holder = ?, lease_until = ${now} + ?, last_started_at = ${now} WHERE name = ? AND (holder IS NULL OR holder = ? OR lease_until <= ${now})`,
        [this.holder, forMs, job, this.holder],
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

  async release(
    job: string,
    { durationMs, failure }: { readonly durationMs: number; readonly failure: string | null },
  ): Promise<void> {
    await this.unitOfWork.run((unit) =>
      unit.run(
        'UPDATE jobs SET holder = NULL, lease_until = 0, last_duration_ms = ?, last_failure = ? WHERE name = ? AND holder = ?',
        [durationMs, failure?.slice(0, MAX_FAILURE) ?? null, job, this.holder],
      ),
    );
  }
}
