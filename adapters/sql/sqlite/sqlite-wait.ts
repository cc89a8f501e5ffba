import { setTimeout as sleep } from 'node:timers/promises';
import { SQLITE } from './sqlite.ts';

/**
 * Tries again while another process holds a lock, and leaves this process free in between. SQLite's own wait would hold it up,
 * and there is none where a file is opened for the first time by two (sqlite.org/c3ref/busy_handler.html).
 *
 * @throws the last error: any other at once, that of the lock after `waitMs`.
 */
export const onceUnlocked = async <T>(
  attempt: () => T | Promise<T>,
  waitMs: number,
): Promise<T> => {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (SQLITE.classify(error) !== 'contention' || performance.now() > giveUpAt) throw error;
    }
    await sleep(1 + Math.random() * 4);
  }
};
