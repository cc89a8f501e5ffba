import type { Unit } from './unit.ts';
import type { Joined } from './unit-writer.ts';
import { hexFromSql } from '../base/values.ts';

const MAX_MEMBERS = 32;

/** A unit that waits for its record. */
export interface Candidate {
  readonly unit: Unit;
  readonly id: Uint8Array;
  readonly key: string;
  readonly grant: (joined: Joined | null) => void;
  readonly refuse: (error: Error) => void;
}

/** Units that begin with the lock of a record, in the order in which they came. */
export class RecordQueue {
  readonly #waiting: Candidate[] = [];
  /** Records that a group of this process holds: no other group is to wait for them. */
  readonly #held = new Set<string>();

  /** Null where there is no such record, or where it is below another: then the unit goes its own way. */
  join(unit: Unit, id: Uint8Array): Promise<Joined | null> {
    return new Promise((grant, refuse) => {
      this.#waiting.push({ unit, id, key: hexFromSql(id), grant, refuse });
    });
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Those that waited longest, each with a record of its own, which nobody else gets until they are `over`. */
  take(): readonly Candidate[] {
    const members: Candidate[] = [];
    for (let at = 0; at < this.#waiting.length && members.length < MAX_MEMBERS;) {
      const candidate = this.#waiting[at]!;
      if (this.#held.has(candidate.key)) at++;
      else {
        this.#held.add(candidate.key);
        members.push(candidate);
        this.#waiting.splice(at, 1);
      }
    }
    return members;
  }

  over(members: readonly Candidate[]): void {
    for (const { key } of members) this.#held.delete(key);
  }
}
