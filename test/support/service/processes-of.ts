import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the processes whose environment holds a text, such as the directory they were given. Linux only. */
export const processesOf = (text: string): readonly string[] =>
  readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/environ`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
