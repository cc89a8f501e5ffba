import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/**
 * The stores as whoever decides on a mirror sees them: what is decided about the record itself is not written, for home
 * is asked first. Everything else is, such as a record that is delegated under it.
 */
export const decidedOnly = (stores: Stores, recordId: Uuid): Stores => {
  const completions: Stores['completions'] = {
    insert: (completion) =>
      completion.recordId === recordId ? DONE : stores.completions.insert(completion),
    find: (id) => stores.completions.find(id),
    update: (completion) =>
      completion.recordId === recordId ? DONE : stores.completions.update(completion),
  };
  const references: Stores['references'] = {
    insert: (reference, position) =>
      reference.recordId === recordId ? DONE : stores.references.insert(reference, position),
  };
  // Nobody decides on another record's dispute while this one is held.
  const disputes: Stores['disputes'] = {
    insert: () => DONE,
    update: () => DONE,
    addEvidence: () => DONE,
    lock: (id) => stores.disputes.lock(id),
  };
  const own: Partial<Stores> = { completions, references, disputes };
  return new Proxy(stores, {
    get: (target, name) =>
      Object.hasOwn(own, name)
        ? own[name as keyof Stores]
        : (Reflect.get(target, name, target) as unknown),
  });
};

const DONE = Promise.resolve();
