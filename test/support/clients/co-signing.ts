import { createHash, randomUUID, sign } from 'node:crypto';
import { httpbis } from 'http-message-signatures';
import { afterAll, beforeAll } from 'vitest';
import type { Api } from '../service/api.ts';
import {
  AUDIENCE,
  certKey,
  exchangeOf,
  startOidc,
  type CertKey,
  type Oidc,
} from '../peers/oidc.ts';
import { Client, ok, type Answer, type Body } from '../service/world.ts';

/** An agent with a certificate, and the key that it is bound to. */
export interface Holder {
  readonly client: Client;
  readonly certId: string;
  readonly key: CertKey;
}

export interface SigningChanges {
  readonly nonce?: string;
  readonly tag?: string;
  readonly created?: Date;
  readonly expires?: Date;
  readonly fields?: string[];
  /** What the signature says of its algorithm; it is made with Ed25519 all the same. */
  readonly alg?: string;
}

export interface CoSigners {
  readonly oidc: Oidc;
  /** Of the org of the world. */
  readonly issuerId: string;
  readonly holder: (agentId?: string, key?: CertKey, scope?: string) => Promise<Holder>;
  /** RFC 9421 headers, by a library that is not ours. */
  readonly requestHeaders: (
    holder: Pick<Holder, 'key'>,
    method: string,
    path: string,
    body: string,
    changes?: SigningChanges,
  ) => Promise<Record<string, string>>;
  /** Sends a request with a signature over the whole of it. */
  readonly send: (
    holder: Holder,
    method: string,
    path: string,
    body?: string,
    changes?: SigningChanges,
  ) => Promise<Answer<Body>>;
}

/** An identity provider that the org of the world trusts, for the tests of this file. */
export const useCoSigners = (api: Api, scopes: string): CoSigners => {
  const made: { oidc?: Oidc; issuerId?: string } = {};
  beforeAll(async () => {
    made.oidc = await startOidc();
    const { id } = await ok(
      api.world.platform.post('/v1/admin/trusted-issuers', {
        orgId: api.world.orgId,
        issuerUrl: made.oidc.issuer,
        expectedAudience: AUDIENCE,
      }),
    );
    made.issuerId = String(id);
  });
  afterAll(() => made.oidc?.close());
  const signers: CoSigners = {
    get oidc() {
      if (!made.oidc) throw new Error('the provider is started in beforeAll');
      return made.oidc;
    },
    get issuerId() {
      return String(made.issuerId);
    },
    holder: async (agentId = api.world.principal.id, key = certKey(), scope = scopes) => {
      const { cert, certJws } = await ok(
        api.world.anonymous.post(
          '/v1/auth/oidc/cert',
          exchangeOf(await signers.oidc.forge({ agent_id: agentId, scope }), key),
        ),
      );
      return { client: new Client(api.world.url, String(certJws)), certId: String(cert.id), key };
    },
    requestHeaders: async ({ key }, method, path, body, changes = {}) => {
      const digest = `sha-256=:${sha256(body).toString('base64')}:`;
      const {
        nonce = randomUUID(),
        tag = 'service-cosign',
        created = new Date(),
        expires,
        alg,
        fields = ['@method', '@target-uri', 'content-digest'],
      } = changes;
      const { headers } = await httpbis.signMessage(
        {
          key: {
            id: 'k',
            alg: alg ?? 'ed25519',
            sign: async (data: Buffer) => sign(null, data, key.privateKey),
          },
          fields,
          params: [
            'created',
            'nonce',
            'tag',
            ...(expires ? ['expires'] : []),
            ...(alg ? ['alg'] : []),
          ],
          paramValues: { nonce, tag, created, ...(expires ? { expires } : {}) },
        },
        { method, url: `${api.world.url}${path}`, headers: { 'content-digest': digest } },
      );
      const given = headers as Readonly<Record<string, string>>;
      return {
        'content-digest': digest,
        'signature-input': String(given['Signature-Input']),
        signature: String(given['Signature']),
      };
    },
    send: async (holder, method, path, body, changes) =>
      holder.client.call(
        method,
        path,
        body,
        await signers.requestHeaders(holder, method, path, body ?? '', changes),
      ),
  };
  return signers;
};

export const bodyHeaders = (
  { key }: Pick<Holder, 'key'>,
  body: string,
): Record<string, string> => ({
  'x-agent-signature': sign(null, sha256(body), key.privateKey).toString('base64'),
  'x-agent-signature-content-hash': sha256(body).toString('hex'),
});

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
