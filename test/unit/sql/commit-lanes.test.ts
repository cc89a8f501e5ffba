import { describe, expect, it, vi } from 'vitest';
import { CommitLanes } from '../../../adapters/sql/commit/commit-lanes.ts';

/** Work that ends when it is told to. */
const held = (): { work: () => Promise<void>; end: () => void } => {
  let end!: () => void;
  const done = new Promise<void>((resolve) => (end = resolve));
  return { work: () => done, end };
};

describe('lanes of commits', () => {
  it('let one run alone, and tell of its end', async () => {
    const freed = vi.fn();
    const lanes = new CommitLanes(freed);
    expect(lanes.isFree).toBe(true);
    const first = held();
    const running = lanes.run(first.work);
    expect(lanes.isFree).toBe(false);
    first.end();
    await running;
    expect(freed).toHaveBeenCalledTimes(1);
    expect(lanes.isFree).toBe(true);
  });

  it('let a second one run beside one that is slow, and no third', async () => {
    const freed = vi.fn();
    const lanes = new CommitLanes(freed);
    const [first, second] = [held(), held()];
    const running = [lanes.run(first.work)];
    // Nobody asks meanwhile: the lanes say so by themselves.
    await vi.waitUntil(() => freed.mock.calls.length > 0, { timeout: 2_000, interval: 2 });
    expect(lanes.isFree).toBe(true);
    running.push(lanes.run(second.work));
    expect(lanes.isFree).toBe(false);
    // The slow one is still there; the others do not wait for it.
    second.end();
    await running[1];
    expect(lanes.isFree).toBe(true);
    const [third, fourth] = [held(), held()];
    running.push(lanes.run(third.work));
    expect(lanes.isFree).toBe(false);
    first.end();
    await running[0];
    expect(lanes.isFree).toBe(false);
    third.end();
    await running[2];
    running.push(lanes.run(fourth.work));
    expect(lanes.isFree).toBe(false);
    fourth.end();
    await Promise.all(running);
  });
});
