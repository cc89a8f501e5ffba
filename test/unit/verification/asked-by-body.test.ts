import { describe, expect, it } from 'vitest';
import { readA2aRequest } from '../../../domain/verification/co-signature/a2a-request.ts';
import { readMcpRequest } from '../../../domain/verification/co-signature/mcp-request.ts';

/** A co-signed request that the service refused is none that an operator may seal something with. */
const ID = '019c1f00-0000-7000-8000-00000000000A';
const tool = (name: string, given: object) =>
  readMcpRequest(
    JSON.parse(
      JSON.stringify({ method: 'tools/call', params: { name, arguments: given } }),
    ) as never,
    undefined,
  );
const skill = (operation: string, input: object, message = {}) =>
  readA2aRequest(
    JSON.parse(
      JSON.stringify({
        method: 'SendMessage',
        params: { message: { ...message, parts: [{ data: { skill: 's', operation, input } }] } },
      }),
    ) as never,
    undefined,
  );

describe('a co-signed body', () => {
  it('that names no record is not one for any record', () => {
    for (const name of ['accept_proposal', 'render_verdict', 'open_dispute', 'submit_completion'])
      for (const recordId of [undefined, null, 7, [ID]])
        expect(tool(name, { recordId })).toBeNull();
    expect(tool('act_on_record', { action: 'cancel' })).toBeNull();
    expect(skill('transitionRecord', { action: 'cancel' })).toBeNull();
    expect(readA2aRequest({ method: 'CancelTask', params: {} }, undefined)).toBeNull();
    expect(tool('accept_proposal', { recordId: ID })?.recordId).toBe(ID.toLowerCase());
    expect(skill('renderVerdict', {}, { taskId: ID })?.recordId).toBe(ID.toLowerCase());
    expect(tool('notarize', { type: 't' })?.recordId).toBeNull();
  });

  it('that names as a transition what is none asks for nothing', () => {
    for (const action of ['submit-completion', 'render-verdict', 'resolve-dispute', 'create', 'x'])
      for (const asked of [
        tool('act_on_record', { recordId: ID, action }),
        skill('transitionRecord', { recordId: ID, action }),
      ])
        expect(asked).toBeNull();
    expect(tool('act_on_record', { recordId: ID, action: 'cancel' })?.actions).toEqual(['cancel']);
  });
});
