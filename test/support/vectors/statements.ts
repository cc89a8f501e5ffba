import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { encode } from 'cbor2';
import { possession, twin } from '../clients/agent-keys.ts';
import { ok, type Body, type Client } from '../service/world.ts';

/** An agent's key for statements, made with node:crypto; its COSE is written by cbor2. */
export interface Issuer {
  readonly thumbprint: string;
  readonly jwk: Body;
  sign(bytes: Uint8Array): Buffer;
}

export const issuer = (algorithm: 'Ed25519' | 'ES256'): Issuer => {
  const { publicKey, privateKey } =
    algorithm === 'Ed25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk: Body = publicKey.export({ format: 'jwk' });
  const bytes = (text: unknown): Uint8Array =>
    new Uint8Array(Buffer.from(String(text), 'base64url'));
  const members: [number, unknown][] =
    algorithm === 'Ed25519'
      ? [
          [1, 1],
          [-1, 6],
          [-2, bytes(jwk['x'])],
        ]
      : [
          [1, 2],
          [-1, 1],
          [-2, bytes(jwk['x'])],
          [-3, bytes(jwk['y'])],
        ];
  return {
    jwk,
    thumbprint: createHash('sha256')
      .update(encode(new Map(members)))
      .digest('hex'),
    sign: (message) =>
      algorithm === 'Ed25519'
        ? sign(null, message, privateKey)
        : sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  };
};

export const registerKey = async (
  client: Client,
  agentId: string,
  key: Issuer,
  issuers: readonly string[],
): Promise<Body> => {
  const text = Buffer.from(possession(agentId, key.thumbprint));
  const proof = key.sign(text);
  const body = {
    publicKeyJwk: key.jwk,
    proofOfPossession: proof.toString('base64'),
    issuers,
  };
  return ok(client.post(`/v1/agents/${agentId}/signing-keys`, body));
};

export interface StatementParts {
  readonly iss?: string;
  readonly sub?: string;
  readonly payload?: string;
  readonly kid?: Uint8Array;
  readonly alg?: number;
  /** CWT claims beyond iss and sub, such as exp (4) and nbf (5). */
  readonly claims?: readonly (readonly [number, unknown])[];
  readonly unprotected?: ReadonlyMap<number, unknown>;
}

/** A tagged COSE_Sign1 in the order of labels in which ordinary clients write them. */
export const statement = (
  key: Issuer,
  {
    iss = 'https://issuer.example',
    sub = 'a thing',
    payload = 'hello',
    kid,
    alg,
    claims = [],
    unprotected = new Map(),
  }: StatementParts = {},
): Uint8Array => {
  const header = encode(
    new Map<number, unknown>([
      [1, alg ?? (key.jwk['kty'] === 'EC' ? -7 : -8)],
      [3, 'text/plain'],
      [4, kid ?? new Uint8Array(Buffer.from(key.thumbprint, 'hex'))],
      [15, new Map<number, unknown>([[1, iss], [2, sub], ...claims])],
    ]),
  );
  const bytes = new TextEncoder().encode(payload);
  const signature = key.sign(
    encode(['Signature1', new Uint8Array(header), new Uint8Array(0), bytes]),
  );
  return assemble(header, bytes, signature, unprotected);
};

/** The same statement under the other ECDSA signature (r, n − s). */
export const withTwin = (bytes: Uint8Array): Uint8Array => {
  const signature = twin(Buffer.from(bytes.subarray(-64)));
  return new Uint8Array(Buffer.concat([bytes.subarray(0, -64), signature]));
};

const assemble = (
  header: Uint8Array,
  payload: Uint8Array,
  signature: Uint8Array,
  unprotected: ReadonlyMap<number, unknown>,
): Uint8Array =>
  new Uint8Array(
    Buffer.concat([
      Buffer.of(0xd2),
      encode([new Uint8Array(header), unprotected, payload, new Uint8Array(signature)]),
    ]),
  );
