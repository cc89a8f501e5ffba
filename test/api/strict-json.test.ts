import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, expectProblemForm } from '../support/stories/problems.ts';
import { Client, ok, openJob, type Answer, type Body } from '../support/service/world.ts';

const api = useApi({ MAX_BODY_BYTES: '200000' });
const send = (
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Body>> => api.world.principal.client.call('POST', '/v1/records', body, headers);
const note = (criteria: string): string => `{"type":"note","criteria":${criteria}}`;
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const total = async (): Promise<number> =>
  Number((await ok(api.world.platform.get('/v1/records?limit=1')))['total']);

describe('400 with the place: what cannot be signed as it was sent', () => {
  it.each<[string, string, RegExp]>([
    ['a member twice', note('{"a":1,"a":2}'), /a/],
    ['a member twice with the same value', note('{"a":1,"a":1}'), /a/],
    ['a member twice, once escaped', note('{"a":1,"\\u0061":2}'), /a/],
    ['a member twice at the top', '{"type":"note","type":"note","criteria":{}}', /type/],
    ['a member twice deep inside a list', note('{"l":[0,{"x":{"y":1,"y":2}}]}'), /l\/1\/x/],
    ['__proto__ twice', note('{"__proto__":1,"__proto__":2}'), /__proto__/],
    ['a lone high surrogate', note('{"a":"\\ud800"}'), /a/],
    ['a lone low surrogate', note('{"a":"\\udc00x"}'), /a/],
    ['surrogates the wrong way round', note('{"a":"\\udc00\\ud800"}'), /a/],
    ['a lone surrogate in a member name', note('{"\\ud83d":1}'), /./],
    ['9007199254740993', note('{"n":9007199254740993}'), /n/],
    ['-9007199254740993', note('{"n":-9007199254740993}'), /n/],
    ['1e400', note('{"n":1e400}'), /n/],
    ['-1e400', note('{"n":-1e400}'), /n/],
    ['1e-400', note('{"n":1e-400}'), /n/],
    ['more digits than a double has', note('{"n":0.1000000000000000055511151231257827}'), /n/],
    ['3.141592653589793238', note('{"n":3.141592653589793238}'), /n/],
    ['a number with a million zeros in its exponent', note('{"n":1e1000000}'), /n/],
  ])('%s', async (_case, body, place) => {
    const problem = expectProblem(await send(body), 400, 'VALIDATION_ERROR', {
      type: '/problems/validation-error',
    });
    expect(JSON.stringify([problem['detail'], problem['errors']])).toMatch(place);
  });

  it.each<[string, string]>([
    ['on the thread that asked', ''],
    ['in the thread for long texts', 'x'.repeat(70_000)],
  ])('line and column are told, read %s', async (_where, padding) => {
    const start = `{\n  "type": "note",\n  "pad": "${padding}",\n`;
    for (const [body, detail, message] of [
      [`${start}  "criteria": {"a": tru}\n}`, 'line 4, column 21', 'A value is expected here.'],
      [
        `${start}  "type": 1\n}`,
        'line 4, column 3',
        'The member "type" stands twice in one object.',
      ],
      [
        `${start}  "criteria": {}\n`,
        'line 5, column 1',
        'A comma or a closing brace is expected here.',
      ],
    ] as const)
      expectProblem(await send(body), 400, 'VALIDATION_ERROR', {
        detail: `The body is not acceptable JSON, at ${detail}: ${message}`,
      });
    const answer = await send(bytes(`${start}  "é": "`, [0xff], '"}'));
    expectProblem(answer, 400, 'VALIDATION_ERROR', {
      detail: 'The body is not acceptable JSON, at line 4, column 9: The bytes are not UTF-8.',
    });
  });

  it('the same reader serves evidence', async () => {
    const { id } = await openJob(api.world);
    const path = `/v1/records/${id}/completions`;
    for (const evidence of [
      '{"score":9007199254740993}',
      '{"score":1,"score":2}',
      '{"score":1,"log":"\\ud800"}',
    ])
      expectProblem(
        await api.world.performer.client.call('POST', path, `{"evidence":${evidence}}`),
        400,
        'VALIDATION_ERROR',
      );
  });

  it('the same reader serves bulk and schemas', async () => {
    expectProblem(
      await api.world.principal.client.call(
        'POST',
        '/v1/records/bulk',
        `[${note('{"a":1,"a":2}')}]`,
      ),
      400,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await api.world.admin.call(
        'POST',
        '/v1/schemas',
        '{"type":"dup","completionSchema":{},"completionSchema":{}}',
      ),
      400,
      'VALIDATION_ERROR',
    );
  });
});

describe('201: numbers whose value a double holds', () => {
  it.each([
    ['0.1', '0.1'],
    ['1.0', '1'],
    ['1e2', '100'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['0e99', '0'],
    ['9007199254740992', '9007199254740992'],
    ['1E+2', '100'],
    ['100e-2', '1'],
    ['5e-324', '5e-324'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['1e21', '1e+21'],
    ['123456789012345680000', '123456789012345680000'],
    ['0.000001', '0.000001'],
  ])('%s is sealed as %s', async (sent, sealed) => {
    const { status, body } = await send(note(`{"n":${sent}}`));
    expect(status).toBe(201);
    expect(body['criteriaHash']).toBe(createHash('sha256').update(`{"n":${sealed}}`).digest('hex'));
  });
});

describe('201: names and texts that are only data', () => {
  it.each([
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"a":{"__proto__":[1,2]},"toString":1,"hasOwnProperty":null}',
    '{"":"","\\u0000":"\\u0000"}',
    '{"😀":"\\ud83d\\ude00"}',
    '{"\\u2028":"\\u2029\\u007f\\ufeff"}',
    '{"length":-1,"then":"x","toJSON":"y"}',
  ])('%s survives to the answer, the hash and the export', async (criteria) => {
    const { status, body } = await send(note(criteria));
    expect(status).toBe(201);
    const response = await fetch(`${api.world.url}/v1/records/${body['id']}`, {
      headers: { authorization: `Bearer ${api.world.principal.client.key}` },
    });
    const text = await response.text();
    const reread = JSON.parse(text) as Body;
    expect(JSON.stringify(reread['criteria'])).toBe(JSON.stringify(JSON.parse(criteria)));
    expect(({} as Body)['admin']).toBeUndefined();
    const { record } = await ok(
      api.world.principal.client.get(`/v1/records/${body['id']}/audit-export`),
    );
    expect(JSON.stringify(record.criteria)).toBe(JSON.stringify(JSON.parse(criteria)));
    expect(record.criteriaHash).toBe(body['criteriaHash']);
  });

  it('__proto__ at the top of a body is an unknown member', async () => {
    expectProblem(
      await send('{"type":"note","criteria":{},"__proto__":{"platform":"x"}}'),
      400,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await send('{"__proto__":{"type":"note","criteria":{}}}'),
      400,
      'VALIDATION_ERROR',
    );
  });

  it('__proto__ in evidence is judged by the schema as any member', async () => {
    const { id } = await openJob(api.world);
    const { status, body } = await api.world.performer.client.call(
      'POST',
      `/v1/records/${id}/completions`,
      '{"evidence":{"__proto__":{"score":9}}}',
    );
    expect({ status, type: body['type'] }).toEqual({
      status: 422,
      type: '/problems/schema-validation-error',
    });
  });
});

describe('400: no JSON', () => {
  it.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['blanks', '  \n'],
    ['text', 'type=note'],
    ['cut short', '{"type":"note"'],
    ['a comma too many', note('{"a":1,}')],
    ['a comment', `/* x */${note('{}')}`],
    ['single quotes', "{'type':'note'}"],
    ['NaN', note('{"a":NaN}')],
    ['Infinity', note('{"a":Infinity}')],
    ['a leading zero', note('{"a":01}')],
    ['a leading plus', note('{"a":+1}')],
    ['hexadecimal', note('{"a":0x10}')],
    ['a bare dot', note('{"a":1.}')],
    ['two documents', `${note('{}')}${note('{}')}`],
    ['a control character in a text', note('{"a":"\u0001"}')],
    ['a bad escape', note('{"a":"\\x41"}')],
    ['a byte order mark', bytes([0xef, 0xbb, 0xbf], note('{}'))],
    ['bytes that are no UTF-8', bytes('{"type":"note","criteria":{"a":"', [0xff, 0xfe], '"}}')],
    ['an overlong encoding', bytes('{"type":"note","criteria":{"a":"', [0xc0, 0xaf], '"}}')],
    ['a surrogate in UTF-8', bytes('{"type":"note","criteria":{"a":"', [0xed, 0xa0, 0x80], '"}}')],
    ['UTF-16', Buffer.from(note('{}'), 'utf16le')],
    ['a NUL at the end', `${note('{}')}\u0000`],
  ])('%s', async (_case, body) => {
    expectProblem(
      await send(body, { 'content-type': 'application/json' }),
      400,
      'VALIDATION_ERROR',
    );
  });
});

