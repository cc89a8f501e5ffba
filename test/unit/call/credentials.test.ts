import { describe, expect, it } from 'vitest';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { PlainCall } from '../../support/stories/plain-front-end.ts';
import { refusalFrom } from '../../support/runner/refusal-of.ts';
import { AUTHENTICATION, gatewayOf, type Authentication } from './support.ts';

/** Asks to be let in from one address; `lookUps` counts the credentials that were looked at. */
const door = (authentication: Authentication) => {
  const seen = { lookUps: 0 };
  const gateway = gatewayOf({
    limits: { anonymous: 3 },
    authentication: {
      authenticate: (bearer) => {
        seen.lookUps++;
        return authentication.authenticate(bearer);
      },
    },
  });
  const enter = (credential?: string) =>
    gateway.admit(new PlainCall({ credential }, 'r'), { scope: null }, 'default');
  return {
    seen,
    enter,
    codeOf: async (credential?: string) => (await refusalFrom(enter(credential))).code,
  };
};
const refusing = (error: NotaryError): Authentication => ({
  authenticate: () => Promise.reject(error),
});

describe('an address', () => {
  it('that fails to authenticate is stopped before any further look-up', async () => {
    const { seen, codeOf } = door(AUTHENTICATION);
    for (let i = 0; i < 3; i++) expect(await codeOf('guess')).toBe('UNAUTHORIZED');
    expect(await codeOf('guess')).toBe('RATE_LIMITED');
    expect(await codeOf('writer')).toBe('RATE_LIMITED');
    expect(seen.lookUps).toBe(3);
  });

  it('is stopped too where it sends no credential at all', async () => {
    const { codeOf } = door(AUTHENTICATION);
    for (let i = 0; i < 3; i++) expect(await codeOf()).toBe('UNAUTHORIZED');
    expect(await codeOf()).toBe('RATE_LIMITED');
  });

  it('that guesses shuts out nobody who was here before', async () => {
    const { enter, codeOf } = door(AUTHENTICATION);
    await enter('writer');
    for (let i = 0; i < 3; i++) await codeOf('guess');
    expect((await enter('writer')).caller?.name).toBe('writer');
    expect(await codeOf('other')).toBe('RATE_LIMITED');
  });

  it('whose tokens nobody can judge at the moment is stopped too', async () => {
    const { codeOf } = door(
      refusing(
        new NotaryError('SERVICE_UNAVAILABLE', 'The key set cannot be fetched.', {
          reason: 'jwks_fetch_failed',
        }),
      ),
    );
    for (let i = 0; i < 3; i++) expect(await codeOf('invented')).toBe('SERVICE_UNAVAILABLE');
    expect(await codeOf('invented')).toBe('RATE_LIMITED');
  });

  it('of a deactivated account, or while the service fails, has not failed to authenticate', async () => {
    for (const code of ['ACCOUNT_DEACTIVATED', 'SERVICE_UNAVAILABLE'] as const) {
      const { codeOf } = door(refusing(new NotaryError(code, 'no')));
      for (let i = 0; i < 5; i++) expect(await codeOf('known')).toBe(code);
    }
  });
});
