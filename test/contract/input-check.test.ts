import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { AjvInputCheck } from '../../adapters/json-schema/ajv-input-check.ts';
import { nullable } from '../../application/call/schemas.ts';
import type { InputCheck, InputPart } from '../../application/call/input-check.port.ts';
import { CreateRecordInput } from '../../application/record/inputs.ts';
import { refusalOf } from '../support/runner/refusal-of.ts';

// Contract of application/call/input-check.port.ts

const CHECKS: readonly (readonly [string, InputCheck])[] = [['ajv', new AjvInputCheck()]];

const UPPER = '019C1F00-0000-7000-8000-000000000006';
const LOWER = UPPER.toLowerCase();
const part = (members: Partial<InputPart> = {}): InputPart => ({
  noun: 'The body',
  memberNoun: 'member',
  schema: CreateRecordInput,
  hasHelp: true,
  ...members,
});

describe.each(CHECKS)('inputs, checked by %s', (_name, inputs) => {
  const record = inputs.prepare(part());
  const findings = (value: unknown) => refusalOf(() => record(value)).members.errors ?? [];

  describe('what a refusal tells', () => {
    it.each([
      ['critera', 'criteria'],
      ['Type', 'type'],
      ['performerAgentID', 'performerAgentId'],
      ['agent', null],
      ['x'.repeat(5_000), null],
    ])('an unknown member and the nearest known one, where one is near', (name, nearest) => {
      const refusal = refusalOf(() => record({ type: 't', criteria: {}, [name]: 1 }));
      expect(refusal.code).toBe('VALIDATION_ERROR');
      expect(refusal.members.errors).toEqual([
        {
          path: `/${name}`,
          keyword: 'additionalProperties',
          message:
            nearest === null
              ? 'is not a known member'
              : `is not a known member; the nearest known one is ${nearest}`,
        },
      ]);
      expect(refusal.message).toContain(`The body is not valid: /${name} is not a known member`);
    });

    it('that a part takes nothing, where it has no members', () => {
      const nothing = inputs.prepare(
        part({
          noun: 'The query',
          memberNoun: 'query parameter',
          schema: Type.Object({}, { additionalProperties: false }),
        }),
      );
      expect(nothing({})).toEqual({});
      expect(refusalOf(() => nothing({ a: 1 })).message).toBe(
        'The query is not valid: /a is not a known query parameter; none is taken.',
      );
    });

    it('every finding by JSON Pointer, escaped as RFC 6901 says, the unknown members first', () => {
      const paths = findings({ criteria: [], autoActivate: 'yes', 'a/b~c': 1 }).map(
        ({ path }) => path,
      );
      expect(paths[0]).toBe('/a~1b~0c');
      expect([...paths].sort()).toEqual(['/autoActivate', '/a~1b~0c', '/criteria', '/type']);
    });

    it('a path into the depth', () => {
      expect(
        findings({
          type: 't',
          criteria: {},
          references: [{ kind: 'k', uri: 'urn:x' }, { kind: 'k' }],
        }).map(({ path, keyword }) => [path, keyword]),
      ).toEqual([['/references/1/uri', 'required']]);
    });

    it('at most 100 findings', () => {
      const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x${i}`, i]));
      expect(findings({ type: 't', criteria: {}, ...many })).toHaveLength(100);
    });

    it('that there are more than it lists, of which the first have a suggestion', () => {
      const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`type${i}`, i]));
      const { message, members } = refusalOf(() => record({ type: 't', criteria: {}, ...many }));
      expect(message).toContain('and 99 more are listed; there are others that are not');
      const suggesting = members.errors!.filter((one) => one.message.includes('nearest known'));
      expect(suggesting.length).toBeGreaterThan(0);
      expect(suggesting.length).toBeLessThan(20);
    });

    it('which values a closed set allows', () => {
      const closed = inputs.prepare(
        part({
          schema: Type.Object({ size: Type.Enum(['s', 'm']) }, { additionalProperties: false }),
        }),
      );
      expect(refusalOf(() => closed({ size: 'l' })).members).toMatchObject({
        allowedValues: ['s', 'm'],
        errors: [{ path: '/size', keyword: 'enum', message: 'must be one of s, m' }],
      });
    });

    it('with help what is needed, what may be left out, and an example; without it none of that', () => {
      const schema = Type.Object(
        { a: Type.String(), b: Type.Optional(Type.String()) },
        { additionalProperties: false },
      );
      const told = (given: Partial<InputPart>) =>
        Object.keys(refusalOf(() => inputs.prepare(part({ schema, ...given }))({})).members).sort();
      const withExample = inputs.prepare(part({ schema, example: { a: 'x' } }));
      expect(refusalOf(() => withExample({})).members).toMatchObject({
        requiredFields: ['a'],
        optionalFields: ['b'],
        examplePayload: { a: 'x' },
      });
      expect(told({})).toEqual(['errors', 'optionalFields', 'requiredFields']);
      expect(told({ hasHelp: false, example: { a: 'x' } })).toEqual(['errors']);
    });
  });

  describe('what is let through', () => {
    it('is given back as it is, whatever stands inside an open member', () => {
      const value = JSON.parse(
        '{"type":"t","criteria":{"__proto__":{"a":1},"x":[1,{"y":null}]}}',
      ) as { readonly criteria: object };
      expect(record(value)['criteria']).toBe(value.criteria);
    });

    it('has no member under the name __proto__', () => {
      const smuggled = JSON.parse(
        '{"type":"t","criteria":{},"__proto__":{"autoActivate":true}}',
      ) as unknown;
      expect(findings(smuggled)).toMatchObject([{ path: '/__proto__' }]);
    });

    it('has every UUID in lowercase and every instant in UTC with milliseconds, and its other texts as they are', () => {
      expect(
        record({
          type: 't',
          criteria: { id: UPPER },
          principalAgentId: UPPER,
          expiresAt: '2026-01-31T13:00:00+01:00',
        }),
      ).toEqual({
        type: 't',
        criteria: { id: UPPER },
        principalAgentId: LOWER,
        expiresAt: '2026-01-31T12:00:00.000Z',
      });
    });

    it('is spelled the one way in lists, in objects and where null may stand too', () => {
      const Id = Type.String({ format: 'uuid' });
      const At = Type.String({ format: 'date-time' });
      const deep = inputs.prepare(
        part({
          schema: Type.Object(
            {
              ids: Type.Array(Id),
              inner: Type.Object({ at: At }, { additionalProperties: false }),
              maybe: nullable(Id),
              either: Type.Union([At, Type.Null()]),
            },
            { additionalProperties: false },
          ),
        }),
      );
      const given = {
        ids: [UPPER],
        inner: { at: '2026-01-31T12:00:00Z' },
        maybe: null,
        either: '2026-01-31t12:00:00.5z',
      };
      expect(deep(given)).toEqual({
        ids: [LOWER],
        inner: { at: '2026-01-31T12:00:00.000Z' },
        maybe: null,
        either: '2026-01-31T12:00:00.500Z',
      });
      expect(given.ids).toEqual([UPPER]);
      expect(deep({ ...given, maybe: UPPER, either: null })).toMatchObject({
        maybe: LOWER,
        either: null,
      });
    });

    it.each([
      '2026-02-30T00:00:00Z',
      '2026-01-01',
      '2026-01-01T00:00:00',
      '2026-01-01T23:59:60Z',
      'tomorrow',
      '2026-13-01T00:00:00Z',
    ])('is not the time %s', (expiresAt) => {
      expect(findings({ type: 't', criteria: {}, expiresAt })).toMatchObject([
        { path: '/expiresAt', message: expect.stringContaining('must be an ISO 8601 time') },
      ]);
    });

    it.each(['not-a-uuid', `urn:uuid:${LOWER}`, ''])('is not the id %s', (principalAgentId) => {
      expect(findings({ type: 't', criteria: {}, principalAgentId })).toMatchObject([
        { path: '/principalAgentId', message: 'must be a UUID' },
      ]);
    });
  });

  describe('a part without members', () => {
    it.each([true, false])('is an empty object, and nothing else', (hasHelp) => {
      const schema = Type.Object({}, { additionalProperties: false });
      const empty = inputs.prepare(part({ schema, hasHelp }));
      expect(empty({})).toEqual({});
      for (const value of [5, 'text', '', null, [], [1], { a: 1 }, true])
        expect(refusalOf(() => empty(value)).code, JSON.stringify(value)).toBe('VALIDATION_ERROR');
    });
  });

  describe('how a part is laid into the input', () => {
    it('under other names', () => {
      const schema = Type.Object(
        { id: Type.String({ format: 'uuid' }), note: Type.Optional(Type.String()) },
        { additionalProperties: false },
      );
      const path = inputs.prepare(part({ schema, names: { id: 'recordId' } }));
      expect(path({ id: UPPER, note: 'n' })).toEqual({ recordId: LOWER, note: 'n' });
      expect(refusalOf(() => path({ id: 'x' })).members.errors).toMatchObject([{ path: '/id' }]);
      expect(refusalOf(() => path({ id: LOWER, recordId: LOWER })).members.errors).toMatchObject([
        { path: '/recordId' },
      ]);
    });

    it('as one member of it', () => {
      const schema = Type.Array(Type.String({ format: 'uuid' }), { minItems: 1 });
      const whole = inputs.prepare(part({ schema, whole: 'items' }));
      expect(whole([UPPER])).toEqual({ items: [LOWER] });
      const refusal = refusalOf(() => whole([]));
      expect(refusal.members).toMatchObject({ errors: [{ path: '', keyword: 'minItems' }] });
      expect(refusal.members).not.toHaveProperty('requiredFields');
      const object = inputs.prepare(part({ schema: Type.Object({}), whole: 'content' }));
      expect(object({ any: 1 })).toEqual({ content: { any: 1 } });
    });
  });
});
