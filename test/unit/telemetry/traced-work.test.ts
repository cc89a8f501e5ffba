import { expect, it } from 'vitest';
import { TracedWork } from '../../../adapters/telemetry/traced-work.ts';
import type { CallSpan } from '../../../application/ports/tracer.port.ts';
import type { Stores, UnitOfWork } from '../../../application/ports/unit-of-work.port.ts';
import type { DomainEvent } from '../../../domain/event/event.ts';

const PLACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const EVENT = { type: 'record.recorded' } as DomainEvent;

const setUp = () => {
  const added: DomainEvent[] = [];
  const records = {} as Stores['records'];
  const outbox: Stores['outbox'] = {
    add: (event) => Promise.resolve(void added.push(event)),
  };
  const stores = { records, outbox } as Stores;
  const inner: UnitOfWork = { transaction: (work) => work(stores) };
  return { added, stores, work: new TracedWork(inner, 'sqlite') };
};
const spanAt = (traceparent: string | undefined, steps: unknown[] = []): CallSpan => ({
  traceparent,
  note: () => undefined,
  step: (name, values, work) => {
    steps.push([name, values]);
    return work(traceparent);
  },
});

it('makes a unit of a call a step of it, whose place its events keep', async () => {
  const { added, stores, work } = setUp();
  const steps: unknown[] = [];
  const run = async (own: Stores): Promise<string> => {
    expect(own.records).toBe(stores.records);
    await own.outbox.add(EVENT);
    return 'done';
  };
  expect(await work.transaction(run, { span: spanAt(PLACE, steps) })).toBe('done');
  expect(steps).toEqual([['commit', { 'db.system.name': 'sqlite' }]]);
  expect(added).toEqual([{ ...EVENT, traceparent: PLACE }]);
});

it.each([
  ['of no call', undefined],
  ['of a call that is not traced', { span: null }],
  ['of a call that is not sampled', { span: spanAt(undefined) }],
])('leaves a unit alone that is %s', async (_, call) => {
  const { added, stores, work } = setUp();
  await work.transaction(async (own) => {
    expect(own).toBe(stores);
    await own.outbox.add(EVENT);
  }, call);
  expect(added).toEqual([EVENT]);
});
