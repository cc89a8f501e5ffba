/** A UUID in its canonical lowercase text form (RFC 9562). Ids made here are version 7: they sort by time. */
export type Uuid = string;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const ZERO_UUID: Uuid = '00000000-0000-0000-0000-000000000000';

export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * Creates new ids. Each call gives a different id, and ids of one process sort in the order of the
 * calls.
 */
export interface IdSource {
  next(): Uuid;
}
