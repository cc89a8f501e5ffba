import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
  type KeyObject,
} from 'node:crypto';
import type { Answer, Body } from '../service/world.ts';

/** Where a hub listens, behind its proxy. */
export interface Reached {
  readonly service: { readonly url: string | null };
}

export interface Forged {
  readonly hubId?: string;
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly signature?: string;
  /** The path under the signature. */
  readonly signedPath?: string;
  readonly signedMethod?: string;
  readonly key?: KeyObject;
  /** The bytes under the signature, where they are not those that are sent. */
  readonly signedBody?: string;
}

/** A hub of the other side that a test plays itself, from the words of interface 5.4 alone. */
export class Stranger {
  readonly pair = generateKeyPairSync('ed25519');
  constructor(
    readonly hubId: string = randomUUID(),
    readonly vaultRoot: string = randomBytes(32).toString('hex'),
    readonly baseUrl: string = 'https://stranger.invalid:1024',
  ) {}

  get jwk(): Body {
    return this.pair.publicKey.export({ format: 'jwk' });
  }

  get thumbprint(): string {
    return thumbprintOf(this.jwk);
  }

  handshake(to: string, more: Body = {}): Body {
    return {
      hubId: this.hubId,
      toHubId: to,
      baseUrl: this.baseUrl,
      publicKeyJwk: this.jwk,
      vaultRoot: this.vaultRoot,
      protocolVersions: ['1.0'],
      ...more,
    };
  }

  headersOf(path: string, body: string, forged: Forged = {}): Record<string, string> {
    const timestamp = forged.timestamp ?? new Date().toISOString();
    const nonce = forged.nonce ?? randomBytes(24).toString('base64url');
    const hash = createHash('sha256')
      .update(forged.signedBody ?? body)
      .digest('hex');
    const input = `service.federation.v1:${forged.signedMethod ?? 'POST'}:${forged.signedPath ?? path}:${hash}:${timestamp}:${nonce}`;
    const signature =
      forged.signature ??
      sign(null, Buffer.from(input), forged.key ?? this.pair.privateKey).toString('base64');
    return {
      'content-type': 'application/json',
      'x-service-peer-hub-id': forged.hubId ?? this.hubId,
      'x-service-timestamp': timestamp,
      'x-service-nonce': nonce,
      'x-service-signature': signature,
    };
  }

  async send(
    hub: Reached,
    path: string,
    body: Body | string,
    forged: Forged = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Body>> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return post(hub, path, text, { ...this.headersOf(path, text, forged), ...headers });
  }

  /** What an operator enters who compared all of it. */
  get registration(): Body {
    const { hubId, baseUrl, vaultRoot } = this;
    return { hubId, baseUrl, publicKeyJwk: this.jwk, vaultRoot };
  }

  /** The signature of this hub's key, which follows another one. */
  succession(hubId: string, former: string): string {
    const input = `service.hub-key.v1\n${hubId}\n${former}\n${this.thumbprint}`;
    return sign(null, Buffer.from(input), this.pair.privateKey).toString('base64');
  }

  async greet(hub: Reached, more: Body = {}, forged: Forged = {}): Promise<Answer<Body>> {
    const hubId = await hubIdOf(hub);
    return this.send(hub, '/federation/v1/peer', this.handshake(hubId, more), forged);
  }
}

export const hubIdOf = async ({ service }: Reached): Promise<string> =>
  String(((await (await fetch(`${service.url}/federation/v1/identity`)).json()) as Body)['hubId']);

export const post = async (
  hub: Reached,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer<Body>> => {
  const response = await fetch(`${String(hub.service.url)}${path}`, {
    method: 'POST',
    headers,
    body,
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Body),
    headers: response.headers,
  };
};

/** RFC 9679 of an Ed25519 key, from its words: SHA-256 of the deterministic CBOR of {1: 1, -1: 6, -2: x}. */
export const thumbprintOf = ({ x }: Body): string =>
  createHash('sha256')
    .update(
      Buffer.concat([
        Buffer.from([0xa3, 0x01, 0x01, 0x20, 0x06, 0x21, 0x58, 0x20]),
        Buffer.from(String(x), 'base64url'),
      ]),
    )
    .digest('hex');
