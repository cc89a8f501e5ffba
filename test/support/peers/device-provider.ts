import { get, request, type RequestOptions } from 'node:https';
import Provider, { type Configuration } from 'oidc-provider';
import { exportJWK, generateKeyPair } from 'jose';
import { randomUUID } from 'node:crypto';
import { AUDIENCE, serveTls, tlsFiles, type TlsServer } from './oidc.ts';

export interface DeviceProvider extends TlsServer {
  readonly issuer: string;
  readonly clientId: string;
  /** The person signs in and confirms, in a browser of its own. */
  approve(verificationUri: string): Promise<void>;
  /** The same person refuses. */
  refuse(verificationUri: string): Promise<void>;
}

const CLIENT_ID = 'notary-cli';

/** A real OpenID provider (`oidc-provider`) with the device flow (RFC 8628). @param agentId whom its tokens name */
export const startDeviceProvider = async (
  agentId: () => string,
  hasDeviceFlow = true,
): Promise<DeviceProvider> => {
  const tls = await serveTls((incoming, outgoing) => handler(incoming, outgoing));
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' };
  const answer = new Provider(tls.url, configuration(jwk, agentId, hasDeviceFlow)).callback();
  const handler: Parameters<typeof serveTls>[0] = (incoming, outgoing) =>
    void answer(incoming, outgoing);
  const through = (uri: string, isRefused: boolean) => visit(uri, isRefused);
  return {
    ...tls,
    issuer: tls.url,
    clientId: CLIENT_ID,
    approve: (uri) => through(uri, false),
    refuse: (uri) => through(uri, true),
  };
};

const configuration = (
  jwk: object,
  agentId: () => string,
  hasDeviceFlow: boolean,
): Configuration => ({
  jwks: { keys: [jwk] },
  clients: [
    {
      client_id: CLIENT_ID,
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      grant_types: hasDeviceFlow
        ? ['urn:ietf:params:oauth:grant-type:device_code']
        : ['authorization_code'],
      response_types: hasDeviceFlow ? [] : ['code'],
      redirect_uris: hasDeviceFlow ? [] : ['http://127.0.0.1/callback'],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  scopes: ['openid', 'records:write', 'records:read', 'audit:read', 'completions:write'],
  features: {
    devInteractions: { enabled: true },
    deviceFlow: { enabled: hasDeviceFlow },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'records:write records:read audit:read completions:write',
        audience: AUDIENCE,
        accessTokenTTL: 600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  extraTokenClaims: () => ({ agent_id: agentId() }),
});

/** Follows the pages as a browser does: each form is sent with its hidden inputs, under the cookies. */
const visit = async (start: string, isRefused: boolean): Promise<void> => {
  const cookies = new Map<string, string>();
  let [url, body] = [start, null as string | null];
  let isOver = false;
  for (let page = 0; page < 20; page++) {
    const { status, location, text } = await exchange(url, body, cookies);
    if (status >= 300 && status < 400 && location) {
      [url, body] = [new URL(location, url).href, null];
      continue;
    }
    const form = /<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(text);
    if (!form || isOver) return;
    const fields = new URLSearchParams();
    for (const [input] of form[2]!.matchAll(/<input[^>]*>/g)) {
      const name = /name="([^"]+)"/.exec(input)?.[1];
      if (name) fields.set(name, unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? 'person'));
    }
    if (isRefused && fields.has('confirm')) {
      fields.delete('confirm');
      fields.set('abort', 'yes');
      isOver = true;
    }
    [url, body] = [new URL(unescaped(form[1]!), url).href, fields.toString()];
  }
  throw new Error('the pages of the provider do not end');
};

const unescaped = (text: string): string => text.replaceAll('&amp;', '&');

interface Exchange {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

const exchange = (
  url: string,
  body: string | null,
  cookies: Map<string, string>,
): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    const options: RequestOptions = {
      ca: tlsFiles.ca,
      method: body === null ? 'GET' : 'POST',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    };
    const call = (body === null ? get : request)(url, options, (incoming) => {
      for (const line of incoming.headers['set-cookie'] ?? []) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        cookies.set(name!, value!);
      }
      let text = '';
      incoming
        .on('data', (part) => (text += String(part)))
        .on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, location: incoming.headers.location, text }),
        );
    });
    call.on('error', reject);
    call.end(body ?? undefined);
  });
