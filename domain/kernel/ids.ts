/** A UUID in its canonical lowercase text form (RFC 9562). Ids made here are version 7: they sort by time. */
export type Uuid = string;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const ZERO_UUID: Uuid = '00000000-0000-0000-0000-000000000000';

export const isUuid = (text: string): boolean => UUID.test(text);

/** When an id was made, ms since 1970, as an id of version 7 says (RFC 9562 section 5.7); null of any other. */
export const madeAt = (id: string): number | null =>
  isUuid(id) && id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;

/**
 * Creates new ids. Each call gives a different id, and ids of one process sort in the order of the
 * calls.
 */
export interface IdSource {
  next(): Uuid;
}
