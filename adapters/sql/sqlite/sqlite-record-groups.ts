import type { Transaction } from '../base/database.ts';
import { RecordGroup, SharedSession, toldOf, type GroupEnd } from '../commit/record-group.ts';
import { RecordQueue, type Candidate } from '../commit/record-queue.ts';
import { SQLITE } from './sqlite.ts';
import { lockedRecord, type LockedRow } from '../records/locked-row.ts';
import { firstOf } from '../base/session.ts';
import type { Unit } from '../commit/unit.ts';
import type { Joined } from '../commit/unit-writer.ts';
import { uuidFromSql } from '../base/values.ts';

/**
 * Units that begin with the lock of a record. Those of different records act in one transaction of the writer, at the same
 * time: so their signatures are made together.
 */
export class SqliteRecordGroups {
  readonly #queue = new RecordQueue();
  readonly #groupOf = new Map<Unit, RecordGroup>();

  /** Null where there is no such record, or where it is below another: then the unit goes its own way. */
  join(unit: Unit, id: Uint8Array): Promise<Joined | null> {
    return this.#queue.join(unit, id);
  }

  get areWaiting(): boolean {
    return !this.#queue.isEmpty;
  }

  groupOf(unit: Unit): Pick<RecordGroup, 'finish'> | undefined {
    return this.#groupOf.get(unit);
  }

  /** No transaction could be begun. */
  refuse(error: Error): void {
    while (!this.#queue.isEmpty) {
      const members = this.#queue.take();
      for (const { refuse } of members) refuse(error);
      this.#queue.over(members);
    }
  }

  /** Lets those act that are waiting, each on its record. Never rejects. */
  async run(transaction: Transaction): Promise<GroupEnd> {
    const members = this.#queue.take();
    const found: Candidate[] = [];
    try {
      const rows = new Map<Candidate, LockedRow>();
      for (const member of members) {
        const row = await rowOf(transaction, member);
        if (row) rows.set(member, row);
      }
      found.push(...rows.keys());
      const group = new RecordGroup(found.map(({ unit }) => unit));
      for (const { unit } of found) this.#groupOf.set(unit, group);
      const session = new SharedSession(transaction, found.length);
      for (const member of members) {
        const row = rows.get(member);
        member.grant(row ? { session, row } : null);
      }
      return await group.end;
    } catch (error) {
      for (const { refuse } of members) refuse(toldOf(error, members.length));
      return { done: [], refused: [], failure: null };
    } finally {
      for (const { unit } of found) this.#groupOf.delete(unit);
      this.#queue.over(members);
    }
  }
}

const rowOf = async (transaction: Transaction, { id }: Candidate): Promise<LockedRow | null> =>
  firstOf(await transaction.all<LockedRow>(lockedRecord(SQLITE), [uuidFromSql(id), id]));
