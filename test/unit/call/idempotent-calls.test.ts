import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { IdempotencyClaim } from '../../../application/call/call-context.ts';
import {
  IdempotentCalls,
  type KeyedCall,
  type CallOutcome,
} from '../../../application/call/idempotent-calls.ts';
import { KeptRefusal } from '../../../application/call/kept-outcome.ts';
import { operation } from '../../../application/call/operation.ts';
import { IdempotencyConflict } from '../../../application/call/idempotent-transaction.ts';
import { NotaryError, type ErrorCode } from '../../../domain/kernel/errors.ts';
import { refusalFrom } from '../../support/runner/refusal-of.ts';
import { CALLERS, createThing, DoThing, MemoryAnswers } from './support.ts';

const changeThing = operation({
  id: 'changeThing',
  words: { summary: 'Change', group: 'Things' },
  effect: 'write',
  access: () => 'public',
  input: Type.Object({ thingId: Type.String() }),
  target: ({ thingId }) => ({ kind: 'thing', id: String(thingId) }),
  output: Type.Unsafe<unknown>({}),
  result: { description: 'Changed', example: null },
  useCase: DoThing,
  view: (view) => ({ view }),
});
const CALL: KeyedCall = {
  key: 'k',
  caller: CALLERS.get('writer')!,
  operation: createThing,
  input: { name: 'a' },
  requestId: 'r-1',
};

/** Runs calls, and counts how often one really acted. */
class Runner {
  acted = 0;
  readonly calls: IdempotentCalls;

  constructor(
    readonly answers = new MemoryAnswers(),
    private readonly act: () => unknown = () => ({ done: true }),
  ) {
    this.calls = new IdempotentCalls(answers);
  }

  run(call: Partial<KeyedCall> = {}): Promise<CallOutcome> {
    return this.calls.run(
      { ...CALL, ...call },
      async (once: IdempotencyClaim) => {
        this.acted++;
        const result = await this.act();
        await this.answers.keep(once, once.keep(result));
        return result;
      },
      (view) => ({ view, version: 7, isNew: true }),
    );
  }
}

describe('a repetition', () => {
  it('is given what was shown, whole, and acts no more', async () => {
    const runner = new Runner();
    const shown = { view: { done: true }, version: 7, isNew: true };
    expect(await runner.run()).toEqual({ shown, isReplay: false });
    expect(await runner.run()).toEqual({ shown, isReplay: true });
    expect(runner.acted).toBe(1);
  });

  it('may spell its input in another order', async () => {
    const runner = new Runner();
    await runner.run({ input: { name: 'a', data: { x: 1, y: [null, 1.0] } } });
    expect(await runner.run({ input: { data: { y: [null, 1], x: 1 }, name: 'a' } })).toMatchObject({
      isReplay: true,
    });
  });

  it('is answered if nothing new is accepted, and the refusal of a new call is not kept', async () => {
    const runner = new Runner();
    const assertMayBeNew = () => {
      throw new NotaryError('UNPROCESSABLE_STATE', 'It has ended.');
    };
    await expect(runner.run({ assertMayBeNew })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_STATE',
    });
    expect(runner.acted).toBe(0);
    expect(await runner.run()).toMatchObject({ isReplay: false });
    expect(await runner.run({ assertMayBeNew })).toMatchObject({ isReplay: true });
  });

  it('with another input is refused, acts not, and leaves the key to the first', async () => {
    const runner = new Runner();
    await runner.run();
    const refusal = await refusalFrom(runner.run({ input: { name: 'b' } }));
    expect(refusal).toMatchObject({
      code: 'UNPROCESSABLE',
      message: expect.stringContaining('used with another input'),
      members: { errors: [{ path: '', keyword: 'idempotency-key' }] },
    });
    expect(refusal.entry.retryable).toBe(false);
    expect(await runner.run()).toMatchObject({ isReplay: true });
    expect(runner.acted).toBe(1);
  });

  it('is one of the same owner, operation, target and key', async () => {
    const runner = new Runner();
    const others: readonly Partial<KeyedCall>[] = [
      {},
      { key: 'k2' },
      { caller: CALLERS.get('other')! },
      { operation: changeThing },
      { operation: changeThing, input: { thingId: 'x' } },
      { operation: changeThing, input: { thingId: 'y' } },
    ];
    for (const other of others) expect(await runner.run(other)).toMatchObject({ isReplay: false });
    for (const other of others) expect(await runner.run(other)).toMatchObject({ isReplay: true });
    expect(runner.acted).toBe(others.length);
    // The agent owns the key of the call, whichever of its credentials brings it.
    expect(await runner.run({ caller: { ...CALL.caller, apiKeyId: 'rotated' } })).toMatchObject({
      isReplay: true,
    });
  });
});

