import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDump } from './make-dump.ts';
import type { Row } from './table.ts';
import { rawVerifyAllCores } from './verify-limit.ts';

const ENTRIES = 100_000;
const RAW_MS = 1_500;

/**
 * `notary verify` of a dump, as a process of its own: signatures a second beside what all cores verify that do nothing else,
 * measured right before and right after, and the most memory that it took.
 */
export const verifyWholeDump = async (entries = ENTRIES): Promise<readonly Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'notary-bench-dump-'));
  try {
    return await measureDump(folder, await makeDump(folder, entries));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const measureDump = async (folder: string, fingerprint: string): Promise<readonly Row[]> => {
  const before = await rawVerifyAllCores(RAW_MS);
  const { report, peakMiB } = await verified(folder, fingerprint);
  const after = await rawVerifyAllCores(RAW_MS);
  if (report.verdict !== 'valid') throw new Error(`the dump is ${report.verdict}`);
  const limit = (before + after) / 2;
  const signatures = report.checks.signatures.count;
  const perSecond = (signatures * 1000) / report.durationMs;
  return [
    { what: 'limit: Ed25519 verify, all cores', perSecond: limit },
    {
      what: `notary verify, dump of ${report.subject.entries} entries, signatures, peak ${peakMiB} MiB`,
      perSecond,
      ratio: perSecond / limit,
      of: 'raw Ed25519 verify, all cores',
    },
  ];
};

interface Report {
  readonly verdict: string;
  readonly durationMs: number;
  readonly checks: { readonly signatures: { readonly count: number } };
  readonly subject: { readonly entries: number };
}

const verified = async (
  folder: string,
  fingerprint: string,
): Promise<{ report: Report; peakMiB: number | string }> => {
  const child = spawn(
    process.execPath,
    ['dist/config/main.js', 'verify', folder, '--keys', fingerprint, '--json'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid!));
  }, 50);
  let text = '';
  for await (const part of child.stdout) text += String(part);
  clearInterval(timer);
  return { report: JSON.parse(text) as Report, peakMiB: peak > 0 ? Math.round(peak) : 'unknown' };
};

/** The most memory that a process held so far, in MiB; 0 where the system does not tell. */
const peakOf = (pid: number): number => {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0;
  }
};

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({
    options: { folder: { type: 'string' }, keys: { type: 'string' }, entries: { type: 'string' } },
  });
  const rows =
    values.folder && values.keys
      ? await measureDump(values.folder, values.keys)
      : await verifyWholeDump(Number(values.entries ?? ENTRIES));
  process.stdout.write(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
}
