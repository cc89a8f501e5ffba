import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventAlarms } from '../../../application/event/event-alarms.ts';
import type { DomainEvent } from '../../../domain/event/event.ts';
import { ZERO_UUID } from '../../../domain/kernel/ids.ts';

const ignore = (): void => undefined;
const fault = (sequence: number) => ({ fault: 'row', id: ZERO_UUID, sequence }) as const;

let events: DomainEvent[] = [];
let lines: unknown[] = [];
let alarms: EventAlarms;
beforeEach(() => {
  vi.useFakeTimers();
  [events, lines] = [[], []];
  alarms = new EventAlarms(
    { enqueue: (event) => void events.push(event) },
    { now: () => new Date() },
    { next: () => ZERO_UUID },
    { debug: ignore, info: ignore, warn: ignore, error: (fields) => void lines.push(fields) },
  );
});
afterEach(() => vi.useRealTimers());

it('the first edit is told at once, further ones once a minute with their count', () => {
  alarms.tell(fault(1));
  expect(lines).toEqual([{ alarm: 'events', ...fault(1), count: 1 }]);
  for (let n = 2; n <= 500; n++) alarms.tell(fault(n));
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(60_000);
  expect(lines).toMatchObject([{ count: 1 }, { sequence: 500, count: 499 }]);
  vi.advanceTimersByTime(600_000);
  expect(lines).toHaveLength(2);
  alarms.tell(fault(7));
  expect(lines).toHaveLength(3);
  expect(events.map(({ type, data }) => ({ type, count: data['count'] }))).toEqual(
    [1, 499, 1].map((count) => ({ type: 'vault.tamper_detected', count })),
  );
});
