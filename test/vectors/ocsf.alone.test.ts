import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, type EventType } from '../../domain/event/event-types.ts';
import type { NumberedEvent } from '../../domain/event/event.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { OCSF_ACTIVITIES, OCSF_TABLE } from '../../domain/siem/ocsf-table.ts';
import { siemLine } from '../../domain/siem/siem-line.ts';

const FOLDER = new URL('./ocsf/', import.meta.url);

const HUB = '019c1f00-0000-7000-8000-0000000000ff';
const ID = '019c1f00-0000-7000-8000-000000000001';
const AGENT = '019c1f00-0000-7000-8000-000000000002';
const RECORD = '019c1f00-0000-7000-8000-000000000003';
const LONG = `"\\é𝄞${'😀'.repeat(400)}`;

/** All that the data of some type has, at once. */
const data: JsonObject = {
  recordId: RECORD,
  type: 'report.weekly',
  version: 3,
  status: 'disabled',
  platform: null,
  actor: { kind: 'agent', agentId: AGENT },
  reason: 'unknown_key',
  count: 7,
  address: '203.0.113.0/24',
  signalId: ID,
  disputeId: ID,
  peerHubId: ID,
  witnessKeyId: ID,
  exportId: ID,
  aboutOrgId: ID,
  newKeyId: 'k'.repeat(64),
  name: LONG,
  requestId: 'r'.repeat(128),
};

const event = (type: EventType, members: Partial<NumberedEvent> = {}): NumberedEvent => ({
  id: ID,
  type,
  orgId: ID,
  counterpartyOrgId: null,
  partyAgentId: AGENT,
  counterpartyAgentId: null,
  recordId: type.startsWith('record.') ? RECORD : null,
  recordType: type.startsWith('record.') ? 'x'.repeat(96) : null,
  agentId: AGENT,
  data,
  createdAt: '2026-11-22T18:00:00.123Z',
  position: 1,
  sequence: 1,
  numberedAt: '2026-11-22T18:00:00.125Z',
  ...members,
});

const render = (one: NumberedEvent, maxBytes = 8192): string =>
  siemLine(one, { format: 'ocsf', source: { name: 'notary', hubId: HUB }, maxBytes });

describe('lines of OCSF 1.4.0', () => {
  const read = (file: string): JsonObject =>
    JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as JsonObject;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const schemas = new Map(
    (
      [
        [3001, 'account_change'],
        [3002, 'authentication'],
        [3004, 'entity_management'],
      ] as const
    ).map(([uid, name]) => [uid, ajv.compile(read(`${name}.schema.json`))]),
  );

  const faults = (line: string): unknown => {
    const parsed = JSON.parse(line) as JsonObject & { class_uid: number };
    const validate = schemas.get(parsed.class_uid as 3001)!;
    return validate(parsed) ? [] : validate.errors;
  };

  /** unmapped is the data as it is, nulls and all; nothing else may be null. */
  const nulls = (value: unknown, key = ''): readonly string[] => {
    if (value === null) return [key];
    if (typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([name, member]) =>
      name === 'unmapped' ? [] : nulls(member, `${key}/${name}`),
    );
  };

  const VARIANTS: readonly (readonly [string, (type: EventType) => NumberedEvent])[] = [
    ['whole', (type) => event(type)],
    ['with an unknown user', (type) => event(type, { agentId: null })],
    [
      'with the system as actor',
      (type) => event(type, { data: { ...data, actor: { kind: 'system', agentId: null } } }),
    ],
    ['with no data at all', (type) => event(type, { data: {}, agentId: null, orgId: null })],
    [
      'with an IPv6 block',
      (type) => event(type, { data: { ...data, address: '2001:db8:0:1::/64' } }),
    ],
    [
      'with an address that is none',
      (type) => event(type, { data: { ...data, address: 'unix socket' } }),
    ],
    ['with a long reason', (type) => event(type, { data: { ...data, reason: LONG } })],
  ];

  describe.each(VARIANTS)('%s', (_, make) => {
    it.each(EVENT_TYPES)('%s validates, and cut at 1,024 bytes too', (type) => {
      for (const maxBytes of [1_000_000, 1024]) {
        const line = render(make(type), maxBytes);
        expect(faults(line)).toEqual([]);
        expect(nulls(JSON.parse(line))).toEqual([]);
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(maxBytes);
        const { status_id, metadata } = JSON.parse(line) as {
          status_id: number;
          metadata: { uid: string; profiles: string[] };
        };
        expect(status_id).toBeGreaterThan(0);
        expect(metadata).toMatchObject({ uid: ID, version: '1.4.0', profiles: ['datetime'] });
      }
    });
  });

  it('the captions of classes and activities are those of the schema', () => {
    const { classes } = read('enums.json') as {
      classes: { [name: string]: { activity_id: { [id: string]: string } } };
    };
    for (const [uid, name] of [
      [3001, 'account_change'],
      [3002, 'authentication'],
      [3004, 'entity_management'],
    ] as const)
      expect(classes[name]!.activity_id).toMatchObject(OCSF_ACTIVITIES[uid]);
  });

  it('the schemas refuse what is wrong', () => {
    const { time: _, ...timeless } = JSON.parse(render(event('key.used'))) as JsonObject;
    expect(faults(JSON.stringify(timeless))).not.toEqual([]);
  });
});

