import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LoadGate, type Leave } from '../../../application/call/load-gate.ts';
import { LoadLine } from '../../../application/call/load-line.ts';

/** What a gate takes at once before it has measured anything. */
const PLACES = 1_024;
const PATIENCE_MS = 1_000;
const never = new AbortController().signal;

const make = () => {
  const shed: string[] = [];
  const nothing = (): void => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  // Ten times the patience, so that nobody inside is old before the line gives up.
  const gate = new LoadGate(10 * PATIENCE_MS, log, { shed: (door) => void shed.push(door) });
  const line = new LoadLine(gate, PATIENCE_MS);
  const inside: Leave[] = [];
  const fill = (): void => {
    while (gate.hasRoom(1)) inside.push(gate.enter('http')!);
  };
  const served: number[] = [];
  /** Comes to the line, and says when it had its place. */
  const come = (number: number, signal = never, key = 'key'): Promise<Leave | null> => {
    const waited = line.wait('grpc_stream', key, signal);
    void waited.then((leave) => leave && served.push(number));
    return waited;
  };
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  return { gate, line, inside, fill, come, served, shed, settle };
};

describe('LoadLine', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('gives a place at once where there is room, and leaves the last tenth to calls that cannot wait', () => {
    const { gate, line } = make();
    let taken = 0;
    while (line.enter('grpc_stream')) taken++;
    expect(taken).toBe(Math.ceil(0.9 * PLACES));
    expect(gate.enter('http')).not.toBeNull();
  });

  it('gives every second place that becomes free to the line while others take the rest, first come first served', async () => {
    const { gate, inside, fill, come, served, settle } = make();
    fill();
    for (let number = 0; number < 6; number++) void come(number);
    let others = 0;
    for (const leave of inside.splice(0, 8)) {
      leave();
      // A call that cannot wait comes whenever there is a place.
      if (gate.hasRoom(1) && gate.enter('http')) others++;
    }
    await settle();
    expect(served).toEqual([0, 1, 2, 3]);
    expect(others).toBe(4);
  });

  it('keeps its share where many leave at once and those of the line come one by one', async () => {
    const { line, inside, fill, come, served, settle } = make();
    fill();
    void come(0);
    for (const leave of inside.splice(0, 8)) leave();
    await settle();
    expect(served).toEqual([0]);
    const next = Array.from({ length: 4 }, () => line.enter('grpc_stream') !== null);
    expect(next).toEqual([true, true, true, false]);
    // What nobody claimed is gone a moment later.
    for (const leave of inside.splice(0, 8)) leave();
    await vi.advanceTimersByTimeAsync(200);
    expect(line.enter('grpc_stream')).toBeNull();
  });

  it('gives keys their turns, so that one with many streams keeps no other waiting', async () => {
    const { inside, fill, come, served, settle } = make();
    fill();
    for (let number = 0; number < 300; number++) void come(number, never, 'many');
    for (let number = 1_000; number < 1_003; number++) void come(number, never, 'few');
    void come(2_000, never, 'one');
    for (const leave of inside.splice(0, 20)) leave();
    await settle();
    expect(served).toEqual([0, 1_000, 2_000, 1, 1_001, 2, 1_002, 3, 4, 5]);
  });

  it('refuses of every key whom it found no place for in time', async () => {
    const { line, fill, come, shed } = make();
    fill();
    const early = [come(1, never, 'many'), come(2, never, 'many'), come(3, never, 'few')];
    await vi.advanceTimersByTimeAsync(PATIENCE_MS / 2);
    void come(4, never, 'many');
    await vi.advanceTimersByTimeAsync(PATIENCE_MS / 2 + 150);
    expect(await Promise.all(early)).toEqual([null, null, null]);
    expect([line.length, shed.length]).toEqual([1, 3]);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect([line.length, shed.length, vi.getTimerCount()]).toEqual([0, 4, 0]);
  });

  it('lets nobody pass who comes later', async () => {
    const { line, inside, fill, come, served, settle } = make();
    fill();
    void come(1);
    for (const leave of inside.splice(0, 1)) leave();
    expect(line.enter('grpc_stream')).toBeNull();
    await settle();
    expect(served).toEqual([1]);
  });

  it('refuses whom it found no place for in time, and counts it', async () => {
    const { line, fill, come, shed } = make();
    fill();
    const waited = come(1);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 150);
    expect(line.length).toBe(1);
    await vi.advanceTimersByTimeAsync(300);
    expect(await waited).toBeNull();
    expect([line.length, shed, vi.getTimerCount()]).toEqual([0, ['grpc_stream'], 0]);
  });

  it('forgets whoever calls the wait off, without counting it', async () => {
    const { line, fill, come, shed } = make();
    fill();
    const over = new AbortController();
    const waited = come(1, over.signal);
    over.abort();
    expect(await waited).toBeNull();
    expect(await come(2, over.signal)).toBeNull();
    expect([line.length, shed]).toEqual([0, []]);
  });

  it('goes on where nobody leaves, once those inside have grown old', async () => {
    const { gate, fill, inside, shed } = make();
    const patient = new LoadLine(gate, 60_000);
    fill();
    const waited = patient.wait('grpc_stream', 'key', never);
    await vi.advanceTimersByTimeAsync(25 * PATIENCE_MS);
    expect(await waited).not.toBeNull();
    expect([inside.length, shed]).toEqual([PLACES, []]);
  });
});
