import { expect } from 'vitest';
import type { Answer, Body } from '../service/world.ts';

/** Present on every refusal (protocols: Problems). */
export const ALWAYS_PRESENT = [
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'error',
  'code',
  'message',
  'requestId',
  'retryable',
  'errors',
  'details',
] as const;

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const HEX_256 = /^[0-9a-f]{64}$/;
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const NOBODY = '0190a000-0000-7000-8000-0000000000ff';

/** A refusal with the status, the code, everything that a problem document always carries, and the given members. */
export const expectProblem = (
  answer: Answer<Body>,
  status: number,
  code: string,
  members: Body = {},
): Body => {
  const { body, headers } = answer;
  expect({ status: answer.status, code: body['code'], detail: body['detail'] }).toEqual({
    status,
    code,
    detail: expect.any(String),
  });
  expectProblemForm(answer);
  expect(body).toMatchObject(members);
  expect(headers.get('x-request-id')).toBe(body['requestId']);
  return body;
};

/** What holds of any refusal, whatever its status. */
export const expectProblemForm = ({ status, body, headers }: Answer<Body>): void => {
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
  expect(Object.keys(body)).toEqual(expect.arrayContaining([...ALWAYS_PRESENT]));
  expect(body['type']).toMatch(/^\/problems\/[a-z][a-z-]*$/);
  expect(body['status']).toBe(status);
  expect(body['error']).toBe(body['code']);
  expect(body['code']).toMatch(/^[A-Z][A-Z_]*$/);
  expect(body['retryable']).toBe(status === 429 || status >= 500);
  expect(body['details']).toEqual(body['errors']);
  for (const entry of (body['errors'] ?? []) as Body[])
    expect(entry).toEqual({
      path: expect.stringMatching(/^(?:\/.*)?$/s),
      keyword: expect.any(String),
      message: expect.any(String),
    });
};

/** Two refusals that a prober cannot tell apart: everything is equal but the request's id and the id that was asked for. */
export const expectIndistinguishable = (
  one: Answer<Body>,
  other: Answer<Body>,
  ids: readonly string[],
): void => {
  const plain = ({ status, body, headers }: Answer<Body>): unknown => {
    const text = ids.reduce(
      (json, id) => json.replaceAll(id, '<id>'),
      JSON.stringify({ ...body, requestId: null }),
    );
    return {
      status,
      body: JSON.parse(text) as unknown,
      type: headers.get('content-type'),
      names: [...headers.keys()].sort(),
    };
  };
  expect(plain(one)).toEqual(plain(other));
};
