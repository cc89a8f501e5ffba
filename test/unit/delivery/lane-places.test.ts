import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LanePlaces } from '../../../application/delivery/lane-places.ts';

const ORG = 'one';
const fill = (places: LanePlaces, orgId: string, count: number) =>
  Array.from({ length: count }, (_, n) => places.take({ id: `${orgId}-${n}`, orgId }));

describe('places', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are for one org half of all, so that another finds one', () => {
    const places = new LanePlaces();
    fill(places, ORG, 32);
    expect([places.isFullFor(ORG), places.isFullFor('other'), places.isFull()]).toEqual([
      true,
      false,
      false,
    ]);
    fill(places, 'other', 32);
    expect(places.isFull()).toBe(true);
    places.leave(`${ORG}-0`);
    expect([places.isFull(), places.isFullFor(ORG)]).toEqual([false, false]);
  });

  it('are taken by nobody whose receiver lets it wait, and are again when it answers', async () => {
    const places = new LanePlaces();
    const held = fill(places, ORG, 32);
    let answer: () => void = () => undefined;
    const waited = held[0]!.waitFor(new Promise<void>((resolve) => (answer = resolve)));
    expect(places.isFullFor(ORG)).toBe(true);
    vi.advanceTimersByTime(600);
    expect(places.isFullFor(ORG)).toBe(false);
    answer();
    await waited;
    expect(places.isFullFor(ORG)).toBe(true);
  });

  it('of those that wait for their receivers have a bound for an org, too', () => {
    const places = new LanePlaces();
    for (let n = 0; n < 128; n++) {
      expect(places.isFullFor(ORG)).toBe(false);
      const place = places.take({ id: `${n}`, orgId: ORG });
      void place.waitFor(new Promise(() => undefined));
      vi.advanceTimersByTime(600);
    }
    expect([places.isFullFor(ORG), places.isFullFor('other')]).toEqual([true, false]);
  });

  it('are given back by who worked long, where others wait', () => {
    const places = new LanePlaces();
    const [old] = fill(places, ORG, 1);
    vi.advanceTimersByTime(2_500);
    const [other] = fill(places, 'other', 1);
    places.makeRoom('other');
    expect([old!.aborted, other!.aborted]).toEqual([false, false]);
    places.makeRoom();
    expect([old!.aborted, other!.aborted]).toEqual([true, false]);
    places.endAll();
    expect(other!.aborted).toBe(true);
  });
});
