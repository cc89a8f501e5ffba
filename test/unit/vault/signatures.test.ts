import { createHash, createPrivateKey, createPublicKey, sign, webcrypto } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import { isUsableKey } from '../../../application/identity/token-key.ts';
import { JoseTokenSignatures } from '../../../adapters/jose/jose-token-signatures.ts';
import { runtimeEquation } from '../../../adapters/cli/runtime-equation.ts';
import { assertPossession, possessionText } from '../../../domain/identity/possession.ts';
import { publicKeyFromSpki, KeyError } from '../../../domain/vault/cose-key.ts';
import { isSoundEd25519Signature, isWithoutCofactor } from '../../../domain/vault/ed25519-form.ts';
import {
  ImmediateChecks,
  verifySignature,
  VerifyingKeys,
} from '../../../domain/vault/signatures.ts';
import { es256Twin, webCryptoSigner } from '../../support/attackers/make-export.ts';

const Point = ed25519.Point;
const ORDER = Point.Fn.ORDER;
const littleEndian = (value: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());
const numberOf = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const scalar = (seed: string): bigint =>
  numberOf(createHash('sha512').update(seed).digest()) % ORDER;

const TORSION = Point.fromBytes(
  Uint8Array.from(
    Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex'),
  ),
  false,
);
const torsion = Array.from({ length: 8 }, (_, n) =>
  n === 0 ? Point.ZERO : TORSION.multiplyUnsafe(BigInt(n)),
);
const secret = scalar('a key');
const publicPoint = Point.BASE.multiply(secret);
const message = new TextEncoder().encode('a message');

/** A signature as whoever holds the key may make it, with any R that is a multiple of the base and a torsion point. */
const signatureOf = (
  nonce: bigint,
  part: InstanceType<typeof Point>,
  key = publicPoint,
): Uint8Array => {
  const R = (nonce === 0n ? Point.ZERO : Point.BASE.multiply(nonce)).add(part);
  const k =
    numberOf(
      createHash('sha512').update(R.toBytes()).update(key.toBytes()).update(message).digest(),
    ) % ORDER;
  return Uint8Array.of(...R.toBytes(), ...littleEndian((nonce + k * secret) % ORDER));
};
const atOnce = new ImmediateChecks(runtimeEquation());
/** Of WebCrypto; the checks of a thread that verifies a dump say the same of every signature here. */
const verdictOf = async (...asked: Parameters<typeof verifySignature>): Promise<string> => {
  const result = await verifySignature(...asked);
  expect(atOnce.check(...asked)).toBe(result);
  return result;
};
const verdict = (signature: Uint8Array): Promise<string> =>
  verdictOf(
    new VerifyingKeys().of({ algorithm: 'Ed25519', raw: publicPoint.toBytes() }),
    signature,
    message,
  );

describe('an Ed25519 signature', () => {
  it('holds where R is a multiple of the base point', async () => {
    expect(await verdict(signatureOf(scalar('a nonce'), Point.ZERO))).toBe('valid');
  });

  it('does not hold with the identity as R, which this runtime takes', async () => {
    const signature = signatureOf(0n, Point.ZERO);
    const key = await webcrypto.subtle.importKey(
      'raw',
      Uint8Array.from(publicPoint.toBytes()),
      'Ed25519',
      true,
      ['verify'],
    );
    expect(await webcrypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), message)).toBe(
      true,
    );
    expect(await verdict(signature)).toBe('invalid');
  });

  it.each(torsion.map((point, n) => [n, point] as const))(
    'does not hold with R = torsion point %i, alone, in its other encoding, or beside a sound one',
    async (n, point) => {
      const alone = signatureOf(0n, point);
      const otherSign = Uint8Array.from(alone);
      otherSign[31] = otherSign[31]! ^ 0x80;
      for (const signature of [alone, otherSign]) {
        expect(isSoundEd25519Signature(signature)).toBe(false);
        expect(await verdict(signature)).toBe('invalid');
      }
      if (n > 0) expect(await verdict(signatureOf(scalar('a nonce'), point))).toBe('invalid');
    },
  );

  it('does not hold with S + L, nor with an R that is not below the prime', async () => {
    const good = signatureOf(scalar('a nonce'), Point.ZERO);
    const larger = Uint8Array.of(
      ...good.subarray(0, 32),
      ...littleEndian(numberOf(good.subarray(32)) + ORDER),
    );
    expect(isSoundEd25519Signature(larger)).toBe(false);
    expect(await verdict(larger)).toBe('invalid');
    for (let above = 0n; above < 19n; above++)
      for (const sign of [0n, 1n << 255n]) {
        const R = littleEndian(2n ** 255n - 19n + above + sign);
        expect(isSoundEd25519Signature(Uint8Array.of(...R, ...good.subarray(32)))).toBe(false);
      }
    const below = littleEndian(2n ** 255n - 21n);
    expect(isSoundEd25519Signature(Uint8Array.of(...below, ...good.subarray(32)))).toBe(true);
  });

  it('an implementation that multiplies by the cofactor is found out, and this runtime is none', async () => {
    expect(
      await isWithoutCofactor(async (key, signature, bytes) =>
        ed25519.verify(signature, bytes, key, { zip215: true }),
      ),
    ).toBe(false);
    const runtime = async (raw: Uint8Array, signature: Uint8Array, bytes: Uint8Array) =>
      webcrypto.subtle.verify(
        'Ed25519',
        await webcrypto.subtle.importKey('raw', Uint8Array.from(raw), 'Ed25519', true, ['verify']),
        Uint8Array.from(signature),
        Uint8Array.from(bytes),
      );
    expect(await isWithoutCofactor(runtime)).toBe(true);
  });

  it('is not judged by an equation with the cofactor', () => {
    const multiplying = new ImmediateChecks(({ raw }, signature, bytes) =>
      ed25519.verify(signature, bytes, raw, { zip215: true }),
    );
    const key = new VerifyingKeys().of({ algorithm: 'Ed25519', raw: publicPoint.toBytes() });
    const good = signatureOf(scalar('a nonce'), Point.ZERO);
    expect(multiplying.check(key, good, message)).toBe('unsupported');
    expect(atOnce.check(key, good, message)).toBe('valid');
  });
});

