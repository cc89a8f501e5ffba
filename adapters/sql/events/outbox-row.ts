import type { DomainEvent, NumberedEvent } from '../../../domain/event/event.ts';
import type { SqlValue } from '../base/session.ts';
import { hexFromSql, timeFromSql } from '../base/values.ts';
import {
  BYTES,
  INSTANT,
  INTEGER,
  nullable,
  oneOf,
  packedJson,
  TEXT,
  UUID,
} from '../tables/codec.ts';
import type { RowOf } from '../tables/column-map.ts';
import { column, derived, optional, written } from '../tables/column.ts';
import type { MacColumns, RowMacs } from '../tables/row-macs.ts';
import { sealedTable } from '../tables/sealed-table.ts';

const NUMBER_COLUMNS = ['sequence', 'numbered_at', 'number_key', 'number_mac'] as const;

const none = () => null;

/**
 * The MAC is over all that will be sent and over who may get it. The columns of the number are not under it: they are
 * NULL until the event is numbered, and have a MAC of their own. Nor is the place in a trace, which decides nothing: while
 * nodes of two versions run, the older one knows no such column, and the MAC must hold for it as well.
 */
export const OUTBOX = sealedTable(
  'outbox',
  {
    id: column('id', UUID),
    type: column('type', oneOf<DomainEvent['type']>()),
    orgId: column('org_id', nullable(UUID)),
    counterpartyOrgId: column('counterparty_org_id', nullable(UUID)),
    partyAgentId: column('party_agent_id', nullable(UUID)),
    counterpartyAgentId: column('counterparty_agent_id', nullable(UUID)),
    recordId: column('record_id', nullable(UUID)),
    recordType: column('record_type', nullable(TEXT)),
    agentId: column('agent_id', nullable(UUID)),
    data: column('data', packedJson<DomainEvent['data']>()),
    createdAt: column('created_at', INSTANT),
    position: column('position', nullable(INTEGER)),
    traceparent: optional('traceparent', TEXT),
    // The order within the change.
    ordinal: written('ordinal', INTEGER),
    sequence: derived(NUMBER_COLUMNS[0], nullable(INTEGER), none),
    numberedAt: derived(NUMBER_COLUMNS[1], nullable(INTEGER), none),
    numberKey: derived(NUMBER_COLUMNS[2], nullable(BYTES), none),
    numberMac: derived(NUMBER_COLUMNS[3], nullable(BYTES), none),
  },
  { except: [...NUMBER_COLUMNS, 'traceparent'] },
);

export type OutboxRow = RowOf<typeof OUTBOX>;

/** In the place of its type: of this event nothing is known any more but its id and its number. Nobody is shown it. */
export const FORGOTTEN = 'forgotten';

export const NAMES_NOBODY = {
  org_id: null,
  counterparty_org_id: null,
  party_agent_id: null,
  counterparty_agent_id: null,
  record_id: null,
  record_type: null,
  agent_id: null,
  traceparent: null,
} as const;
/**
 * No number is greater. What somebody else wrote beyond it, text and infinity among it, no reader meets: it would stand
 * before every number that is.
 */
export const GREATEST = Number.MAX_SAFE_INTEGER;

/** The greatest number that an event has; null where none has one. */
export const NEWEST_NUMBER = `SELECT MAX(sequence) AS newest FROM outbox WHERE sequence <= ${GREATEST}`;

/** What gives an event its place. */
export interface EventNumber {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly numberedAt: number;
}

/** The values of the columns of a number, by name, with the MAC that binds it to the event. */
export const numberColumns = (
  macs: RowMacs,
  id: Uint8Array,
  { sequence, numberedAt }: EventNumber,
): Readonly<Record<(typeof NUMBER_COLUMNS)[number], SqlValue>> => {
  const { keyId, mac } = macs.sealText(textOf(id, sequence, numberedAt));
  return { sequence, numbered_at: numberedAt, number_key: keyId, number_mac: mac };
};

/** Whether this event was given this number by the service. */
export const numberHolds = (
  macs: RowMacs,
  row: Pick<OutboxRow, 'id' | (typeof NUMBER_COLUMNS)[number]>,
): boolean =>
  row.id instanceof Uint8Array &&
  macs.textHolds(
    { row_key: row.number_key, row_mac: row.number_mac } satisfies MacColumns,
    textOf(row.id, row.sequence, row.numbered_at),
  );

/** Whether it has the number that the service gave it, or none was given. */
export const numberIsGenuine = (macs: RowMacs, row: OutboxRow): boolean =>
  NUMBER_COLUMNS.every((name) => row[name] === null) || numberHolds(macs, row);

const textOf = (id: Uint8Array, sequence: number | null, numberedAt: number | null): string =>
  `number of an event\n${hexFromSql(id)}\n${sequence}\n${numberedAt}\n`;

/** The places of the columns of a number among the values of a row. */
export const NUMBER_PLACES = NUMBER_COLUMNS.map(
  (name) => [name, OUTBOX.columns.indexOf(name)] as const,
);

export const numberedFromRow = (row: OutboxRow): NumberedEvent => ({
  ...OUTBOX.fromRow(row),
  sequence: Number(row.sequence),
  numberedAt: timeFromSql(Number(row.numbered_at)),
});

/** The newest number, and when it was given. Beside it, in the same form, up to which number old events are forgotten. */
export const EVENT_COUNTER = sealedTable('event_counter', {
  id: column('id', UUID),
  last: column('last', INTEGER),
  numberedAt: column('numbered_at', INTEGER),
});