describe('while the first still runs', () => {
  it('a repetition is told to come again, and is given the outcome afterwards', async () => {
    let finish = (): void => undefined;
    const runner = new Runner(
      undefined,
      () => new Promise((resolve) => (finish = () => resolve({ done: true }))),
    );
    const first = runner.run();
    const refusal = await refusalFrom(runner.run());
    expect(refusal).toMatchObject({ code: 'IN_FLIGHT', members: { retryAfter: 1 } });
    await expect.poll(() => runner.acted).toBe(1);
    finish();
    expect(await first).toMatchObject({ isReplay: false });
    expect(await runner.run()).toMatchObject({ isReplay: true });
    expect(runner.acted).toBe(1);
  });

  it('one under another key does not wait', async () => {
    const runner = new Runner();
    const [one, other] = await Promise.all([runner.run(), runner.run({ key: 'k2' })]);
    expect([one.isReplay, other.isReplay]).toEqual([false, false]);
  });

  it('in another process, what it keeps provisionally is told as the store tells it', async () => {
    const answers = new MemoryAnswers();
    answers.find = () => Promise.reject(new NotaryError('IN_FLIGHT', 'still runs'));
    const runner = new Runner(answers);
    expect((await refusalFrom(runner.run())).code).toBe('IN_FLIGHT');
    expect(runner.acted).toBe(0);
  });
});

describe('two processes', () => {
  it('answer with what the other one committed first, or ask to come again while that is not to be read', async () => {
    const answers = new MemoryAnswers();
    const winner = new Runner(answers, () => 'of the winner');
    let isVisible = false;
    // Our look-up comes too early, our commit too late.
    let lookUps = 0;
    const late = new (class extends MemoryAnswers {
      override find(scope: Uint8Array) {
        return ++lookUps % 2 === 1 || !isVisible ? Promise.resolve(null) : answers.find(scope);
      }
    })();
    const loser = new Runner(late, () => {
      throw new IdempotencyConflict('taken');
    });
    await winner.run();
    expect((await refusalFrom(loser.run())).code).toBe('IN_FLIGHT');
    isVisible = true;
    expect(await loser.run()).toMatchObject({ shown: { view: 'of the winner' }, isReplay: true });
    expect((await refusalFrom(loser.run({ input: { name: 'b' } }))).code).toBe('UNPROCESSABLE');
  });
});

describe('a refusal', () => {
  const refusing = (error: Error) =>
    new Runner(undefined, () => {
      throw error;
    });

  it.each([
    'NOT_FOUND',
    'CONFLICT',
    'PRECONDITION_FAILED',
    'UNPROCESSABLE',
    'SCHEMA_VALIDATION_ERROR',
    'INVALID_ACTION',
  ] as const)('%s is kept, with the request that met it', async (code) => {
    const runner = refusing(new NotaryError(code, 'no', { currentState: 'ACTIVE' }));
    await refusalFrom(runner.run());
    const again = await refusalFrom(runner.run({ requestId: 'r-2' }));
    expect(again).toBeInstanceOf(KeptRefusal);
    expect(again).toMatchObject({
      code,
      message: 'no',
      members: { currentState: 'ACTIVE' },
      requestId: 'r-1',
    });
    expect(runner.acted).toBe(1);
  });

  const passing: readonly ErrorCode[] = [
    'VALIDATION_ERROR',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'INSUFFICIENT_SCOPE',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
    'IN_FLIGHT',
  ];
  it.each(passing)('%s is not kept: the next time may end otherwise', async (code) => {
    const runner = refusing(new NotaryError(code, 'no'));
    for (const _time of [1, 2])
      expect(await refusalFrom(runner.run())).not.toBeInstanceOf(KeptRefusal);
    expect([runner.acted, runner.answers.kept.size]).toEqual([2, 0]);
  });

  it('that is a fault is not kept, and the key can be used again at once', async () => {
    const runner = refusing(new Error('fault'));
    for (const _time of [1, 2]) await expect(runner.run()).rejects.toThrow('fault');
    expect([runner.acted, runner.answers.kept.size]).toEqual([2, 0]);
  });
});

describe('secrets', () => {
  it('are shown once, and are in nothing that is kept', async () => {
    const secretive = { ...createThing, secrets: ['apiKey'] };
    const runner = new Runner(undefined, () => ({ keyId: 'k', apiKey: 'svc_agt_secret' }));
    expect(await runner.run({ operation: secretive })).toMatchObject({
      shown: { view: { apiKey: 'svc_agt_secret' } },
    });
    const [kept] = runner.answers.kept.values();
    expect(kept!.answer).not.toContain('svc_agt_secret');
    expect(await runner.run({ operation: secretive })).toMatchObject({
      shown: { view: { keyId: 'k', apiKey: null, hint: expect.stringContaining('rotate') } },
      isReplay: true,
    });
  });
});
