import { expect, it } from 'vitest';
import { EVENT_DATA } from '../../../domain/event/event-data.ts';
import { EVENT_TYPES, type EventType } from '../../../domain/event/event-types.ts';
import type { NumberedEvent } from '../../../domain/event/event.ts';
import { entityOf } from '../../../domain/siem/ocsf-entity.ts';
import { OCSF_TABLE } from '../../../domain/siem/ocsf-table.ts';

const HUB = 'hub';
/** An event whose data has every member that its type promises, each of which says its own name. */
const eventOf = (type: EventType): NumberedEvent => ({
  id: 'id',
  type,
  orgId: null,
  counterpartyOrgId: null,
  partyAgentId: null,
  counterpartyAgentId: null,
  recordId: null,
  recordType: null,
  agentId: null,
  data: Object.fromEntries(
    Object.keys(EVENT_DATA[type]['properties'] as object).map((name) => [name, name]),
  ),
  createdAt: '2026-11-22T18:00:00.123Z',
  position: 1,
  sequence: 1,
  numberedAt: '2026-11-22T18:00:00.125Z',
});

/** They are about the hub itself. */
const OF_THE_HUB = ['provisioning.reconciled', 'vault.tamper_detected'];

it.each(
  EVENT_TYPES.filter((type) => OCSF_TABLE[type].class === 3004 && !OF_THE_HUB.includes(type)),
)('%s is about what its own data name', (type) => {
  expect(entityOf(eventOf(type), HUB).uid).not.toBe(HUB);
});

it('an event about an org names that org, whoever receives it', () => {
  const event = eventOf('admin.org_created');
  const data = { ...event.data, aboutOrgId: 'about', name: 'Org' };
  expect(entityOf({ ...event, orgId: 'receiver', data }, HUB)).toEqual({
    uid: 'about',
    type: 'org',
    name: 'Org',
  });
});
