import { unpacked, unpackedText } from '../../adapters/sql/packed-bytes.ts';
import type { Body } from './world.ts';

type Row = Readonly<Record<string, unknown>>;

/** The signed bytes of a row, which may be stored in less space. */
export const signedIn = (row: Row): Uint8Array => unpacked(row['cose_sign1'] as Uint8Array);

/** What an event says, by its row of the outbox. */
export const dataIn = (row: Row): Body => JSON.parse(unpackedText(String(row['data']))) as Body;

/** A value as it stands in a column, and what it means where that is something else. */
export const meaningsOf = (value: unknown): readonly Uint8Array[] => {
  const stored = bytesOf(value);
  const meant =
    value instanceof Uint8Array
      ? unpacked(value)
      : Buffer.from(typeof value === 'string' ? unpackedText(value) : '');
  return meant.length === 0 || Buffer.compare(meant, stored) === 0 ? [stored] : [stored, meant];
};

const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array
    ? value
    : Buffer.from(
        typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value),
      );