it('each activity of the table has a caption', () => {
  for (const row of Object.values(OCSF_TABLE))
    for (const activity of [row.activity, ...(row.or ? [row.or.activity] : [])])
      expect(OCSF_ACTIVITIES[row.class]).toHaveProperty(String(activity));
});

describe('what a line says', () => {
  const shown = (one: NumberedEvent): JsonObject => JSON.parse(render(one)) as JsonObject;

  it('a counter-proposal is an update, the first proposal a creation', () => {
    const first = event('record.proposed', { data: { ...data, round: 1 } });
    const second = event('record.proposed', { data: { ...data, round: 2 } });
    expect([shown(first), shown(second)]).toMatchObject([
      { type_uid: 300401 },
      { type_uid: 300403 },
    ]);
  });

  it('refused authentication is a failure, with its reason, count and address', () => {
    expect(shown(event('auth.refused', { agentId: null }))).toMatchObject({
      class_uid: 3002,
      status_id: 2,
      severity_id: 3,
      status_code: 'unknown_key',
      count: 7,
      src_endpoint: { ip: '203.0.113.0' },
      user: { name: 'unknown' },
      service: { name: 'notary', uid: HUB },
    });
  });

  it('an activity without a number has its name', () => {
    expect(shown(event('key.rotated'))).toMatchObject({
      activity_id: 99,
      activity_name: 'rotated',
      type_uid: 300199,
    });
  });

  it('an actor is a user, or the service', () => {
    const own = event('vault.tamper_detected', { data: { actor: { kind: 'system' } } });
    expect(shown(event('key.minted'))['actor']).toMatchObject({ user: { uid: AGENT } });
    expect(shown(own)['actor']).toEqual({ app_name: 'notary', app_uid: HUB });
  });

  it('a raw line has type, payload, timestamp and id; cut, it names the record', () => {
    const raw = (maxBytes: number): JsonObject =>
      JSON.parse(
        siemLine(event('record.failed', { data: { ...data, reason: LONG } }), {
          format: 'raw',
          source: { name: 'notary', hubId: HUB },
          maxBytes,
        }),
      ) as JsonObject;
    expect(raw(8192)).toEqual({
      type: 'record.failed',
      payload: { ...data, reason: LONG },
      timestamp: '2026-11-22T18:00:00.123Z',
      id: ID,
    });
    expect(raw(1024)['payload']).toEqual({ truncated: true, recordId: RECORD });
  });

  it('cuts at the limit and not before, between characters', () => {
    const one = event('record.failed', { data: { reason: LONG } });
    const whole = Buffer.byteLength(render(one, 1_000_000));
    expect(JSON.parse(render(one, whole))).toMatchObject({ unmapped: { reason: LONG } });
    const cut = render(one, whole - 1);
    expect(JSON.parse(cut)).toMatchObject({ unmapped: { truncated: true, recordId: RECORD } });
    const short = render(one, 1024);
    expect(Buffer.byteLength(short)).toBeGreaterThan(1024 - 5);
    expect((JSON.parse(short) as { message: string }).message.isWellFormed()).toBe(true);
  });
});
