import { unpacked, unpackedText } from '../../../adapters/sql/base/packed-bytes.ts';
import type { Body } from '../service/world.ts';

type Row = Readonly<Record<string, unknown>>;

/** The signed bytes of a row, which may be stored in less space. */
export const signedIn = (row: Row): Uint8Array => unpacked(row['cose_sign1'] as Uint8Array);

/** What an event says, by its row of the outbox. */
export const dataIn = (row: Row): Body => JSON.parse(unpackedText(String(row['data']))) as Body;

/** A value as it stands in a column, and what it means where that is something else. */
export const meaningsOf = (value: unknown): readonly Uint8Array[] => {
  const stored = bytesOf(value);
  const meant = meantBy(value);
  return meant === null || Buffer.compare(meant, stored) === 0 ? [stored] : [stored, meant];
};

/** What is signed is longer than its signature. Ids and hashes are not: to look into a million of them takes a minute. */
const SIGNATURE_BYTES = 64;

/** Null where it cannot be what is stored in less space: see adapters/sql/base/packed-bytes.ts. */
const meantBy = (value: unknown): Uint8Array | null => {
  if (value instanceof Uint8Array) return value.length > SIGNATURE_BYTES ? unpacked(value) : null;
  return typeof value === 'string' ? Buffer.from(unpackedText(value)) : null;
};

const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array
    ? value
    : Buffer.from(
        typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value),
      );
