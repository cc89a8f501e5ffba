import { describe, expect, it } from 'vitest';
import { DumpThreads } from '../../adapters/cli/dump-threads.ts';
import type { LaneSetting, OpenLanes } from '../../domain/verification/dump/lane.port.ts';
import { oneLane } from '../../domain/verification/dump/lane-work.ts';
import type { LogTask } from '../../domain/verification/dump/log-task.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { sourceOf } from '../support/attackers/dump-files.ts';

// Contract of domain/verification/dump/lane.port.ts

const SCRIPT = new URL('../../config/dump-worker.ts', import.meta.url);
const NOTHING: LaneSetting = { keys: [], hub: null, agentKeys: null, losses: [], registry: null };

/** So many lines that nobody can read. */
const linesThat = (count: number): LogTask => {
  const bytes = new TextEncoder().encode('no row\n'.repeat(count));
  const block = { buffer: bytes.buffer, length: bytes.length, firstLine: 1, isLast: true };
  return { kind: 'log', block, again: null };
};

const LANES: readonly (readonly [string, OpenLanes])[] = [
  ['here', oneLane(null)],
  ['in threads', (setting) => new DumpThreads(SCRIPT, 2, setting)],
];

describe.each(LANES)('lanes %s', (_where, open) => {
  it('do the tasks of each in their order, and give every buffer back', async () => {
    const lanes = open(NOTHING);
    const ended: number[] = [];
    const counts = [4_000, 1, 300, 2];
    const answers = await Promise.all(
      counts.map(async (count) => {
        const answer = await lanes.run(lanes.count - 1, linesThat(count));
        ended.push(count);
        return answer;
      }),
    );
    await lanes.end();
    expect(ended).toEqual(counts);
    expect(answers.map(({ found }) => found.total)).toEqual(counts);
    expect(answers.map(({ leaves }) => leaves.count)).toEqual(counts);
    expect(answers.map(({ buffer }) => buffer.byteLength)).toEqual(
      counts.map((count) => 7 * count),
    );
  });
});

describe('a thread that ends before its work is done', () => {
  it('leaves nothing said of the dump, and the answer is exit code 2', async () => {
    const broken = new URL('data:text/javascript,setTimeout(() => process.exit(3), 20)');
    const lines = '{}\n'.repeat(50);
    const report = await verifyDump(sourceOf({ audit_vault: lines, vault_checkpoints: lines }), {
      trust: trustOf({ kind: 'fingerprint', sha256Hex: '00'.repeat(32) }),
      lanes: (setting) => new DumpThreads(broken, 2, setting),
    });
    expect(report.reasons.join()).toContain('a thread ended before its work was done');
    expect(report.subject.kind).toBeNull();
  });
});
