import { expect, test } from 'vitest';
import { nearestName } from '../../../domain/kernel/nearest-name.ts';

const KNOWN = ['criteria', 'evidence', 'expiresAt', 'performerAgentId', 'now', 'type'];

test.each<[string, string | null]>([
  ['evidance', 'evidence'],
  ['evidnece', 'evidence'],
  ['Evidence', 'evidence'],
  ['performerAgentID', 'performerAgentId'],
  ['preformerAgentIds', 'performerAgentId'],
  ['expireAt', 'expiresAt'],
  ['tpye', 'type'],
  ['nwo', null],
  ['foo', null],
  ['deadline', null],
  ['', null],
  ['x'.repeat(5000), null],
])('near names only: %s gives %s', (name, near) => {
  expect(nearestName(name, KNOWN)).toBe(near);
});

test('of several near names the nearest, whatever their order', () => {
  expect(nearestName('webhookURL', ['webhookUri', 'webhookUrl'])).toBe('webhookUrl');
  expect(nearestName('webhookURL', ['webhookUrl', 'webhookUri'])).toBe('webhookUrl');
});
