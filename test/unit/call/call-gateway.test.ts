import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../application/call/attested.ts';
import type { Asked } from '../../../application/call/call.port.ts';
import type { CallContext } from '../../../application/call/call-context.ts';
import { listing, operation, type Operation } from '../../../application/call/operation.ts';
import type { Proofs } from '../../../application/call/proofs.ts';
import { PAGE_INPUT } from '../../../application/call/schemas.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { PlainAsked, PlainCall, PlainFrontEnd } from '../../support/stories/plain-front-end.ts';
import { refusalFrom } from '../../support/runner/refusal-of.ts';
import {
  CALLERS,
  createThing,
  gatewayOf,
  MemoryAnswers,
  THING,
  ThingInput,
  type Authentication,
  type Given,
} from './support.ts';

const BYTES = new TextEncoder().encode('{"name":"a"}');
const PROOFS: Proofs = { bytes: BYTES, coSignatures: () => [], subjectToken: 't', dpop: null };
const ROW = { ...THING, input: ThingInput };

const administer = operation({
  ...ROW,
  id: 'administer',
  access: () => ({ scope: null, roles: ['platform'] }),
});
/** Its scope depends on what is done. */
const act = operation({
  ...ROW,
  id: 'act',
  access: ({ name }) => ({
    scope:
      name === undefined
        ? ['records:read', 'records:write']
        : name === 'look'
          ? 'records:read'
          : 'records:write',
  }),
});
const publish = operation({ ...ROW, id: 'publish', access: () => 'public' });
const change = operation({
  ...ROW,
  id: 'change',
  access: () => ({ scope: null }),
  isVersioned: true,
  target: ({ name }) => (typeof name === 'string' ? { kind: 'thing', id: name } : null),
});
const createMany = operation({
  ...ROW,
  id: 'createMany',
  access: () => ({ scope: 'records:write' }),
  budget: 'records-create',
  input: Type.Object(
    { items: Type.Unsafe<readonly unknown[]>({ type: 'array', items: {}, minItems: 1 }) },
    { additionalProperties: false },
  ),
  cost: ({ items }) => items.length,
});
const ALL: readonly Operation[] = [createThing, administer, act, publish, change, createMany];

const open = (given: Given = {}): PlainFrontEnd =>
  new PlainFrontEnd(gatewayOf({ operations: ALL, ...given }), ALL);
const ask = (operation: string, credential: string | undefined, input: object = { name: 'a' }) => ({
  operation,
  credential,
  input,
});
const codeOf = async (act: Promise<unknown>): Promise<string> => (await refusalFrom(act)).code;

/** Writes down what of the call is read, in order. */
const traced = (trace: string[], input: object = { name: 'a' }, key?: string): Asked => {
  const plain = new PlainAsked({ input, key, proofs: PROOFS });
  const read = <T>(part: string, value: T): T => {
    trace.push(part);
    return value;
  };
  return {
    known: () => read('known', plain.known()),
    proofs: () => read('proofs', plain.proofs()),
    key: () => read('key', plain.key()),
    expectedVersions: () => read('expected versions', plain.expectedVersions()),
    input: () => read('input', plain.input()),
  };
};

/** One call whose reading is written down; every part of the gateway writes too. */
const trace = async (
  target: Operation,
  credential: string | undefined,
  given: Given = {},
  input?: object,
  key?: string,
): Promise<readonly string[]> => {
  const steps: string[] = [];
  const gateway = gatewayOf({
    operations: ALL,
    attest: {
      attest: async () => {
        steps.push('attested');
        return {};
      },
    },
    act: () => steps.push('acted'),
    ...given,
  });
  const bound = gateway.bind({
    operation: target,
    parts: [{ noun: 'It', memberNoun: 'member', schema: target.input, hasHelp: false }],
  });
  try {
    const call = new PlainCall({ credential }, 'r');
    const admission = await gateway.admit(call, bound.access, bound.budget);
    steps.push('admitted');
    gateway.permit(admission, bound.access);
    steps.push('permitted');
    await gateway.perform(admission, bound, traced(steps, input, key));
  } catch (error) {
    if (!(error instanceof NotaryError)) throw error;
    steps.push(error.code);
  }
  return steps;
};

const READ = ['admitted', 'permitted', 'proofs', 'attested', 'key'];

