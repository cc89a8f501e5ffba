import {
  coseThumbprint,
  jwkOf,
  type AgentPublicKey,
  type PublicJwk,
} from '../identity/agent-public-key.ts';
import { publicKeyOfJwk } from '../identity/agent-key-input.ts';
import { NotaryError } from '../kernel/errors.ts';
import { outgoingUrl } from '../kernel/outgoing-url.ts';
import { toHex } from '../kernel/digest.ts';

/** RFC 9679: SHA-256 over the deterministic COSE_Key, lowercase hex. */
export const hubKeyThumbprint = (key: AgentPublicKey): string => toHex(coseThumbprint(key));

export const hubKeyJwk = (key: AgentPublicKey): PublicJwk => jwkOf(key);

/**
 * The hub key of a JWK.
 *
 * @throws UNPROCESSABLE as publicKeyOfJwk does, and for a key that is not on Ed25519.
 */
export const hubKeyOfJwk = (jwk: { readonly [member: string]: unknown }): AgentPublicKey => {
  const key = publicKeyOfJwk(jwk, 'signing');
  if (key.curve === 'Ed25519') return key;
  throw new NotaryError('UNPROCESSABLE', 'A hub key is on Ed25519.', {
    errors: [{ path: '/publicKeyJwk/crv', keyword: 'enum', message: 'a hub key is on Ed25519' }],
    allowedValues: ['Ed25519'],
  });
};

/**
 * The origin of a hub in its one form.
 *
 * @throws UNPROCESSABLE for anything but https, a host, and a port if it is not 443.
 */
export const assertPeerBaseUrl = (text: string): string => {
  if (outgoingUrl(text)?.origin === text) return text;
  throw new NotaryError(
    'UNPROCESSABLE',
    'The baseUrl of a hub must be an https origin on port 443 or one from 1024 to 65535, without a path and without a slash at the end.',
    {
      errors: [
        { path: '/baseUrl', keyword: 'format', message: 'must be like https://hub.example' },
      ],
    },
  );
};
