import { createHash, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { followSuccession } from '../../domain/vault/key-succession.ts';
import { useApi } from '../support/service/api.ts';
import { TIMESTAMP } from '../support/stories/problems.ts';
import { ok, openJob } from '../support/service/world.ts';

const api = useApi();

describe.each(['/v1/verification-keys', '/.well-known/service-vault-keys.json'])(
  'GET %s',
  (path) => {
    it('200 without a credential: the active key in every form, and how to use it', async () => {
      const body = await ok(api.world.anonymous.get(path));
      expect(body).toMatchObject({
        envelope: 'COSE_Sign1',
        payloadFormat: expect.any(String),
        canonicalization: expect.any(String),
        coseAlgorithm: -8,
        signatureAlgorithm: expect.any(String),
        signatureInputTemplate: expect.any(String),
      });
      expect(body['data']).toEqual([
        {
          keyId: expect.stringMatching(/^[0-9a-f]{32}$/),
          algorithm: 'Ed25519',
          coseAlgorithm: -8,
          minVerifierVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
          publicKey: expect.any(String),
          publicKeyRaw: expect.any(String),
          status: 'active',
          activatedAt: expect.stringMatching(TIMESTAMP),
          retiredAt: null,
        },
      ]);
    });

    it('publicKey is the SPKI of the fingerprint that the first start shows, publicKeyRaw its 32 bytes', async () => {
      const { publicKey, publicKeyRaw } = (await ok(api.world.anonymous.get(path)))['data'][0];
      const spki = Buffer.from(publicKey, 'base64');
      expect(createHash('sha256').update(spki).digest('hex')).toBe(api.fingerprint);
      const { x } = createPublicKey({ key: spki, format: 'der', type: 'spki' }).export({
        format: 'jwk',
      });
      expect(Buffer.from(publicKeyRaw, 'base64').toString('base64url')).toBe(x);
    });

    it('the keys come with the statements that prove them, as they stand on the platform chain', async () => {
      const { data, keyStatements } = await ok(api.world.anonymous.get(path));
      expect(keyStatements).toEqual([
        {
          keyId: data[0].keyId,
          statement: 'activated',
          position: 1,
          coseSign1: expect.any(String),
        },
      ]);
      const { faults, keys } = await followSuccession(
        (keyStatements as { coseSign1: string }[]).map(({ coseSign1 }) =>
          Uint8Array.from(Buffer.from(coseSign1, 'base64')),
        ),
      );
      expect(faults).toEqual([]);
      expect(keys).toMatchObject([{ keyId: data[0].keyId, activatedAt: data[0].activatedAt }]);
    });

    it('the keyId is the start of the RFC 9679 thumbprint, and names the signer of every entry', async () => {
      const { keyId, publicKeyRaw } = (await ok(api.world.anonymous.get(path)))['data'][0];
      // RFC 9679 section 3: the required members of an OKP key in deterministic CBOR: {1: 1, -1: 6, -2: x}.
      const coseKey = Buffer.concat([
        Buffer.from('a3010120062158' + '20', 'hex'),
        Buffer.from(publicKeyRaw, 'base64'),
      ]);
      expect(createHash('sha256').update(coseKey).digest('hex').slice(0, 32)).toBe(keyId);
      expect((await openJob(api.world))['signedStatement'].signingKeyId).toBe(keyId);
    });
  },
);
