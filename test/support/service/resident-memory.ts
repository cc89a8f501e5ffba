import { readFileSync } from 'node:fs';

/** What a process holds in memory, MiB; 0 where the system has no /proc. */
export const residentMiB = (pid: number): number => {
  try {
    return (
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    );
  } catch {
    return 0;
  }
};
