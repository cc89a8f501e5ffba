import type { Stores } from '../../../application/ports/unit-of-work.port.ts';
import type { RecordStore } from '../../../domain/record/record-store.port.ts';
import type { Rehearsal } from './rehearsal.ts';

/**
 * The stores of a run, with the database's time as the first run of the unit read it. A decision bears that time: it was taken
 * then, and whatever happened to the chain meanwhile shows at its head.
 */
export const withSteadyTime = (stores: Stores, rehearsal: Rehearsal): Stores =>
  overlaid(stores, { records: () => steadyRecords(stores.records, rehearsal) });

const steadyRecords = (records: RecordStore, rehearsal: Rehearsal): RecordStore =>
  overlaid(records, {
    lock: () => async (id) => {
      const found = await records.lock(id);
      return found && { ...found, now: rehearsal.databaseTime(found.now) };
    },
  });

/** The same object, but for these members. Its methods keep it as their `this`. */
const overlaid = <T extends object>(
  original: T,
  members: { readonly [Name in keyof T]?: () => T[Name] },
): T =>
  new Proxy(original, {
    get: (target, name) => {
      const member = (members as Partial<Record<PropertyKey, () => unknown>>)[name];
      if (member) return member();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
