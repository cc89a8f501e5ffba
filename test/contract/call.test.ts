import { describe, expect, it } from 'vitest';
import { HttpExchange } from '../../adapters/http/http-exchange.ts';
import { HttpCall } from '../../adapters/http/http-call.ts';
import type { HttpRequest } from '../../adapters/http/http-request.ts';
import type { Allowance } from '../../application/call/budgets.ts';
import type { Call } from '../../application/call/call.port.ts';
import { PlainCall } from '../support/stories/plain-front-end.ts';
import { refusalOf } from '../support/runner/refusal-of.ts';

// Contract of application/call/call.port.ts. What is asked is proven by test/protocol/stories.test.ts.

interface Sent {
  readonly credential?: string;
  readonly address?: string;
}

/** A call, and what the front-end heard of its limits. */
interface Opened {
  readonly call: Call;
  readonly heard: () => Allowance | null;
}

const incoming = (headers: { readonly [name: string]: string | undefined }): HttpRequest => ({
  method: 'GET',
  path: '/',
  target: '/',
  search: '',
  remoteAddress: '::ffff:203.0.113.7',
  fault: null,
  arrivedAt: 0,
  arrival: null,
  header: (name) => headers[name],
  readBody: () => Promise.reject(new Error('the body was read')),
});

const overHttp = (authorization: string | undefined): Opened => {
  const exchange = new HttpExchange(incoming({ authorization, 'x-request-id': 'r-1' }), null, {});
  const call = new HttpCall(exchange, (socket) => socket.replace('::ffff:', ''));
  return { call, heard: () => exchange.allowance };
};

const FRONT_ENDS: { readonly [name: string]: (sent: Sent) => Opened } = {
  HTTP: ({ credential }) => overHttp(credential && `Bearer ${credential}`),
  'no protocol': ({ credential }) => {
    const call = new PlainCall({ credential, address: '203.0.113.7' }, 'r-1');
    return { call, heard: () => call.allowance };
  },
};

const LEFT: Allowance = {
  decision: { allowed: true, limit: 5, remaining: 4, resetSeconds: 9, retryAfterSeconds: 0 },
  policy: [{ name: 'key', limit: 5 }],
};

describe.each(Object.entries(FRONT_ENDS))('a call over %s', (_name, open) => {
  it('says who asks, from where, and by which request id', () => {
    const { call } = open({ credential: 'svc_agt_x' });
    expect([call.credential(), call.address, call.requestId]).toEqual([
      'svc_agt_x',
      '203.0.113.7',
      'r-1',
    ]);
  });

  it('has no credential where none was sent', () => {
    expect(open({}).call.credential()).toBeUndefined();
  });

  it('hears what is left of the limits, and keeps what it heard last', () => {
    const { call, heard } = open({});
    expect(heard()).toBeNull();
    const { allow } = call;
    allow({ ...LEFT, policy: [] });
    allow(LEFT);
    expect(heard()).toBe(LEFT);
  });
});

it('a credential over HTTP in a form that cannot be read is 401, when it is asked for', () => {
  const { call } = overHttp('Basic eDp5');
  expect(refusalOf(() => call.credential()).code).toBe('UNAUTHORIZED');
});
