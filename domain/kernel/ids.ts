/** A UUID in its canonical lowercase text form (RFC 9562). Ids made here are version 7: they sort by time. */
export type Uuid = string;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const ZERO_UUID: Uuid = '00000000-0000-0000-0000-000000000000';

export const isUuid = (text: string): boolean => UUID.test(text);

/** Where new ids come from. Each call gives another id, later ones sort after earlier ones of this process. */
export interface IdSource {
  next(): Uuid;
}
