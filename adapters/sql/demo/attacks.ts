import type { DemoDatabase } from './demo-database.ts';

/** A way to change what is stored, behind the back of the service. */
export interface Attack {
  readonly name: string;
  readonly title: string;
  /** Which rows it may change, so that nothing else is put back: the service goes on writing. */
  readonly touches: readonly Touched[] | 'everything';
  /** Changes the rows. @returns what was changed, in a sentence; null where there is nothing of the kind. */
  run(database: DemoDatabase, recordId: string): string | null;
}

/** The rows of a table: those of the record by this column, or all. */
export interface Touched {
  readonly table:
    'chain_entries' | 'chain_heads' | 'records' | 'vault_checkpoints' | 'vault_signing_keys';
  readonly by: 'chain_key' | 'id' | null;
}

const ENTRIES: Touched = { table: 'chain_entries', by: 'chain_key' };
const HEAD: Touched = { table: 'chain_heads', by: 'chain_key' };
const RECORD: Touched = { table: 'records', by: 'id' };

/** What whoever can write the database, and holds no signing key, may try. In the order in which it gets harder to see. */
export const ATTACKS: readonly Attack[] = [
  {
    name: 'entry-edited',
    title: 'Edit a signed entry',
    touches: [ENTRIES],
    run: (database, id) => {
      const entry = database.entry(id, 2) ?? database.entry(id, 1);
      if (!entry) return null;
      const bytes = Uint8Array.from(entry.coseSign1);
      // In the middle stands what was sealed, before the signature.
      const place = Math.floor(bytes.length / 2);
      bytes[place] = bytes[place]! ^ 1;
      database.run('UPDATE chain_entries SET cose_sign1 = ? WHERE chain_key = ? AND position = ?', [
        bytes,
        id,
        entry.position,
      ]);
      return `One bit of entry ${entry.position} was turned over.`;
    },
  },
  {
    name: 'entry-deleted',
    title: 'Delete an entry from the middle',
    touches: [ENTRIES],
    run: (database, id) => {
      const head = database.head(id);
      if (!head || head < 3) return null;
      database.run('DELETE FROM chain_entries WHERE chain_key = ? AND position = 2', [id]);
      return `Entry 2 of ${head} is gone.`;
    },
  },
  {
    name: 'chain-cut',
    title: 'Cut the chain at its end',
    touches: [ENTRIES, HEAD],
    run: (database, id) => {
      const head = database.head(id);
      const before = head ? database.entry(id, head - 1) : null;
      if (!head || !before) return null;
      database.run('DELETE FROM chain_entries WHERE chain_key = ? AND position = ?', [id, head]);
      database.run('UPDATE chain_heads SET position = ?, hash = ? WHERE chain_key = ?', [
        before.position,
        before.hash,
        id,
      ]);
      return `The last entry, ${head}, is gone, and the head of the chain names the one before it.`;
    },
  },
  {
    name: 'entries-swapped',
    title: 'Swap two entries',
    touches: [ENTRIES],
    run: (database, id) => {
      const head = database.head(id);
      if (!head || head < 3) return null;
      const move = 'UPDATE chain_entries SET position = ? WHERE chain_key = ? AND position = ?';
      database.run(move, [1_000_000, id, 2]);
      database.run(move, [2, id, 3]);
      database.run(move, [3, id, 1_000_000]);
      return 'Entries 2 and 3 stand in the place of each other.';
    },
  },
  {
    name: 'status-changed',
    title: 'Change the status of the record',
    touches: [RECORD],
    run: (database, id) => {
      const { status } = database.record(id) ?? {};
      if (status === undefined) return null;
      const other = status === 'FULFILLED' ? 'FAILED' : 'FULFILLED';
      database.run('UPDATE records SET status = ? WHERE id = ?', [other, database.uuid(id)]);
      return `The row says ${other} in the place of ${status}.`;
    },
  },
  {
    name: 'record-moved',
    title: 'Give the record to another org',
    touches: [RECORD],
    run: (database, id) => {
      const record = database.record(id);
      const other = record && database.otherOrg(record.orgId);
      if (!other) return null;
      database.run('UPDATE records SET org_id = ? WHERE id = ?', [other, database.uuid(id)]);
      return 'The row of the record names another org as its own.';
    },
  },
  {
    name: 'key-swapped',
    title: 'Put another public key in the place of the signing key',
    touches: [{ table: 'vault_signing_keys', by: null }],
    run: (database) => {
      const isThere = database.run(
        "UPDATE vault_signing_keys SET public_key = ? WHERE status = 'active'",
        [database.otherPublicKey()],
      );
      if (!isThere) return null;
      return 'The row of the active signing key holds a public key that was made just now.';
    },
  },
  {
    name: 'checkpoint-deleted',
    title: 'Delete a checkpoint',
    touches: [{ table: 'vault_checkpoints', by: null }],
    run: (database) => {
      const place = database.oldestCheckpoint();
      if (place === null) return null;
      database.run('DELETE FROM vault_checkpoints WHERE log_index = ?', [place]);
      return `Checkpoint ${place} of the log is gone.`;
    },
  },
  {
    name: 'time-changed',
    title: 'Change the time of an entry',
    touches: [ENTRIES],
    run: (database, id) => {
      const isThere = database.run(
        'UPDATE chain_entries SET at = at - 86400000 WHERE chain_key = ? AND position = 1',
        [id],
      );
      if (!isThere) return null;
      return 'The column beside entry 1 says that it was made a day earlier.';
    },
  },
  {
    name: 'rolled-back',
    title: 'Put the whole database back to an earlier copy',
    touches: 'everything',
    run: (database) =>
      database.rollBack()
        ? 'Every table is as it was when the build had just been accepted by its performer: its delivery and its verdict are gone, with their entries, events and checkpoints.'
        : null,
  },
];