describe('the order of a call', () => {
  it('is admission, permission, proofs, key, versions, input, use case', async () => {
    expect(await trace(createThing, 'writer')).toEqual([...READ, 'input', 'acted']);
    expect(await trace(change, 'writer')).toEqual([...READ, 'expected versions', 'input', 'acted']);
  });

  it('401, 429 and 403 come before anything of the input is asked', async () => {
    expect(await trace(createThing, 'nobody')).toEqual(['UNAUTHORIZED']);
    expect(await trace(createThing, undefined)).toEqual(['UNAUTHORIZED']);
    expect(await trace(createThing, 'reader')).toEqual(['admitted', 'INSUFFICIENT_SCOPE']);
    expect(await trace(administer, 'admin')).toEqual(['admitted', 'FORBIDDEN']);
    const tired = open({ limits: { agent: 1 } });
    await refusalFrom(tired.perform(ask('createThing', 'reader')));
    expect(await codeOf(tired.perform(ask('createThing', 'reader')))).toBe('RATE_LIMITED');
    expect(await codeOf(tired.perform(ask('createThing', 'nobody')))).toBe('UNAUTHORIZED');
  });

  it('a front-end that did not ask for the permission is refused by perform, which reads nothing before', async () => {
    const steps: string[] = [];
    const gateway = gatewayOf();
    const bound = gateway.bind({
      operation: createThing,
      parts: [{ noun: 'It', memberNoun: 'member', schema: ThingInput, hasHelp: false }],
    });
    const call = new PlainCall({ credential: 'reader' }, 'r');
    const admission = await gateway.admit(call, bound.access, 'default');
    expect(await codeOf(gateway.perform(admission, bound, traced(steps)))).toBe(
      'INSUFFICIENT_SCOPE',
    );
    expect(steps).toEqual([]);
  });

  it('a proof that does not hold is told before the key and the input', async () => {
    const attest = { attest: () => Promise.reject(new NotaryError('UNAUTHORIZED', 'no')) };
    expect(await trace(createThing, 'writer', { attest }, { nope: 1 })).toEqual([
      'admitted',
      'permitted',
      'proofs',
      'UNAUTHORIZED',
    ]);
  });

  it('a key of a wrong length is told before the input', async () => {
    for (const key of ['', 'k'.repeat(257)])
      expect(await trace(createThing, 'writer', {}, {}, key)).toEqual([
        ...READ,
        'VALIDATION_ERROR',
      ]);
    expect(await trace(createThing, 'writer', {}, undefined, 'k'.repeat(256))).toContain('acted');
  });

  it('the shape comes before the use case, and before the permission for this very action', async () => {
    expect(await trace(createThing, 'writer', {}, { nope: 1 })).toEqual([
      ...READ,
      'input',
      'VALIDATION_ERROR',
    ]);
    expect(await trace(act, 'reader', {}, { nope: 1 })).toEqual([
      ...READ,
      'input',
      'VALIDATION_ERROR',
    ]);
    expect(await trace(act, 'reader', {}, { name: 'do' })).toEqual([
      ...READ,
      'input',
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await trace(act, 'reader', {}, { name: 'look' })).toEqual([...READ, 'input', 'acted']);
  });
});

describe('a refusal for the credential', () => {
  it('names the missing scopes, any one of which would do', async () => {
    const { members } = await refusalFrom(open().perform(ask('act', 'platform')));
    expect(members.missingScopes).toEqual(['records:read', 'records:write']);
  });

  it('names the role', async () => {
    const { message, members } = await refusalFrom(open().perform(ask('administer', 'admin')));
    expect(members.allowedActors).toEqual(['platform']);
    expect(message).toContain('platform');
    expect((await open().perform(ask('administer', 'platform'))).isReplay).toBe(false);
  });
});

describe('items', () => {
  const many = (count: number) => ({ items: Array.from({ length: count }, () => 1) });

  it('beyond the first are charged after the shape and before the use case, and only those', async () => {
    let acted = 0;
    const calls = open({ limits: { recordsCreate: 5 }, act: () => acted++ });
    await calls.perform(ask('createMany', 'writer', many(3)));
    expect(await codeOf(calls.perform(ask('createMany', 'writer', { items: [] })))).toBe(
      'VALIDATION_ERROR',
    );
    // A call that was refused made nothing, so two are left.
    expect(await codeOf(calls.perform(ask('createMany', 'writer', many(3))))).toBe('RATE_LIMITED');
    await calls.perform(ask('createMany', 'writer', many(2)));
    expect(acted).toBe(2);
  });

  it('of a repetition are charged again', async () => {
    let acted = 0;
    const calls = open({ limits: { recordsCreate: 8 }, act: () => acted++ });
    const keyed = { ...ask('createMany', 'writer', many(3)), key: 'k' };
    await calls.perform(keyed);
    expect((await calls.perform(keyed)).isReplay).toBe(true);
    expect(await codeOf(calls.perform(keyed))).toBe('RATE_LIMITED');
    expect(acted).toBe(1);
  });
});

describe('a call whose operation is named by its input', () => {
  const admitted = async (limits: Given['limits']) => {
    const gateway = gatewayOf({ operations: ALL, ...(limits ? { limits } : {}) });
    const call = new PlainCall({ credential: 'writer' }, 'r');
    return { gateway, call, admission: await gateway.admit(call, { scope: null }, 'default') };
  };

  it('counts in the window of creations once it is known to be one, and in no other again', async () => {
    const { gateway, call, admission } = await admitted({ agent: 10, recordsCreate: 1 });
    void gateway.chargeKnown(admission, change);
    expect(call.allowance?.decision).toMatchObject({ limit: 10, remaining: 9 });
    void gateway.chargeKnown(admission, { budget: 'records-create' });
    expect(call.allowance?.decision).toMatchObject({ limit: 1, remaining: 0 });
    expect(() => gateway.chargeKnown(admission, { budget: 'records-create' })).toThrow(
      'records-create',
    );
  });

  it('is one of several that came at once: each further one is a call', async () => {
    const { gateway, call, admission } = await admitted({ agent: 3 });
    void gateway.chargeNext(admission, change);
    expect(call.allowance?.decision).toMatchObject({ limit: 3, remaining: 1 });
    void gateway.chargeNext(admission, change);
    expect(() => gateway.chargeNext(admission, change)).toThrow('RATE_LIMIT_AGENT');
  });

  it('seals the item that it is', async () => {
    const block = { coverage: 'body' } as const;
    const heard: unknown[] = [];
    const gateway = gatewayOf({
      operations: ALL,
      attest: { attest: async () => ({ coSigned: { id: 'c', block, body: BYTES } as never }) },
      act: (_, { coSigned }) => void heard.push(coSigned?.block),
    });
    const bound = gateway.bind({
      operation: createThing,
      parts: [{ noun: 'It', memberNoun: 'member', schema: ThingInput, hasHelp: false }],
    });
    const asked = new PlainAsked({ input: { name: 'a' }, proofs: PROOFS });
    const admission = { call: new PlainCall({}, 'r'), caller: CALLERS.get('writer')! };
    await gateway.perform(admission, bound, asked);
    await gateway.perform(admission, bound, Object.assign(asked, { item: () => 2 }));
    expect(heard).toEqual([block, { ...block, item: 2 }]);
  });
});

describe('what a use case is told', () => {
  const contextOf = async (
    options: Parameters<PlainFrontEnd['perform']>[0],
    given: Given = {},
  ): Promise<CallContext> => {
    let seen: CallContext | undefined;
    await open({ ...given, act: (_input, context) => (seen = context) && null }).perform(options);
    return seen!;
  };

  it('is who calls and under which request id, and no more where there is no more', async () => {
    expect(await contextOf({ ...ask('createThing', 'writer'), requestId: 'r-1' })).toEqual({
      requestId: 'r-1',
      caller: CALLERS.get('writer'),
    });
  });

  it('is what the caller proved', async () => {
    const onBehalfOf = {
      subject: { iss: 'i', sub: 's' },
      validated: true,
      provenance: 'token_exchange',
      act: [],
    } as const;
    const context = await contextOf(
      { ...ask('createThing', 'writer'), proofs: PROOFS },
      { attest: { attest: () => Promise.resolve({ onBehalfOf }) } },
    );
    expect(context.onBehalfOf).toBe(onBehalfOf);
  });

  it('is which versions are expected, where the operation takes them', async () => {
    const expectedVersions = [3, 4];
    expect(await contextOf({ ...ask('change', 'writer'), expectedVersions })).toMatchObject({
      expectedVersions,
    });
    expect(
      await contextOf({ ...ask('createThing', 'writer'), expectedVersions }),
    ).not.toHaveProperty('expectedVersions');
  });

  it('is a proof of possession on a call without a credential, and never a key', async () => {
    const dpop = { proof: 'p', method: 'POST', url: 'u' };
    const asked = { ...ask('publish', undefined), proofs: { ...PROOFS, dpop }, key: 'k' };
    expect(await contextOf({ ...asked, requestId: 'r-1' })).toEqual({ requestId: 'r-1', dpop });
  });
});

describe('proofs', () => {
  const asked: unknown[][] = [];
  const attest = {
    attest: (_caller: unknown, proofs: unknown, { effect, target }: Attempt) => {
      asked.push([proofs, effect, target()]);
      return Promise.resolve({});
    },
  };

  it('are not looked for where none is brought and none can be demanded', async () => {
    asked.length = 0;
    const authentication: Authentication = {
      authenticate: async () => ({ ...CALLERS.get('writer')!, orgId: null }),
    };
    await open({ attest, authentication }).perform(ask('change', 'any'));
    expect(asked).toEqual([]);
    await open({ attest }).perform(ask('change', 'writer', { name: 'x' }));
    expect(asked).toEqual([[null, 'write', { kind: 'thing', id: 'x' }]]);
  });

  it('are demanded of a certificate, for what the call acts on', async () => {
    asked.length = 0;
    const cert = { id: 'c', thumbprint: 't', expiresAt: '', publicKey: new Uint8Array(32) };
    const authentication: Authentication = {
      authenticate: async () => ({ ...CALLERS.get('writer')!, cert }),
    };
    await open({ attest, authentication }).perform(ask('change', 'any', { name: 'x' }));
    expect(asked).toEqual([[null, 'write', { kind: 'thing', id: 'x' }]]);
  });
});

describe('a call without a key', () => {
  it('computes no fingerprint and looks for no answer', async () => {
    const answers = new MemoryAnswers();
    let targets = 0;
    const counted = operation({
      ...ROW,
      id: 'counted',
      access: () => ({ scope: null }),
      target: () => {
        targets++;
        return null;
      },
    });
    const gateway = gatewayOf({ answers, operations: [counted] });
    const calls = new PlainFrontEnd(gateway, [counted]);
    await calls.perform(ask('counted', 'writer'));
    expect([answers.found, answers.kept.size, targets]).toEqual([0, 0, 0]);
    await calls.perform({ ...ask('counted', 'writer'), key: 'k' });
    expect([answers.found, answers.kept.size, targets]).toEqual([1, 1, 1]);
  });
});

describe('a call under a key', () => {
  it('acts once, and is not answered to whoever may not ask any more', async () => {
    let acted = 0;
    const calls = open({ act: () => ++acted });
    const keyed = { ...ask('createThing', 'writer'), key: 'k' };
    expect(await calls.perform(keyed)).toEqual({ shown: { view: 1 }, isReplay: false });
    expect(await calls.perform(keyed)).toEqual({ shown: { view: 1 }, isReplay: true });
    expect(await codeOf(calls.perform({ ...keyed, credential: 'reader' }))).toBe(
      'INSUFFICIENT_SCOPE',
    );
  });

  it('that is malformed does not use the key up', async () => {
    const calls = open();
    const keyed = { ...ask('createThing', 'writer', { nope: 1 }), key: 'k' };
    expect(await codeOf(calls.perform(keyed))).toBe('VALIDATION_ERROR');
    expect(await calls.perform({ ...keyed, input: { name: 'a' } })).toMatchObject({
      isReplay: false,
    });
  });

  it('with another input is refused only after the shape', async () => {
    const calls = open();
    const keyed = { ...ask('createThing', 'writer'), key: 'k' };
    await calls.perform(keyed);
    expect(await codeOf(calls.perform({ ...keyed, input: { nope: 1 } }))).toBe('VALIDATION_ERROR');
    expect(await codeOf(calls.perform({ ...keyed, input: { name: 'b' } }))).toBe('UNPROCESSABLE');
  });
});

describe('a listing', () => {
  const listThings = listing({
    ...ROW,
    id: 'listThings',
    access: () => ({ scope: null }),
    input: Type.Object(
      { name: Type.Optional(Type.String()), ...PAGE_INPUT },
      { additionalProperties: false },
    ),
    view: (asked, guide) => ({ view: { asked, next: guide.cursor({ key: 'k', id: 'i' }) } }),
  });
  const calls = new PlainFrontEnd(gatewayOf({ operations: [listThings] }), [listThings]);
  const list = async (input: object, credential = 'writer') =>
    (await calls.perform(ask('listThings', credential, input))).shown.view as {
      readonly asked: unknown;
      readonly next: string;
    };

  it('gives its use case the slice in the place of limit and cursor', async () => {
    expect((await list({ name: 'a' })).asked).toEqual({
      name: 'a',
      slice: { limit: 50, after: null },
    });
  });

  it('goes on by its cursor for the same caller and filters, and for no other', async () => {
    const { next: cursor } = await list({ name: 'a' });
    expect((await list({ name: 'a', limit: 10, cursor })).asked).toEqual({
      name: 'a',
      slice: { limit: 10, after: { key: 'k', id: 'i' } },
    });
    expect(await codeOf(list({ name: 'b', cursor }))).toBe('VALIDATION_ERROR');
    expect(await codeOf(list({ cursor }))).toBe('VALIDATION_ERROR');
    expect(await codeOf(list({ name: 'a', cursor }, 'other'))).toBe('VALIDATION_ERROR');
    expect(await codeOf(list({ cursor: 'nonsense' }))).toBe('VALIDATION_ERROR');
  });
});
