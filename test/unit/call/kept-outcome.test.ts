import { describe, expect, it } from 'vitest';
import {
  keepRefusal,
  keepShown,
  KeptRefusal,
  replay,
} from '../../../application/call/kept-outcome.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { refusalOf } from '../../support/runner/refusal-of.ts';

const OPEN = { secrets: [] };

describe('what was shown', () => {
  it('comes back member by member', () => {
    const shown = { view: { a: [1, null, { secret: 'mine' }] }, version: 3, isNew: false };
    expect(replay(keepShown(OPEN, shown))).toEqual(shown);
  });

  it('comes back with null in the place of each secret, however deep, and a hint beside it', () => {
    const secrets = { secrets: ['apiKey', 'certJws'] };
    const view = {
      apiKey: 'x',
      bootstrapKey: { apiKey: 'y', label: 'l' },
      certs: [{ certJws: 'z' }, 1, null],
    };
    const text = keepShown(secrets, { view });
    expect(text).not.toMatch(/"[xyz]"/);
    const hint = expect.stringContaining('rotate');
    expect(replay(text)).toEqual({
      view: {
        apiKey: null,
        hint,
        bootstrapKey: { apiKey: null, label: 'l', hint },
        certs: [{ certJws: null, hint }, 1, null],
      },
    });
  });
});

describe('a refusal', () => {
  it('comes back with the request that met it', () => {
    const error = new NotaryError('NOT_FOUND', 'There is none.', { currentState: 'ACTIVE' });
    const again = refusalOf(() => replay(keepRefusal(error, 'r-1')));
    expect(again).toBeInstanceOf(KeptRefusal);
    expect(again).toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is none.',
      members: { currentState: 'ACTIVE' },
      requestId: 'r-1',
    });
  });
});

describe('a form that this release does not know', () => {
  it.each([
    ['a later one', '{"form":2,"outcome":{}}'],
    ['one without a number', '{"status":201,"body":{}}'],
    ['an edited row that is null', 'null'],
    ['an edited row that holds nothing', '{"form":1}'],
    ['an edited row without a view', '{"form":1,"shown":{}}'],
    ['an edited row whose refusal is null', '{"form":1,"refusal":null}'],
    ['an edited row that is no JSON', '{"form":1,'],
    [
      'a code of the catalogue to come',
      keepRefusal(new NotaryError('NOT_FOUND', 'n'), 'r').replace('NOT_FOUND', 'GONE_FISHING'),
    ],
  ])('%s is 409, and says what to do', (_name, text) => {
    const refusal = refusalOf(() => replay(text));
    expect(refusal).not.toBeInstanceOf(KeptRefusal);
    expect(refusal).toMatchObject({
      code: 'CONFLICT',
      members: { suggestion: expect.stringContaining('new key') },
    });
  });
});
