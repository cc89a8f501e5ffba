import {
  calculateJwkThumbprint,
  exportJWK,
  generalDecrypt,
  GeneralEncrypt,
  generateKeyPair,
  type CryptoKey,
  type JWK,
} from 'jose';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { Body } from '../service/world.ts';

/** A key pair of an agent that decrypts, by a JOSE library that is not ours. */
export interface DecryptionKey {
  readonly jwk: JWK;
  readonly kid: string;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

export const decryptionKey = async (crv: 'X25519' | 'P-256'): Promise<DecryptionKey> => {
  const { publicKey, privateKey } = await generateKeyPair('ECDH-ES+A256KW', {
    crv,
    extractable: true,
  });
  const jwk = await exportJWK(publicKey);
  return { jwk, kid: await calculateJwkThumbprint(jwk), publicKey, privateKey };
};

export interface EncryptOptions {
  readonly enc?: string;
  readonly alg?: string;
  readonly aad?: string;
  /** Of every recipient, beside alg and kid. */
  readonly header?: Body;
}

/** JWE General JSON Serialization of the JSON text of the content. */
export const encryptTo = async (
  keys: readonly DecryptionKey[],
  content: unknown,
  { enc = 'A256GCM', alg = 'ECDH-ES+A256KW', aad, header = {} }: EncryptOptions = {},
): Promise<JsonObject> => {
  const jwe = new GeneralEncrypt(
    new TextEncoder().encode(JSON.stringify(content)),
  ).setProtectedHeader({ enc });
  if (aad !== undefined) jwe.setAdditionalAuthenticatedData(new TextEncoder().encode(aad));
  for (const { publicKey, kid } of keys)
    jwe.addRecipient(publicKey).setUnprotectedHeader({ alg, kid, ...header });
  return JSON.parse(JSON.stringify(await jwe.encrypt())) as JsonObject;
};

export const decryptWith = async (
  { privateKey }: DecryptionKey,
  jwe: unknown,
): Promise<unknown> => {
  const { plaintext } = await generalDecrypt(
    jwe as Parameters<typeof generalDecrypt>[0],
    privateKey,
  );
  return JSON.parse(new TextDecoder().decode(plaintext)) as unknown;
};
