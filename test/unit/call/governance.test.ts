import { expect, it } from 'vitest';
import { isGovernance } from '../../../application/call/access.ts';

it('what takes no scope governs only where it is named', () => {
  for (const id of ['createOrg', 'listOrgs', 'updateOrg', 'getWhoami', 'rotateKey'])
    expect(isGovernance(id, { scope: null })).toBe(true);
  expect(isGovernance('readAnything', { scope: null })).toBe(false);
  expect(isGovernance('readAnything', 'public')).toBe(false);
});

it('what takes scopes governs where all of them are administrative', () => {
  expect(isGovernance('mintApiKey', { scope: 'admin:keys' })).toBe(true);
  expect(isGovernance('either', { scope: ['admin:keys', 'records:read'] })).toBe(false);
});
