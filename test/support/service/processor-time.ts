import { readFileSync } from 'node:fs';

/** A clock tick of /proc, ms: 100 a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** What a process took of the processors since it began, its threads included, ms; 0 where the system has no /proc. */
export const processorMs = (pid: number): number => {
  try {
    // The name of the program stands in brackets and may hold spaces; what follows it does not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
};
