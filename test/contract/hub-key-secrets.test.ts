import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { AesHubKeySecrets } from '../../adapters/keys/aes-hub-key-secrets.ts';

// Contract of application/federation/hub-key-secrets.port.ts

const [older, newest] = [randomBytes(32), randomBytes(32)];
const secrets = new AesHubKeySecrets([older]);
const moved = new AesHubKeySecrets([newest, older]);
const SAID = Buffer.from('what is signed');

const holds = (raw: Uint8Array, signature: Uint8Array): boolean => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url') };
  return verify(null, SAID, createPublicKey({ key: jwk, format: 'jwk' }), signature);
};

it('makes a key of Ed25519 each time, whose private part signs and is not to be seen', () => {
  const [one, other] = [secrets.make(randomUUID()), secrets.make(randomUUID())];
  expect(one.publicKey.curve).toBe('Ed25519');
  expect(one.publicKey.raw).toHaveLength(32);
  expect(one.publicKey.raw).not.toEqual(other.publicKey.raw);
  const id = randomUUID();
  const { publicKey, sealed } = secrets.make(id);
  expect(holds(publicKey.raw, secrets.open(sealed, id)!(SAID))).toBe(true);
});

it('opens nothing for another id, under another secret, or where a bit was changed', () => {
  const id = randomUUID();
  const { sealed } = secrets.make(id);
  expect(secrets.open(sealed, randomUUID())).toBeNull();
  expect(new AesHubKeySecrets([newest]).open(sealed, id)).toBeNull();
  for (let at = 0; at < sealed.length; at++) {
    const edited = Uint8Array.from(sealed);
    edited[at]! ^= 1;
    expect(secrets.open(edited, id)).toBeNull();
  }
  expect(secrets.open(new Uint8Array(), id)).toBeNull();
});

it('moves a key to the newest secret, so that the older one can be dropped', () => {
  const id = randomUUID();
  const { publicKey, sealed } = secrets.make(id);
  expect([secrets.isOld(sealed), moved.isOld(sealed)]).toEqual([false, true]);
  const again = moved.move(sealed, id)!;
  expect(moved.isOld(again)).toBe(false);
  expect(holds(publicKey.raw, new AesHubKeySecrets([newest]).open(again, id)!(SAID))).toBe(true);
  expect(moved.move(sealed, randomUUID())).toBeNull();
});
