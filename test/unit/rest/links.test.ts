import { describe, expect, it } from 'vitest';
import { transitionBindings } from '../../../adapters/rest/v1/transition-bindings.ts';
import { completionBindings, recordBindings } from '../../../adapters/rest/v1/records-bindings.ts';
import { fillPath, Links } from '../../../adapters/rest/links.ts';
import type { NextStep } from '../../../application/call/guide.ts';

const links = new Links([...recordBindings, ...completionBindings, ...transitionBindings]);
const step = (operation: string, input: NextStep['input']): NextStep => ({
  action: 'act',
  operation,
  input,
  description: 'Do it',
});

describe('a step', () => {
  it('is shown by the path that fixes the most of what it says', () => {
    expect(links.show(step('transitionRecord', { recordId: 'r', action: 'cancel' }))).toEqual({
      action: 'act',
      method: 'POST',
      href: '/v1/records/r/cancel',
      description: 'Do it',
    });
  });

  it('says what the body is where the path does not name the action', () => {
    const input = { recordId: 'r', action: 'propose', performerAgentId: '...' };
    expect(links.show(step('transitionRecord', input))).toEqual({
      action: 'act',
      method: 'POST',
      href: '/v1/records/r/transition',
      description: 'Do it; the body is {"action": "propose", "performerAgentId": "..."}',
    });
  });

  it('keeps everything else that it says', () => {
    const more = { workflowStep: 2, workflowTotal: 4, workflowLabel: 'Agree', afterThis: 'Wait.' };
    expect(links.show({ ...step('getRecord', { recordId: 'r' }), ...more })).toEqual({
      action: 'act',
      method: 'GET',
      href: '/v1/records/r',
      description: 'Do it',
      ...more,
    });
  });

  it('says nothing of the body where the path takes another one', () => {
    expect(links.show(step('createRecord', { parentRecordId: 'r' }))).toMatchObject({
      href: '/v1/records',
      description: 'Do it',
    });
  });

  it('that leads to no path is none', () => {
    expect(links.show(step('exchangeGold', { recordId: 'r' }))).toBeUndefined();
  });
});

it('a path is filled with escapes, and keeps what is not known', () => {
  expect(fillPath('/v1/{a}/{b}', { a: 'x/y z' })).toBe('/v1/x%2Fy%20z/{b}');
});
