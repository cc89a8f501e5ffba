import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { ok, type Body, type Client } from '../service/world.ts';

/** The ids of all events of a type that were told, in the order of their numbers. */
export const eventIds = async (admin: Client, type = 'record.recorded'): Promise<string[]> => {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const page = await ok(admin.get(`/v1/events?type=${type}&order=asc&limit=200${cursor}`));
    ids.push(...(page['data'] as Body[]).map(({ id }) => String(id)));
    if (page['nextCursor'] === null) return ids;
    cursor = `&cursor=${encodeURIComponent(String(page['nextCursor']))}`;
  }
};

/** Every event came, each in one body however often, and has its own place: 1, 2, 3 … in the order of the numbers. */
export const expectWhole = (
  received: readonly { readonly raw: string; readonly body: Body }[],
  events: readonly string[],
): void => {
  const bodies = new Map<string, Set<string>>();
  const places = new Map<number, Set<string>>();
  for (const { body, raw } of received) {
    const id = String(body['id']);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(raw));
    const place = Number(body['eventSequence']);
    places.set(place, (places.get(place) ?? new Set()).add(id));
  }
  expect([...bodies.keys()].sort()).toEqual([...events].sort());
  expect([...bodies.values()].filter((raws) => raws.size !== 1)).toEqual([]);
  expect([...places.values()].filter((ids) => ids.size !== 1)).toEqual([]);
  const inOrder = [...places].sort(([a], [b]) => a - b);
  expect(inOrder.map(([place]) => place)).toEqual(events.map((_, index) => index + 1));
  expect(inOrder.flatMap(([, ids]) => [...ids])).toEqual(events);
};

/** Writers that make events, five a call, until they are told to end; and the records that they were told of. */
export class EventLoad {
  readonly told: string[] = [];
  private isOver = false;
  private readonly writing: Promise<unknown>;

  /** @param client asked anew for each call: the service may be another one by then. */
  constructor(client: () => Client, writers: number, pauseMs = 30) {
    this.writing = Promise.all(
      Array.from({ length: writers }, async () => {
        while (!this.isOver) {
          await this.write(client()).catch(() => undefined);
          await sleep(pauseMs);
        }
      }),
    );
  }

  private async write(client: Client): Promise<void> {
    const notes = Array.from({ length: 5 }, (_, item) => ({ type: 'note', criteria: { item } }));
    const { data } = await ok(client.post('/v1/records/bulk', notes));
    this.told.push(...(data as Body[]).map(({ record }) => String(record.id)));
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.writing;
  }
}
