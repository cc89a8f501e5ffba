import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Provider, { type Configuration } from 'oidc-provider';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import type { Body } from '../service/world.ts';

const TLS = join(import.meta.dirname, 'tls');
export const TEST_CA_FILE = join(TLS, 'ca.pem');
/** A certificate for localhost of a CA whose key is thrown away: worth nothing outside of these tests. */
export const tlsFiles = {
  key: readFileSync(join(TLS, 'server-key.pem')),
  cert: readFileSync(join(TLS, 'server.pem')),
  ca: readFileSync(TEST_CA_FILE),
};

/** The settings under which the service may fetch from a server of a test. */
export const OIDC_ENV = {
  EGRESS_ALLOW_CIDRS_JWKS: '127.0.0.1/32,::1/128',
  EGRESS_CA_FILE: TEST_CA_FILE,
} as const;

export interface TlsServer {
  readonly url: string;
  readonly server: Server;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Serves over TLS at localhost, with the certificate of the test CA. */
export const serveTls = async (listener: RequestListener): Promise<TlsServer> => {
  const asked: string[] = [];
  const server = createServer({ key: tlsFiles.key, cert: tlsFiles.cert }, (incoming, outgoing) => {
    asked.push(String(incoming.url));
    listener(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    server,
    asked,
    close,
  };
};

export interface Oidc extends TlsServer {
  /** Equal to the iss of its tokens. */
  readonly issuer: string;
  /** A JWT access token that the provider itself makes, by client credentials, with these claims besides its own. */
  token(claims: Body, scope?: string): Promise<string>;
  /** A token under the provider's current key that says whatever a test wants. */
  forge(claims: Body, header?: Body): Promise<string>;
  /** The provider signs with a new key from now on, and publishes that alone. */
  rotate(): Promise<void>;
  /** The public half of the current key. */
  readonly publicJwk: JWK;
}

export const AUDIENCE = 'https://notary.example';
const CLIENT = { client_id: 'workload', client_secret: 'a-secret-of-a-test' };

/** A real OpenID provider (`oidc-provider`) with discovery, over TLS. @param alg what it signs with. */
export const startOidc = async (
  alg: 'ES256' | 'RS256' | 'PS256' | 'ES384' | 'EdDSA' = 'ES256',
): Promise<Oidc> => {
  let handler: RequestListener = (_incoming, outgoing) => void outgoing.writeHead(503).end();
  let extra: Body = {};
  let current: { readonly privateJwk: JWK; readonly publicJwk: JWK };
  const tls = await serveTls((incoming, outgoing) => handler(incoming, outgoing));
  const rotate = async (): Promise<void> => {
    current = await keyPair(alg);
    const answer = providerOf(tls.url, alg, current.privateJwk, () => extra).callback();
    handler = (incoming, outgoing) => void answer(incoming, outgoing);
  };
  await rotate();
  return {
    ...tls,
    issuer: tls.url,
    rotate,
    get publicJwk() {
      return current.publicJwk;
    },
    token: async (claims, scope = 'records:write audit:read') => {
      extra = claims;
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        scope,
        resource: AUDIENCE,
      }).toString();
      const answer = await post(`${tls.url}/token`, body, {
        authorization: `Basic ${Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString('base64')}`,
      });
      if (typeof answer['access_token'] !== 'string') throw new Error(JSON.stringify(answer));
      return answer['access_token'];
    },
    forge: async (claims, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({
        iss: tls.url,
        sub: 'workload',
        aud: AUDIENCE,
        exp: now + 600,
        iat: now,
        jti: randomUUID(),
        scope: 'records:write audit:read',
        ...claims,
      })
        .setProtectedHeader({ alg, kid: String(current.publicJwk.kid), ...header })
        .sign(await importJWK(current.privateJwk, alg));
    },
  };
};

const keyPair = async (alg: string): Promise<{ privateJwk: JWK; publicJwk: JWK }> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, {
    extractable: true,
    ...(alg === 'EdDSA' ? { crv: 'Ed25519' } : {}),
  });
  const named = { kid: randomUUID(), alg, use: 'sig' };
  return {
    privateJwk: { ...(await exportJWK(privateKey)), ...named },
    publicJwk: { ...(await exportJWK(publicKey)), ...named },
  };
};

const providerOf = (issuer: string, alg: string, privateJwk: JWK, extra: () => Body): Provider => {
  const configuration = {
    jwks: { keys: [privateJwk] },
    clients: [
      {
        ...CLIENT,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        id_token_signed_response_alg: alg,
      },
    ],
    scopes: ['records:write', 'audit:read'],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'records:write records:read audit:read completions:write admin:keys openid',
          audience: AUDIENCE,
          accessTokenTTL: 600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg } },
        }),
      },
    },
    extraTokenClaims: () => extra(),
  };
  return new Provider(issuer, configuration as unknown as Configuration);
};

const post = (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Body> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        ca: tlsFiles.ca,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (incoming) => {
        let text = '';
        incoming
          .on('data', (part) => (text += String(part)))
          .on('end', () => resolve(JSON.parse(text) as Body));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });

/** The key pair of a certificate, as an agent's own tools make it. */
export interface CertKey {
  readonly publicKeyJwk: Body;
  readonly privateKey: KeyObject;
  /** RFC 7638, computed here. */
  readonly thumbprint: string;
  proof(subject: string): string;
}

export const certKey = (): CertKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { kty, crv, x } = publicKey.export({ format: 'jwk' });
  return {
    publicKeyJwk: { kty, crv, x },
    privateKey,
    thumbprint: createHash('sha256')
      .update(`{"crv":"${crv}","kty":"${kty}","x":"${x}"}`)
      .digest('base64url'),
    proof: (subject) =>
      sign(null, Buffer.from(`service.oidc.cert.v1\n${subject}`), privateKey).toString('base64'),
  };
};

/** The body of an exchange. */
export const exchangeOf = (
  oidcToken: string,
  key: CertKey = certKey(),
  subject = 'workload',
): Body => ({ oidcToken, publicKeyJwk: key.publicKeyJwk, proofOfPossession: key.proof(subject) });
