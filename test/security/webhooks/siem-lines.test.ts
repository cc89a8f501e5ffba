import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../domain/event/event-types.ts';
import type { NumberedEvent } from '../../../domain/event/event.ts';
import { SIEM_FORMATS, siemLine } from '../../../domain/siem/siem-line.ts';

// Free text of clients in the lines that a SIEM reads.

/** Where Python's splitlines, Java's readers and old viewers end a line, and what a terminal obeys. */
const SEPARATORS = '\n\r\u000b\u000c\u001c\u001d\u001e\u0085\u2028\u2029';
const CONTROLS = `\u0000\u001b\u007f\u009b${SEPARATORS}`;
const HOSTILE = [
  CONTROLS,
  `"}\n{"type":"forged","id":"1"}`,
  "=cmd|'/C calc'!A0",
  '\\'.repeat(300),
  '"'.repeat(300),
  '\u2028'.repeat(400),
  '\u{1f600}'.repeat(400),
  `${'x'.repeat(95)}\u{1f600}`,
  `${'x'.repeat(63)}\u{1f600}`,
  '\u202e\u2066gpj.exe',
  'é'.repeat(2_000),
];
const ID = '019c1f00-0000-7000-8000-000000000001';

const event = (type: NumberedEvent['type'], text: string): NumberedEvent => ({
  id: ID,
  type,
  orgId: ID,
  counterpartyOrgId: null,
  partyAgentId: null,
  counterpartyAgentId: null,
  recordId: type.startsWith('record.') ? ID : null,
  recordType: text,
  agentId: ID,
  data: Object.fromEntries(
    ['name', 'type', 'reason', 'version', 'manifestDigest', 'chainKey', 'issuerUrl', 'status']
      .map((member) => [member, text] as const)
      .concat([['requestId', 'r'.repeat(128)]]),
  ),
  createdAt: '2026-11-22T18:00:00.123Z',
  position: 1,
  sequence: 1,
  numberedAt: '2026-11-22T18:00:00.125Z',
});

describe.each(SIEM_FORMATS)('lines of hostile text as %s', (format) => {
  const source = { name: 'notary', hubId: ID };

  it.each(EVENT_TYPES)(
    '%s is one line for every reader, of the event alone, and as long as is allowed',
    (type) => {
      for (const text of HOSTILE)
        for (const maxBytes of [1_024, 1_025, 1_500, 100_000]) {
          const line = siemLine(event(type, text), { format, source, maxBytes });
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(maxBytes);
          expect(line.endsWith('\n')).toBe(true);
          const body = line.slice(0, -1);
          for (const one of CONTROLS) expect(body).not.toContain(one);
          expect(line.isWellFormed()).toBe(true);
          const parsed = JSON.parse(body) as { payload?: unknown; unmapped?: unknown };
          if (maxBytes === 100_000)
            expect(parsed.payload ?? parsed.unmapped).toEqual(event(type, text).data);
          // A lone surrogate would stand in it as an escape.
          expect(JSON.stringify(parsed)).not.toMatch(/\\ud[89a-f]/);
        }
    },
  );
});
