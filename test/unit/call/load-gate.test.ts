import { describe, expect, it } from 'vitest';
import { LoadGate, type Leave, type Place } from '../../../application/call/load-gate.ts';

const make = (queueMs = 1000) => {
  let now = 50;
  const told: string[] = [];
  const nothing = (): void => undefined;
  const log = {
    debug: nothing,
    info: nothing,
    warn: (_: object, message: string) => void told.push(message),
    error: nothing,
  };
  const shed: string[] = [];
  const measures = { shed: (door: string) => void shed.push(door) };
  const gate = new LoadGate(queueMs, log, measures, () => now);
  const queue: Leave[] = [];
  /** Each step of 10 ms: so many calls come, and those that came first end. */
  const run = (ms: number, arrivals: number, ends: number): { taken: number; refused: number } => {
    let [taken, refused] = [0, 0];
    for (let at = 0; at < ms; at += 10) {
      now += 10;
      for (const leave of queue.splice(0, ends)) leave();
      for (let i = 0; i < arrivals; i++) {
        const leave = gate.enter('http');
        if (leave) queue.push(leave);
        if (leave) taken++;
        else refused++;
      }
    }
    return { taken, refused };
  };
  return { gate, queue, told, shed, run, pass: (ms: number) => void (now += ms) };
};

describe('LoadGate', () => {
  it('refuses nobody as long as calls end as fast as they come', () => {
    const { run, told } = make();
    expect(run(60_000, 20, 20).refused).toBe(0);
    expect(told).toEqual([]);
  });

  it('takes of four times what it can do as much as it can do, and none waits longer than it may', () => {
    const { gate, queue, run } = make();
    run(5_000, 80, 20);
    const { taken, refused } = run(20_000, 80, 20);
    // 2,000 a second end.
    expect(taken).toBeGreaterThan(0.95 * 40_000);
    expect(refused).toBeGreaterThan(100_000);
    expect(queue.length).toBeLessThanOrEqual(2_100);
    expect(gate.limit).toBeGreaterThan(1_800);
    expect(gate.limit).toBeLessThan(2_200);
  });

  it('holds fewer calls at once as soon as they end more slowly, and more again when they end faster', () => {
    const { gate, run } = make();
    run(5_000, 80, 20);
    run(10_000, 80, 5);
    expect(gate.limit).toBeLessThan(600);
    run(10_000, 80, 40);
    expect(gate.limit).toBeGreaterThan(3_500);
  });

  it('refuses nobody any more once the flood is over', () => {
    const { run } = make();
    run(10_000, 80, 20);
    run(2_000, 0, 20);
    expect(run(20_000, 10, 20).refused).toBe(0);
  });

  it('takes a burst after a quiet time, and refuses what is beyond all measure', () => {
    const { gate, shed } = make();
    const left = Array.from({ length: 1_100 }, () => gate.enter('http'));
    expect(left.filter((leave) => leave === null)).toHaveLength(76);
    expect(gate.refused).toBe(76);
    expect(shed).toEqual(Array(76).fill('http'));
    expect([1, 2, 3]).toContain(gate.retryAfterSeconds);
  });

  it('where nothing ends at all, holds few and refuses the rest at once', () => {
    const { gate, run } = make();
    run(1_000, 10, 0);
    const { taken } = run(30_000, 80, 0);
    // Those that have waited for 2 s are counted no more.
    expect(taken).toBeLessThan(16 * 300);
    expect(gate.limit).toBeLessThan(300);
  });

  it('lets calls that take for ever keep nobody out', () => {
    const { gate, run, pass } = make();
    for (let i = 0; i < 1_024; i++) gate.enter('http');
    expect(gate.enter('http')).toBeNull();
    pass(2_100);
    expect(gate.underWay).toBe(0);
    expect(run(10_000, 20, 20).refused).toBe(0);
  });

  it('counts a call that leaves twice, or late, once', () => {
    const { gate, pass } = make();
    const [first, second] = [gate.enter('http')!, gate.enter('http')!];
    first();
    first();
    expect(gate.underWay).toBe(1);
    pass(60_000);
    gate.enter('http');
    second();
    expect(gate.underWay).toBe(1);
  });

  it('tells of a flood once in ten seconds', () => {
    const { run, told } = make();
    run(35_000, 80, 20);
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(told.length).toBeLessThanOrEqual(4);
  });

  it('takes everything where it is switched off', () => {
    const { gate } = make(0);
    for (let i = 0; i < 5_000; i++) expect(gate.enter('http')).not.toBeNull();
  });

  describe('a call whose message is not there', () => {
    const waiting = (gate: ReturnType<typeof make>['gate'], count: number): Place[] =>
      Array.from({ length: count }, () => {
        const place = gate.take('grpc')!;
        place.awaitCaller();
        return place;
      });

    it('keeps its place for a moment, and then keeps nobody out', () => {
      const { gate, pass } = make();
      const [place] = waiting(gate, 1);
      expect(gate.underWay).toBe(1);
      pass(310);
      expect(gate.underWay).toBe(0);
      expect(place!.goOn()).toBe(true);
      expect(gate.underWay).toBe(1);
      place!.leave();
      place!.leave();
      expect(gate.underWay).toBe(0);
    });

    it('keeps none where many wait, so that however many of them keep nobody out', () => {
      const { gate } = make();
      waiting(gate, 50_000);
      expect([gate.underWay, gate.refused]).toEqual([64, 0]);
    });

    it('goes on in the place that it kept, although the gate is full', () => {
      const { gate, pass } = make();
      const [place] = waiting(gate, 1);
      while (gate.hasRoom(1)) gate.enter('http');
      pass(90);
      expect(place!.goOn()).toBe(true);
      expect(gate.refused).toBe(0);
    });

    it('is refused where others took its place, counted by where it came in', () => {
      const { gate, shed, pass } = make();
      const [place] = waiting(gate, 1);
      pass(310);
      let filled = 0;
      while (gate.hasRoom(1) && gate.enter('http')) filled++;
      expect(place!.goOn()).toBe(false);
      place!.leave();
      expect([gate.refused, shed, gate.underWay]).toEqual([1, ['grpc'], filled]);
    });

    it('says nothing of how fast calls end where it leaves without one', () => {
      const { gate, run } = make();
      run(10, 300, 0);
      for (let at = 0; at < 500; at++) {
        for (const place of waiting(gate, 50)) place.leave();
        expect(run(10, 20, 20).refused).toBe(0);
      }
      // 2,000 a second end.
      expect(gate.limit).toBeGreaterThan(1_800);
      expect(gate.limit).toBeLessThan(2_200);
    });

    it('tells who stands in line that its place is free', () => {
      const { gate } = make();
      let free = 0;
      gate.onLeft = () => void free++;
      waiting(gate, 64);
      expect(free).toBe(0);
      waiting(gate, 3);
      expect(free).toBe(3);
    });
  });
});
