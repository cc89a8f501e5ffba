import { generateKeyPairSync, sign as nodeSign, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AnsweringServer } from './answering-server.ts';

export type TransitType = 'ed25519' | 'ecdsa-p256';

interface Version {
  readonly publicKey: KeyObject;
  privateKey: KeyObject;
}

/** One request for a signature, before it is answered. */
export interface Asked {
  readonly key: string;
  readonly bytes: Buffer;
}

/** What happens to a request for a signature; a number is the status of a refusal. */
export type Mood = (asked: Asked) => number | void | Promise<number | void>;

/**
 * A server that speaks the part of the HTTP API of Vault's transit secrets engine which a signer uses, and really signs:
 * GET /v1/{mount}/keys/{name}, POST /v1/{mount}/sign/{name}[/{hash}] with input, key_version and marshaling_algorithm.
 * The forms are those of the public API documentation; it shows that the adapter keeps to them, not that Vault does.
 */
export class TransitServer extends AnsweringServer {
  /** Changes how requests for signatures are answered. */
  mood: Mood = () => undefined;
  signed = 0;
  /** The bodies and headers of the requests for signatures. */
  readonly requests: {
    readonly path: string;
    readonly body: Record<string, unknown>;
    readonly headers: IncomingMessage['headers'];
  }[] = [];
  private readonly keys = new Map<string, { type: TransitType; versions: Version[] }>();

  constructor(private readonly token = 'test-token') {
    super();
  }

  /** A key, or a further version of it. */
  addKey(name: string, type: TransitType = 'ed25519'): this {
    const key = this.keys.get(name) ?? { type, versions: [] };
    key.versions.push(
      type === 'ed25519'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    );
    this.keys.set(name, key);
    return this;
  }

  /** From here on it is still listed, and signatures under its name are by another key. */
  signFalsely(name: string): void {
    const { type, versions } = this.keys.get(name)!;
    const { privateKey } =
      type === 'ed25519'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    versions.at(-1)!.privateKey = privateKey;
  }

  /** The settings that name it. */
  env(key: string): Record<string, string> {
    return {
      SIGNER: 'vault-transit',
      VAULT_ADDR: this.url,
      VAULT_TOKEN: this.token,
      TRANSIT_KEY: key,
    };
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.headers['x-vault-token'] !== this.token)
      return send(403, { errors: ['permission denied'] });
    const [, , mount, verb, name = '', hash] = (request.url ?? '').split('/');
    const key = this.keys.get(name);
    if (mount !== 'transit' || !key) return send(404, { errors: [] });
    if (request.method === 'GET' && verb === 'keys')
      return send(200, { data: described(name, key) });
    if (request.method !== 'POST' || verb !== 'sign')
      return send(405, { errors: ['unsupported operation'] });
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
    this.requests.push({ path: request.url ?? '', body, headers: request.headers });
    const bytes = Buffer.from(String(body['input']), 'base64');
    const refused = await this.mood({ key: name, bytes });
    if (typeof refused === 'number') return send(refused, { errors: ['out of sorts'] });
    const number = Number(body['key_version'] ?? key.versions.length);
    const version = key.versions[number - 1];
    if (!version) return send(400, { errors: ['invalid key version'] });
    if (key.type === 'ecdsa-p256' && hash !== undefined && hash !== 'sha2-256')
      return send(400, { errors: ['unexpected hash'] });
    this.signed++;
    send(200, {
      data: {
        key_version: number,
        signature: `vault:v${number}:${signatureOf(key.type, version, bytes, body)}`,
      },
    });
  }
}

const signatureOf = (
  type: TransitType,
  { privateKey }: Version,
  bytes: Buffer,
  body: Record<string, unknown>,
): string => {
  if (type === 'ed25519') return nodeSign(null, bytes, privateKey).toString('base64');
  // As Vault does: DER in base64 unless `jws` is asked for, which is r‖s in base64url.
  return body['marshaling_algorithm'] === 'jws'
    ? nodeSign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
        'base64url',
      )
    : nodeSign('sha256', bytes, { key: privateKey, dsaEncoding: 'der' }).toString('base64');
};

const described = (
  name: string,
  { type, versions }: { type: TransitType; versions: Version[] },
): object => ({
  name,
  type,
  latest_version: versions.length,
  min_decryption_version: 1,
  exportable: false,
  deletion_allowed: false,
  supports_signing: true,
  keys: Object.fromEntries(
    versions.map(({ publicKey }, at) => [
      String(at + 1),
      {
        creation_time: '2026-01-01T00:00:00Z',
        name: type === 'ed25519' ? 'ed25519' : 'P-256',
        public_key:
          type === 'ed25519'
            ? Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url').toString(
                'base64',
              )
            : publicKey.export({ type: 'spki', format: 'pem' }),
      },
    ]),
  ),
});
