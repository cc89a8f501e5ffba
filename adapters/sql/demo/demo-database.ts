import { generateKeyPairSync } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { unpacked } from '../base/packed-bytes.ts';
import { ATTACKS, type Attack } from './attacks.ts';

type Value = string | number | Uint8Array;
type Row = Readonly<Record<string, unknown>>;

/**
 * The database of a demo as somebody writes it who has the file and not the service: without triggers and without
 * foreign keys. Nothing of it is part of a service that somebody relies on.
 */
export class DemoDatabase {
  private readonly database: InstanceType<typeof DatabaseSync>;
  private turn: Promise<void> = Promise.resolve();
  /** The attack that is not put back yet: with two of them nobody could say which of the two was noticed. */
  private standing: {
    readonly attack: Attack;
    readonly recordId: string;
    readonly number: number;
  } | null = null;
  private count = 0;

  /** @param file of the embedded database, which the service has open as well */
  constructor(private readonly file: string) {
    // The service writes in this very thread, so to wait for it here would be to wait for ever.
    this.database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: false });
  }

  get attacks(): readonly Attack[] {
    return ATTACKS;
  }

  /** Which attack stands, counted from 1; null where none does. */
  get standingAttack(): number | null {
    return this.standing?.number ?? null;
  }

  /** Keeps the state of now, which the attack `rolled-back` puts back. @throws CONFLICT where one is kept. */
  keepCopy(): Promise<void> {
    return this.inTurn(async () => {
      if (existsSync(this.earlier))
        throw new NotaryError('CONFLICT', 'An earlier copy of this demo is kept already.');
      this.copyTo(this.earlier);
    });
  }

  /**
   * Changes the database. What it was before is kept for `restore`.
   *
   * @returns what was changed; null where nothing was.
   * @throws CONFLICT while another attack is not put back.
   */
  attack(attack: Attack, recordId: string): Promise<string | null> {
    return this.inTurn(async () => {
      if (this.standing)
        throw new NotaryError(
          'CONFLICT',
          'Another attack stands, so nobody could say which of the two was noticed: put the database back first.',
        );
      // Nothing of the service comes between the copy and the attack: it waits once, and then does both in one go.
      await this.begin();
      this.database.exec('ROLLBACK');
      this.copyTo(this.before);
      const changed = await this.from(this.earlier, () =>
        this.unguarded(() => attack.run(this, recordId)),
      );
      if (changed !== null) this.standing = { attack, recordId, number: ++this.count };
      return changed;
    });
  }

  /** Takes the attack back. @returns whether there was one. */
  restore(): Promise<boolean> {
    return this.inTurn(async () => {
      const { standing } = this;
      if (!standing) return false;
      await this.from(this.before, () =>
        this.unguarded(() => this.putBack(standing.attack.touches, standing.recordId)),
      );
      this.standing = null;
      return true;
    });
  }

  /** Nothing of an attack outlives the service. */
  close(): void {
    this.database.close();
    for (const file of [this.earlier, this.before]) rmSync(file, { force: true });
  }

  // What attacks are made of.

  /** @returns whether a row was changed. */
  run(sql: string, values: readonly Value[]): boolean {
    return Number(this.database.prepare(sql).run(...values).changes) > 0;
  }

  uuid(id: string): Uint8Array {
    return Buffer.from(id.replaceAll('-', ''), 'hex');
  }

  head(id: string): number | null {
    return numberIn(
      this.row('SELECT position FROM chain_heads WHERE chain_key = ?', [id]),
      'position',
    );
  }

  entry(
    id: string,
    position: number,
  ): {
    readonly position: number;
    readonly coseSign1: Uint8Array;
    readonly hash: Uint8Array;
  } | null {
    const row = this.row(
      'SELECT cose_sign1, hash FROM chain_entries WHERE chain_key = ? AND position = ?',
      [id, position],
    );
    return (
      row && {
        position,
        coseSign1: unpacked(row['cose_sign1'] as Uint8Array),
        hash: row['hash'] as Uint8Array,
      }
    );
  }

  record(id: string): { readonly status: string; readonly orgId: Uint8Array } | null {
    const row = this.row('SELECT status, org_id FROM records WHERE id = ?', [this.uuid(id)]);
    return row && { status: String(row['status']), orgId: row['org_id'] as Uint8Array };
  }

  otherOrg(orgId: Uint8Array): Uint8Array | null {
    const row = this.row('SELECT id FROM orgs WHERE id <> ? LIMIT 1', [orgId]);
    return row && (row['id'] as Uint8Array);
  }

  oldestCheckpoint(): number | null {
    return numberIn(
      this.row('SELECT MIN(log_index) AS oldest FROM vault_checkpoints', []),
      'oldest',
    );
  }

  otherPublicKey(): Uint8Array {
    return generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
  }

  rollBack(): boolean {
    if (!existsSync(this.earlier)) return false;
    this.fill();
    return true;
  }

  private get earlier(): string {
    return `${this.file}.earlier`;
  }

  private get before(): string {
    return `${this.file}.before-attack`;
  }

  private copyTo(file: string): void {
    rmSync(file, { force: true });
    this.run('VACUUM INTO ?', [file]);
  }

  private row(sql: string, values: readonly Value[]): Row | null {
    return (this.database.prepare(sql).get(...values) as Row | undefined) ?? null;
  }

  /** The rows that were touched, as they are in the attached copy. What the service wrote since stays. */
  private putBack(touches: Attack['touches'], recordId: string): void {
    if (touches === 'everything') return this.fill();
    for (const { table, by } of touches)
      this.run(
        `INSERT OR REPLACE INTO main.${table} SELECT * FROM copy.${table}${by === null ? '' : ` WHERE ${by} = ?`}`,
        by === null ? [] : [by === 'id' ? this.uuid(recordId) : recordId],
      );
    // What the service found of it is over.
    this.run('DELETE FROM rewind_findings WHERE chain_key = ?', [recordId]);
  }

  /** Every table as it is in the attached copy. */
  private fill(): void {
    const tables = this.names(
      "SELECT name FROM copy.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    for (const table of tables) {
      this.database.exec(`DELETE FROM main."${table}"`);
      this.database.exec(`INSERT INTO main."${table}" SELECT * FROM copy."${table}"`);
    }
  }

  private names(sql: string): readonly string[] {
    return this.database
      .prepare(sql)
      .all()
      .map((row) => String((row as Row)['name']));
  }

  /** One after the other: they share a connection. */
  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(act, act);
    this.turn = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }

  /** With a copy beside the database, where there is one. */
  private async from<T>(file: string, act: () => Promise<T>): Promise<T> {
    if (!existsSync(file)) return act();
    this.run('ATTACH ? AS copy', [file]);
    try {
      return await act();
    } finally {
      this.database.exec('DETACH copy');
    }
  }

  /** In one transaction, between two of the service, without the triggers that keep rows from being changed. */
  private async unguarded<T>(change: () => T): Promise<T> {
    await this.begin();
    try {
      const triggers = this.database
        .prepare("SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger'")
        .all() as readonly Row[];
      for (const { name } of triggers) this.database.exec(`DROP TRIGGER "${String(name)}"`);
      const changed = change();
      for (const { sql } of triggers) this.database.exec(String(sql));
      this.database.exec('COMMIT');
      return changed;
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }

  private async begin(): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        return this.database.exec('BEGIN IMMEDIATE');
      } catch (error) {
        if (attempt === ATTEMPTS || !/locked|busy/i.test(String(error))) throw error;
        await sleep(PAUSE_MS);
      }
  }
}

const ATTEMPTS = 500;
const PAUSE_MS = 10;

const numberIn = (row: Row | null, name: string): number | null => {
  const value = row?.[name];
  return typeof value === 'number' ? value : null;
};
