import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { SqlValue } from '../base/session.ts';
import type { RawRow, SealedTable } from './sealed-table.ts';

/** Where a MAC and the name of its key stand. */
export interface MacColumns {
  readonly row_key?: SqlValue;
  readonly row_mac?: SqlValue;
}

export interface NamedMac {
  readonly keyId: Uint8Array;
  readonly mac: Uint8Array;
}

/** A key that MACs rows, with the name under which a row says that it was used. */
export interface RowKey {
  /** 8 bytes, not secret. */
  readonly id: Uint8Array;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

interface NamedKey {
  readonly id: Uint8Array;
  readonly key: KeyObject;
}

/** HMAC-SHA256 (RFC 2104) over rows. The newest key seals, every key that is there verifies. */
export class RowMacs {
  /** The names of the keys that are there, the newest first. */
  readonly ids: readonly Uint8Array[];
  private readonly keys: ReadonlyMap<string, KeyObject>;
  private readonly newest: NamedKey | null;

  /** @param keys newest first; empty where nothing is read or written but the schema. */
  constructor(keys: readonly RowKey[]) {
    this.ids = keys.map(({ id }) => id);
    const opened = keys.map(({ id, secret }) => ({ id, key: createSecretKey(secret) }));
    this.keys = new Map(opened.map(({ id, key }) => [nameOf(id), key]));
    this.newest = opened[0] ?? null;
  }

  /** The name of the key that seals. @throws Error where there is none. */
  get newestId(): Uint8Array {
    if (!this.newest) throw new Error('there is no row key');
    return this.newest.id;
  }

  /** What goes into the last two columns of a row that changed. */
  resealed(table: SealedTable, row: RawRow): NamedMac {
    const { id, key } = this.required(table.name);
    return { keyId: id, mac: macOf(key, table.macTextOf(row)) };
  }

  /** A MAC over a text that is the text of no row: those begin with the name of their table. */
  sealText(text: string): NamedMac {
    const { id, key } = this.required('text');
    return { keyId: id, mac: macOf(key, text) };
  }

  /** The MAC of such a text under every key that is there, the newest first: rows that are found by their MAC. */
  everyMacOf(text: string): readonly Uint8Array[] {
    return [...this.keys.values()].map((key) => macOf(key, text));
  }

  /** The values of a row with the name of the key and the MAC in their last two places. */
  seal(table: SealedTable, values: readonly SqlValue[]): readonly SqlValue[] {
    const { id, key } = this.required(table.name);
    return [...values.slice(0, -2), id, macOf(key, table.macTextOfValues(values))];
  }

  /** Whether a key that is there sealed exactly this row. */
  holds(table: SealedTable, row: RawRow): boolean {
    return this.textHolds(row, table.macTextOf(row));
  }

  /** Whether a key that is there made this MAC over exactly this text. */
  textHolds({ row_key: id, row_mac: mac }: MacColumns, text: string): boolean {
    if (!(id instanceof Uint8Array) || !(mac instanceof Uint8Array) || mac.length !== 32)
      return false;
    const key = this.keys.get(nameOf(id));
    return key !== undefined && timingSafeEqual(macOf(key, text), mac);
  }

  private required(name: string): NamedKey {
    if (!this.newest) throw new Error(`a row of ${name} cannot be sealed without a row key`);
    return this.newest;
  }
}

const macOf = (key: KeyObject, text: string): Buffer =>
  createHmac('sha256', key).update(text, 'utf8').digest();

const nameOf = (id: Uint8Array): string => Buffer.from(id).toString('hex');