describe('size and depth', () => {
  it('nested 64 deep is taken, 65 is 400', async () => {
    // The body and its criteria are two levels.
    expect((await send(note(`{"a":${nested(62)}}`))).status).toBe(201);
    expectProblem(await send(note(`{"a":${nested(63)}}`)), 400, 'VALIDATION_ERROR');
  });

  it('400: nested 90,000 deep', async () => {
    expectProblem(await send(note(`{"a":${nested(90_000)}}`)), 400, 'VALIDATION_ERROR');
    expectProblem(await send('['.repeat(190_000)), 400, 'VALIDATION_ERROR');
  });

  it('413 beyond MAX_BODY_BYTES, announced or not', async () => {
    const body = note(`{"a":"${'x'.repeat(200_001)}"}`);
    expectProblem(await send(body), 413, 'PAYLOAD_TOO_LARGE', {
      type: '/problems/payload-too-large',
    });
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(Buffer.from(body));
        controller.close();
      },
    });
    const response = await fetch(`${api.world.url}/v1/records`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.world.principal.client.key}`,
        'content-type': 'application/json',
      },
      body: stream,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expectProblemForm({
      status: 413,
      body: (await response.json()) as Body,
      headers: response.headers,
    });
  });

  it('201 at exactly MAX_BODY_BYTES', async () => {
    const frame = note('{"a":""}').length;
    expect((await send(note(`{"a":"${'x'.repeat(200_000 - frame)}"}`))).status).toBe(201);
  });

  it('the service goes on after all that', async () => {
    expect((await send(note('{}'))).status).toBe(201);
  });
});

describe('415', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
    'application/xml',
    'json',
    'text/json',
  ])('%s', async (type) => {
    expectProblem(await send(note('{}'), { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE', {
      type: '/problems/unsupported-media-type',
    });
  });

  it('a body without a type', async () => {
    const response = await fetch(`${api.world.url}/v1/records`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.world.principal.client.key}` },
      body: Buffer.from(note('{}')),
    });
    expect(response.status).toBe(415);
  });

  it('a charset other than UTF-8 is refused', async () => {
    expect([400, 415]).toContain(
      (await send(note('{}'), { 'content-type': 'application/json; charset=utf-16' })).status,
    );
  });

  it('a content encoding is refused, not misread', async () => {
    expect([400, 415]).toContain((await send(note('{}'), { 'content-encoding': 'gzip' })).status);
  });
});

it('nothing is stored by any of these', async () => {
  const before = await total();
  for (const body of [
    note('{"a":1,"a":2}'),
    note('{"n":1e400}'),
    note('{"a":"\\ud800"}'),
    '{"type":"note"',
  ])
    await send(body);
  await new Client(api.world.url, api.world.principal.client.key).call(
    'POST',
    '/v1/records',
    note('{}'),
    { 'content-type': 'text/plain' },
  );
  expect(await total()).toBe(before);
});
