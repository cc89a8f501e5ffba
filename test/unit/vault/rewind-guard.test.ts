import { expect, it } from 'vitest';
import { RewindGuard } from '../../../application/sealing/rewind-guard.ts';
import type { RewindFinding } from '../../../domain/vault/rewind.ts';

const finding = (
  anchoredPosition: number,
  changes: Partial<RewindFinding> = {},
): RewindFinding => ({
  chainKey: '0190a000-0000-7000-8000-000000000001',
  finding: 'rewound',
  localPosition: 2,
  localHash: new Uint8Array(32),
  anchoredPosition,
  anchoredHash: new Uint8Array(32).fill(anchoredPosition),
  checkpointHash: new Uint8Array(32).fill(anchoredPosition),
  isKeyLost: false,
  detectedAt: '2026-11-20T10:00:00.000Z',
  acknowledgedAt: null,
  ...changes,
});

it('lists one loss once, by the checkpoint that shows most of it', () => {
  const guard = new RewindGuard();
  for (const position of [5, 9, 7]) guard.block(finding(position));
  expect(guard.findings.map(({ anchoredPosition }) => anchoredPosition)).toEqual([9]);
  expect(guard.takeNews().map(({ anchoredPosition }) => anchoredPosition)).toEqual([9]);
  expect(guard.takeSuperseded().map(({ anchoredPosition }) => anchoredPosition)).toEqual([5]);
  // The row that another node stored of the same loss goes as well.
  guard.block(finding(6), true);
  expect(guard.takeSuperseded().map(({ anchoredPosition }) => anchoredPosition)).toEqual([6]);
});

it('lists losses of two chains, and keeps one that held the statement of a key', () => {
  const guard = new RewindGuard();
  guard.block(finding(5, { isKeyLost: true }));
  guard.block(finding(9));
  guard.block(finding(5, { chainKey: '0190a000-0000-7000-8000-000000000002' }));
  expect(guard.findings).toHaveLength(3);
});
