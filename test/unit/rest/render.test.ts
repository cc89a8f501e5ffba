import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Links } from '../../../adapters/rest/links.ts';
import { renderOf } from '../../../adapters/rest/render.ts';
import { recordBindings } from '../../../adapters/rest/v1/records-bindings.ts';
import {
  JsonObjectSchema,
  NextStepSchema,
  orNull,
  RefusalSchema,
} from '../../../application/call/schemas.ts';

const STEP = {
  action: 'view',
  operation: 'getRecord',
  input: { recordId: 'r' },
  description: 'Read it',
};
const SHOWN_STEP = {
  action: 'view',
  method: 'GET',
  href: '/v1/records/r',
  description: 'Read it',
};
const REFUSAL = {
  code: 'INVALID_ACTION',
  detail: 'Not now.',
  members: { attemptedAction: 'accept', validTransitions: ['ACTIVE'] },
  requestId: 'r-1',
};
const context = {
  links: new Links(recordBindings),
  place: { requestId: 'r-2', instance: '/v1/records/bulk' },
};

const Thing = Type.Object({
  content: JsonObjectSchema,
  nextSteps: Type.Array(NextStepSchema),
  error: Type.Optional(RefusalSchema),
});
const render = renderOf(Type.Object({ data: Type.Array(Type.Object({ thing: orNull(Thing) })) }));

describe('what is marked', () => {
  it('is a step: it is shown with its method and path, however deep, and left out where there is none', () => {
    const steps = [STEP, { ...STEP, operation: 'exchangeGold' }];
    expect(
      render({ data: [{ thing: { content: {}, nextSteps: steps } }, { thing: null }] }, context),
    ).toEqual({
      data: [{ thing: { content: {}, nextSteps: [SHOWN_STEP] } }, { thing: null }],
    });
  });

  it('is a refusal: it is shown as a problem document, with the request that met it and the types of the path', () => {
    const problemOf = (problems?: { readonly INVALID_ACTION: 'UNPROCESSABLE_STATE' }): unknown =>
      renderOf(RefusalSchema)(REFUSAL, { ...context, problems });
    expect(problemOf()).toMatchObject({
      type: '/problems/invalid-action',
      status: 422,
      detail: 'Not now.',
      instance: '/v1/records/bulk',
      requestId: 'r-1',
      attemptedAction: 'accept',
    });
    const ofThePath = problemOf({ INVALID_ACTION: 'UNPROCESSABLE_STATE' });
    expect(ofThePath).toMatchObject({ code: 'UNPROCESSABLE_STATE', validTransitions: ['ACTIVE'] });
    expect(ofThePath).not.toHaveProperty('attemptedAction');
  });
});

describe('what is not marked', () => {
  it('stays as it is, also where a caller wrote what looks like a step or a refusal', () => {
    const content = {
      nextSteps: [STEP],
      error: REFUSAL,
      'x-shown-as': 'step',
      data: [{ thing: { nextSteps: [STEP] } }],
    };
    const view = { data: [{ thing: { content, nextSteps: [] } }] };
    const shown = render(view, context) as typeof view;
    expect(shown).toEqual(view);
    expect(shown.data[0]!.thing.content).toBe(content);
  });

  it('is given on itself where the schema marks nothing', () => {
    const view = { nextSteps: [STEP], error: REFUSAL };
    const schema = Type.Object({
      nextSteps: Type.Array(JsonObjectSchema),
      error: JsonObjectSchema,
    });
    expect(renderOf(schema)(view, context)).toBe(view);
  });

  it('is never changed in its place', () => {
    const view = { data: [{ thing: { content: {}, nextSteps: [STEP] } }] };
    const before = structuredClone(view);
    render(view, context);
    expect(view).toEqual(before);
  });
});
