import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The environment of a Node process that reports the gaps of its event loop into a file, which this makes. */
export const reportingGapsInto = (file: string): Readonly<Record<string, string>> => {
  writeFileSync(file, '');
  return {
    NODE_OPTIONS: `--import=${pathToFileURL('test/support/service/report-loop-gaps.mjs').href}`,
    LOOP_GAPS_INTO: file,
  };
};

/** The longest gap that was reported since the last call, in ms; 0 if all were short. */
export const takeLongestGap = (file: string): number => {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
  writeFileSync(file, '');
  return Math.max(0, ...lines);
};
