import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../adapters/http/query.ts';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import { refusalOf } from '../../support/runner/refusal-of.ts';

describe('a query', () => {
  const schema = Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      disputed: Type.Optional(Type.Boolean()),
      q: Type.Optional(Type.String()),
      since: Type.Optional(Type.String({ format: 'date-time' })),
    },
    { additionalProperties: false },
  );
  const check = new AjvInputCheck().prepare({
    noun: 'The query',
    memberNoun: 'query parameter',
    schema,
    hasHelp: false,
  });
  const read = (search: string): unknown => check(parseQuery(search, schema));

  it('is read as the schema declares it', () => {
    expect(read('limit=10&disputed=true&q=10')).toEqual({ limit: 10, disputed: true, q: '10' });
    expect(read('q=a%2Bb+c%20d')).toEqual({ q: 'a+b c d' });
    expect(read('')).toEqual({});
  });

  it('takes the + before the offset of a time as it is written, and nowhere else', () => {
    const since = '2026-01-01T00:00:00.000Z';
    for (const offset of ['+02:00', '%2B02:00', '+02%3A00'])
      expect(read(`since=2026-01-01T02:00:00${offset}`)).toEqual({ since });
    expect(read('q=T02:00:00+02:00')).toEqual({ q: 'T02:00:00 02:00' });
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=1e2',
    'limit=0x10',
    'limit=',
    'limit=10.0',
    'disputed=1',
    'disputed=TRUE',
    'limit=1&limit=2',
    'q=%zz',
    'q=%ff',
    'nope=1',
    '__proto__=1',
    'toString=1',
  ])('%s is refused', (search) => {
    expect(refusalOf(() => read(search)).code).toBe('VALIDATION_ERROR');
  });

  it('names the nearest known parameter', () => {
    expect(refusalOf(() => read('limt=5')).members.errors![0]!.message).toContain(
      'query parameter; the nearest known one is limit',
    );
  });
});
