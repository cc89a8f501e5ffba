import type { Caller } from '../../domain/identity/caller.ts';
import type { Bearer, BearerAuthentication } from '../call/bearer.ts';
import { CERT_PREFIX } from '../../domain/identity/cert-jws.ts';
import type { Authenticate } from './authenticate.ts';
import type { AuthenticateCert } from './authenticate-cert.ts';
import type { AuthenticateOidc } from './authenticate-oidc.ts';

/**
 * Tells the kinds of credential apart by their form: a JWS of this service, a JWS of an identity
 * provider, or an API key.
 */
export class AuthenticateBearer implements BearerAuthentication {
  constructor(
    private readonly key: Pick<Authenticate, 'authenticate'>,
    private readonly cert: Pick<AuthenticateCert, 'authenticate'>,
    private readonly oidc: Pick<AuthenticateOidc, 'authenticate'>,
  ) {}

  async authenticate(bearer: Bearer): Promise<Caller> {
    const { token } = bearer;
    if (token === undefined || !JWS.test(token)) return this.key.authenticate(bearer);
    return token.startsWith(CERT_PREFIX)
      ? this.cert.authenticate(token)
      : this.oidc.authenticate(token);
  }
}

/** An API key contains no full stop, and a JWS always does. */
const JWS = /^[^.]*\.[^.]*\.[^.]*$/;
