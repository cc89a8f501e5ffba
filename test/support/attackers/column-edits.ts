import { randomBytes } from 'node:crypto';
import type { Column, SqlValue } from './edited-hub.ts';

/** Values of closed lists: another word would be seen at once. */
const WORDS: readonly (readonly string[])[] = [
  ['FAILED', 'FULFILLED'],
  ['principal', 'performer'],
  ['auto', 'principal'],
  ['cleartext', 'encrypted'],
  ['none', 'all-fulfilled'],
  ['active', 'disabled', 'retired'],
];

/** Another value that the column could hold: what an attacker would write, not what cannot be read. */
/** Places in a log, which are taken next to each other. */
const PLACES: ReadonlySet<string> = new Set(['log_index', 'level', 'node_index', 'leaf_index']);

export const editOf = ({ type, name }: Column, value: SqlValue): SqlValue =>
  value === null ? invented(type, name) : changed(value, name);

const invented = (type: string, name: string): SqlValue => {
  if (name === 'awaiting') return 'gate';
  if (name === 'cancelled_by') return 'principal';
  if (name === 'counter_proposal')
    return JSON.stringify({
      criteria: {},
      criteriaHash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      message: null,
      proposedBy: { kind: 'system' },
      proposedAt: '2026-01-01T00:00:00.000Z',
    });
  // Of a record: that its performer is on another hub.
  if (name === 'federation')
    return JSON.stringify({
      role: 'home',
      peerHubId: '019c1f00-0000-7000-8000-00000000000b',
      recordId: null,
      performerAgentId: '019c1f00-0000-7000-8000-000000000004',
      sent: 1,
      received: 0,
      refusedSteps: 0,
      pendingStep: null,
      detached: null,
    });
  if (/BLOB|BINARY/.test(type)) return randomBytes(16);
  if (/INT/.test(type)) return 1;
  return 'other';
};

const changed = (value: Exclude<SqlValue, null>, name: string): SqlValue => {
  // A small number may be a flag.
  if (typeof value === 'number')
    return value < 2 && !name.endsWith('ordinal') && !PLACES.has(name) ? 1 - value : value + 1000;
  if (typeof value === 'string') {
    const words = WORDS.find((list) => list.includes(value));
    if (words) return words.find((word) => word !== value)!;
    if (value.startsWith('{')) return JSON.stringify({ ...(JSON.parse(value) as object), x: 1 });
    if (value.startsWith('[')) return value === '[]' ? '["other"]' : '[]';
    return `${value}x`;
  }
  const bytes = Uint8Array.from(value);
  bytes[bytes.length - 1]! ^= 1;
  return bytes;
};
