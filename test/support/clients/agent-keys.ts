import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { TOKENS } from '../../../config/tokens.ts';
import { decodeSign1 } from '../../../domain/vault/cose-sign1.ts';
import type { Api } from '../service/api.ts';
import { ok, type Body } from '../service/world.ts';
import { dataIn, signedIn } from '../databases/stored-values.ts';

/** A key pair as an agent's own tools make it: nothing of the product is used. */
export interface KeyPair {
  readonly jwk: Body;
  readonly coseKey: string;
  /** RFC 9679, hex. */
  readonly thumbprint: string;
  sign(text: string): Buffer;
}

export const ed25519Pair = (): KeyPair => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return pairOf(publicKey.export({ format: 'jwk' }), (text) =>
    sign(null, Buffer.from(text), privateKey),
  );
};

export const p256Pair = (): KeyPair => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return pairOf(publicKey.export({ format: 'jwk' }), (text) => lowS(p1363(text, privateKey)));
};

export const x25519Jwk = (): Body =>
  generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' });

export const possession = (agentId: string, thumbprint: string): string =>
  `service.agent-key.v1\n${agentId}\n${thumbprint}`;

/** The proof for an agent, base64. */
export const proofOf = (pair: KeyPair, agentId: string): string =>
  pair.sign(possession(agentId, pair.thumbprint)).toString('base64');

export const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** (r, n − s): it verifies wherever (r, s) does. */
export const twin = (signature: Buffer): Buffer =>
  Buffer.concat([signature.subarray(0, 32), scalar(ORDER - scalarOf(signature))]);
const lowS = (signature: Buffer): Buffer =>
  scalarOf(signature) > ORDER / 2n ? twin(signature) : signature;
const scalarOf = (signature: Buffer): bigint =>
  BigInt(`0x${signature.subarray(32).toString('hex')}`);
const scalar = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const p1363 = (text: string, key: KeyObject): Buffer =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });

const pairOf = (jwk: Body, signer: (text: string) => Buffer): KeyPair => {
  const x = Buffer.from(jwk['x'] as string, 'base64url');
  const y = Buffer.from((jwk['y'] as string | undefined) ?? '', 'base64url');
  const ec = y.length > 0;
  const [kty, alg, crv] = ec ? ['0102', '0326', '2001'] : ['0101', '0327', '2006'];
  const point = `215820${x.toString('hex')}${ec ? `225820${y.toString('hex')}` : ''}`;
  return {
    jwk,
    coseKey: Buffer.from(`${ec ? 'a5' : 'a4'}${kty}${alg}${crv}${point}`, 'hex').toString('base64'),
    thumbprint: createHash('sha256')
      .update(Buffer.from(`${ec ? 'a4' : 'a3'}${kty}${crv}${point}`, 'hex'))
      .digest('hex'),
    sign: signer,
  };
};

/** The predicates of an agent on the platform chain and its events, oldest first, as the database of an embedded service holds them. */
export const publishedBy = (
  api: Api,
  agentId: string,
  entryType: string,
  eventType: string,
): { readonly entries: readonly Body[]; readonly events: readonly Body[] } => {
  const database = new DatabaseSync(databasePath(api), { readOnly: true, timeout: 5_000 });
  try {
    const sealed = database
      .prepare(
        "SELECT cose_sign1 FROM chain_entries WHERE chain_key = '00000000-0000-0000-0000-000000000000' AND entry_type = ? ORDER BY position",
      )
      .all(entryType) as Body[];
    const told = database
      .prepare('SELECT data FROM outbox WHERE type = ? AND agent_id = ? ORDER BY created_at, id')
      .all(eventType, Buffer.from(agentId.replaceAll('-', ''), 'hex')) as Body[];
    const statements = sealed.map(
      (row) => JSON.parse(Buffer.from(decodeSign1(signedIn(row)).payload).toString()) as Body,
    );
    return {
      entries: statements
        .map((statement) => statement['predicate'] as Body)
        .filter((predicate) => predicate['agentId'] === agentId),
      events: told.map(dataIn),
    };
  } finally {
    database.close();
  }
};

/** @returns the time, ISO 8601. */
export const deactivate = async (api: Pick<Api, 'world'>, agentId: string): Promise<string> =>
  String(
    (await ok(api.world.platform.post(`/v1/admin/agents/${agentId}/deactivate`)))['deactivatedAt'],
  );

const databasePath = (api: Api): string =>
  api.service.container.get(TOKENS.settings).DATABASE_URL.replace('sqlite://', '');
