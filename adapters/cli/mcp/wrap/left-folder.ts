import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';

/** The run of a folder says so more often, as long as it lives. */
const LEFT_AFTER_MS = 3_600_000;

/** As far as a name of a folder holds it. */
const machine = (): string => hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');

/** Of this process. */
const runs = new Set<string>();

/** The name of the folder of a run that begins. */
export const folderOf = (run: string): string => {
  runs.add(run);
  return `${machine()}-${process.pid}-${run}`;
};

/**
 * Whether the run of a folder has ended: its process on this machine is gone, or nothing was heard of it for long. In
 * containers each next process may have the number of the last: it is another one all the same.
 */
export const isLeft = async (name: string, path: string): Promise<boolean> => {
  const [, of, pid, run] = /^([A-Za-z0-9._]+)-(\d+)-([0-9a-f-]{36})$/.exec(name) ?? [];
  if (of === undefined || runs.has(run!)) return false;
  if (of === machine() && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
  const folder = await stat(path).catch(() => null);
  return folder !== null && Date.now() - folder.mtimeMs > LEFT_AFTER_MS;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