describe('an Ed25519 key', () => {
  it.each(torsion.map((point, n) => [n, point] as const))(
    'is refused with torsion point %i in it, or as it',
    (n, point) => {
      const keys = new VerifyingKeys();
      const raw = (key: InstanceType<typeof Point>) =>
        ({ algorithm: 'Ed25519', raw: key.toBytes() }) as const;
      expect(() => keys.of(raw(point))).toThrow(KeyError);
      if (n > 0) expect(() => keys.of(raw(publicPoint.add(point)))).toThrow(/mixed order/);
      else expect(keys.of(raw(publicPoint)).keyId).toHaveLength(32);
    },
  );

  it('of mixed order is no key of an identity provider, and none of a DPoP proof', () => {
    const jwk = (point: InstanceType<typeof Point>) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.from(point.toBytes()).toString('base64url'),
    });
    expect(isUsableKey(jwk(publicPoint))).toBe(true);
    expect(isUsableKey(jwk(publicPoint.add(TORSION)))).toBe(false);
  });

  it('signs no token with the identity as R', async () => {
    const jwk = {
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.from(publicPoint.toBytes()).toString('base64url'),
    };
    const input = `${Buffer.from('{"alg":"EdDSA"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}`;
    const signed = (nonce: bigint): string => {
      const R = nonce === 0n ? Point.ZERO : Point.BASE.multiply(nonce);
      const k =
        numberOf(
          createHash('sha512')
            .update(R.toBytes())
            .update(publicPoint.toBytes())
            .update(input)
            .digest(),
        ) % ORDER;
      const signature = [...R.toBytes(), ...littleEndian((nonce + k * secret) % ORDER)];
      return `${input}.${Buffer.from(signature).toString('base64url')}`;
    };
    const signatures = new JoseTokenSignatures();
    expect(await signatures.verify(signed(scalar('n')), 'EdDSA', jwk)).toBe(true);
    expect(await signatures.verify(signed(0n), 'EdDSA', jwk)).toBe(false);
  });
});

describe('an ES256 signature', () => {
  it('of ours is taken with the low s alone', async () => {
    const signer = await webCryptoSigner('ES256');
    const key = new VerifyingKeys().of(publicKeyFromSpki(signer.publicKey));
    const signature = await signer.sign(message);
    expect(await verdictOf(key, signature, message)).toBe('valid');
    expect(await verdictOf(key, es256Twin(signature), message)).toBe('invalid');
  });

  it('of others is taken in both forms: a proof of possession as an ordinary client makes it', async () => {
    const { privateKey } = await webcrypto.subtle.generateKey(
      { name: 'ECDSA', namedCurve: 'P-256' },
      true,
      ['sign', 'verify'],
    );
    const pem = createPrivateKey({
      key: Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)),
      format: 'der',
      type: 'pkcs8',
    });
    const { raw } = publicKeyFromSpki(
      new Uint8Array(createPublicKey(pem).export({ format: 'der', type: 'spki' })),
    );
    const agentId = '019c1f00-0000-7000-8000-000000000001';
    const signature = new Uint8Array(
      sign('sha256', Buffer.from(possessionText(agentId, 'thumb')), {
        key: pem,
        dsaEncoding: 'ieee-p1363',
      }),
    );
    const prove = (proof: Uint8Array): Promise<void> =>
      assertPossession(
        { curve: 'P-256', raw },
        agentId,
        'thumb',
        Buffer.from(proof).toString('base64'),
      );
    await prove(signature);
    await prove(es256Twin(signature));
    const other = Uint8Array.from(signature);
    other[40] = other[40]! ^ 1;
    await expect(prove(other)).rejects.toThrow('not a signature by this key');
  });
});
