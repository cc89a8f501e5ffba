import { describe, expect, it } from 'vitest';
import {
  challengeOf,
  faultOf,
  KIND_STATUS,
  problemOf,
  retryAfterOf,
  wireCodeOf,
} from '../../../adapters/http/problem.ts';
import { ERROR_CATALOGUE, NotaryError, type ErrorCode } from '../../../domain/kernel/errors.ts';

const place = { requestId: 'r-1', instance: '/v1/records' };
const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

describe('problem documents', () => {
  it.each(codes)(
    '%s has every member that is always there, and its status by kind alone',
    (code) => {
      const { entry } = new NotaryError(code, 'why');
      const problem = problemOf(new NotaryError(code, 'why'), place);
      expect(problem).toMatchObject({
        type: `/problems/${entry.slug}`,
        title: entry.title,
        status: KIND_STATUS[entry.kind],
        detail: 'why',
        message: 'why',
        instance: '/v1/records',
        requestId: 'r-1',
        retryable: entry.retryable,
        errors: null,
        details: null,
      });
      expect(problem.error).toBe(problem.code);
      expect(problem).not.toHaveProperty('retryAfter');
    },
  );

  it('is retryable exactly for 429 and 5xx', () => {
    for (const code of codes) {
      const status = KIND_STATUS[ERROR_CATALOGUE[code].kind];
      expect(ERROR_CATALOGUE[code].retryable, code).toBe(status === 429 || status >= 500);
    }
  });

  it('says CONFLICT for a conflict without a name, and gives a named one its name as code and reason', () => {
    expect(problemOf(new NotaryError('IN_FLIGHT', 'x'), place)).toMatchObject({
      error: 'CONFLICT',
      code: 'CONFLICT',
    });
    expect(problemOf(new NotaryError('IN_FLIGHT', 'x'), place)).not.toHaveProperty('reason');
    expect(problemOf(new NotaryError('CONFLICTING_VERSION', 'x'), place)).toMatchObject({
      error: 'CONFLICTING_VERSION',
      code: 'CONFLICTING_VERSION',
      reason: 'CONFLICTING_VERSION',
    });
    expect(
      problemOf(new NotaryError('CONFLICT', 'x', { reason: 'payload_drift' }), place),
    ).toMatchObject({ code: 'CONFLICT', reason: 'payload_drift' });
  });

  it('uses the codes of the wire where the code inside says more', () => {
    expect(wireCodeOf('INVALID_TRANSITION')).toBe('UNPROCESSABLE_STATE');
    expect(problemOf(new NotaryError('INVALID_TRANSITION', 'x'), place).type).toBe(
      '/problems/invalid-transition',
    );
    expect(wireCodeOf('UNPROCESSABLE')).toBe('VALIDATION_ERROR');
  });

  it('repeats errors as details', () => {
    const errors = [{ path: '/a', keyword: 'type', message: 'must be string' }];
    expect(problemOf(new NotaryError('VALIDATION_ERROR', 'x', { errors }), place)).toMatchObject({
      errors,
      details: errors,
    });
  });

  it('tells nothing of the inside of a fault but the request id', () => {
    const fault = faultOf(new Error('connect ECONNREFUSED 10.0.0.7:3306 password=hunter2'), 'r-9');
    const text = JSON.stringify(problemOf(fault, { requestId: 'r-9', instance: '/' }));
    expect(text).toContain('r-9');
    expect(text).not.toMatch(/ECONNREFUSED|10\.0\.0\.7|hunter2/);
    expect(fault.entry.kind).toBe('internal');
  });

  it('says when to come back on 429 and 503, in whole seconds', () => {
    expect(retryAfterOf(new NotaryError('RATE_LIMITED', 'x', { retryAfter: 0.2 }))).toBe(1);
    expect(retryAfterOf(new NotaryError('SERVICE_UNAVAILABLE', 'x'))).toBeGreaterThan(0);
    expect(retryAfterOf(new NotaryError('NOT_FOUND', 'x'))).toBeUndefined();
  });

  it('challenges as RFC 6750 section 3 says', () => {
    expect(challengeOf(new NotaryError('UNAUTHORIZED', 'x'), false)).not.toContain('error=');
    expect(challengeOf(new NotaryError('UNAUTHORIZED', 'x'), true)).toContain(
      'error="invalid_token"',
    );
    expect(
      challengeOf(
        new NotaryError('INSUFFICIENT_SCOPE', 'x', { missingScopes: ['a:read', 'b:read'] }),
        true,
      ),
    ).toContain('error="insufficient_scope", scope="a:read b:read"');
    expect(challengeOf(new NotaryError('NOT_FOUND', 'x'), true)).toBeUndefined();
  });
});
