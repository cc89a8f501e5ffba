import { readdirSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CborError } from '../../domain/kernel/deterministic-cbor.ts';
import { fromHex, toHex } from '../../domain/kernel/digest.ts';
import {
  coseKeyThumbprint,
  fingerprintOf,
  keyIdOf,
  spkiOf,
  type PublicKey,
} from '../../domain/vault/cose-key.ts';
import {
  decodeSign1,
  encodeSign1,
  sigStructure,
  type Sign1,
} from '../../domain/vault/cose-sign1.ts';
import { VerifyingKeys, verifySignature } from '../../domain/vault/signatures.ts';

interface Vector {
  readonly title: string;
  readonly fail?: boolean;
  readonly input: {
    readonly sign0?: {
      readonly key: {
        readonly kty: string;
        readonly crv: string;
        readonly x?: string;
        readonly y?: string;
        readonly x_hex?: string;
        readonly y_hex?: string;
      };
      readonly alg: string;
      readonly external?: string;
    };
    readonly failures?: { readonly ChangeCBORTag?: number; readonly RemoveCBORTag?: number };
  };
  readonly intermediates: { readonly ToBeSign_hex?: string };
  readonly output: { readonly cbor: string };
}

const FOLDER = new URL('./cose/', import.meta.url);
const vectors = ['sign1-tests', 'ecdsa-examples', 'eddsa-examples'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, FOLDER)).map(
    (file) =>
      [
        `${folder}/${file}`,
        JSON.parse(readFileSync(new URL(`${folder}/${file}`, FOLDER), 'utf8')) as Vector,
      ] as const,
  ),
);
const single = vectors.filter(([, vector]) => vector.input.sign0);
const several = vectors.filter(([, vector]) => !vector.input.sign0);

it('the published COSE vectors are all there', () => {
  expect([single.length, several.length]).toEqual([15, 6]);
});

/** Takes what the vectors leave out by intent: an untagged message is one too. */
const read = ({ input, output }: Vector): Sign1 => {
  const bytes = fromHex(output.cbor.toLowerCase());
  return decodeSign1(input.failures?.RemoveCBORTag ? Uint8Array.of(0xd2, ...bytes) : bytes);
};

describe('COSE_Sign1 (RFC 9052 section 4)', () => {
  const readable = single.filter(([, vector]) => !vector.input.failures?.ChangeCBORTag);

  it.each(readable)(
    '%s: the bytes to be signed are the published ones, unless the vector damages them',
    (_, vector) => {
      const sign1 = read(vector);
      const external = fromHex(vector.input.sign0!.external ?? '');
      const signed = toHex(sigStructure(sign1.protectedBytes, sign1.payload, external));
      const published = vector.intermediates.ToBeSign_hex!.toLowerCase();
      // sign-fail-03 and -04 damage the algorithm, -06 and -07 other protected members: all of it is signed.
      if (
        vector.fail &&
        vector.input.failures &&
        !/ChangeTag/.test(JSON.stringify(vector.input.failures))
      )
        expect(signed).not.toBe(published);
      else expect(signed).toBe(vector.fail ? signed : published);
    },
  );

  it.each(readable)('%s: the signature holds exactly where it is meant to', async (_, vector) => {
    expect(await holds(read(vector), vector.input.sign0!)).toBe(vector.fail !== true);
  });

  it.each(
    readable.filter(
      ([, vector]) =>
        ['P-256', 'Ed25519'].includes(vector.input.sign0!.key.crv) &&
        vector.input.sign0!.alg !== 'ES512',
    ),
  )('%s: the verifier agrees, but for signatures with a high s', async (_, vector) => {
    const sign1 = read(vector);
    const key = new VerifyingKeys().of(keyOf(vector.input.sign0!.key));
    const result = await verifySignature(
      key,
      sign1.signature,
      sigStructure(
        sign1.protectedBytes,
        sign1.payload,
        fromHex(vector.input.sign0!.external ?? ''),
      ),
    );
    const lowS =
      vector.input.sign0!.alg !== 'ES256' ||
      BigInt(`0x${toHex(sign1.signature.subarray(32))}`) * 2n <
        0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    expect(result).toBe(vector.fail !== true && lowS ? 'valid' : 'invalid');
  });

  it.each(single.filter(([, vector]) => vector.input.failures?.ChangeCBORTag))(
    '%s: another tag than 18 is refused',
    (_, vector) => {
      expect(() => read(vector)).toThrow(CborError);
    },
  );

  it.each(single.filter(([, vector]) => vector.input.failures?.RemoveCBORTag))(
    '%s: an untagged message is refused, as every message of this service is tagged',
    (_, vector) => {
      expect(() => decodeSign1(fromHex(vector.output.cbor.toLowerCase()))).toThrow(CborError);
    },
  );

  it.each(several)('%s: a message with several signers is refused', (_, vector) => {
    expect(() => read(vector)).toThrow(CborError);
  });

  it.each(readable)(
    '%s: written again with an empty unprotected header, only that differs',
    (_, vector) => {
      const { protectedBytes, payload, signature } = read(vector);
      const again = decodeSign1(encodeSign1(protectedBytes, payload, signature));
      expect(again).toEqual({ protectedBytes, payload, signature, unprotected: new Map() });
    },
  );
});

const CURVES: Readonly<
  Record<string, { readonly import: { name: string; namedCurve?: string }; readonly format: 'raw' }>
> = {
  'P-256': { import: { name: 'ECDSA', namedCurve: 'P-256' }, format: 'raw' },
  'P-384': { import: { name: 'ECDSA', namedCurve: 'P-384' }, format: 'raw' },
  'P-521': { import: { name: 'ECDSA', namedCurve: 'P-521' }, format: 'raw' },
  Ed25519: { import: { name: 'Ed25519' }, format: 'raw' },
  Ed448: { import: { name: 'Ed448' }, format: 'raw' },
};
const HASHES: Readonly<Record<string, string>> = {
  ES256: 'SHA-256',
  ES384: 'SHA-384',
  ES512: 'SHA-512',
};

type VectorKey = NonNullable<Vector['input']['sign0']>['key'];

const coordinate = (base64url: string | undefined, hex: string | undefined): Uint8Array =>
  base64url === undefined
    ? fromHex(hex ?? '')
    : new Uint8Array(Buffer.from(base64url, 'base64url'));

const rawOf = (key: VectorKey): Uint8Array =>
  key.kty === 'EC'
    ? Uint8Array.of(4, ...coordinate(key.x, key.x_hex), ...coordinate(key.y, key.y_hex))
    : coordinate(key.x, key.x_hex);

const keyOf = (key: VectorKey): PublicKey => ({
  algorithm: key.crv === 'P-256' ? 'ES256' : 'Ed25519',
  raw: rawOf(key),
});

const holds = async (
  sign1: Sign1,
  { key, alg, external }: NonNullable<Vector['input']['sign0']>,
): Promise<boolean> => {
  const curve = CURVES[key.crv]!;
  const imported = await crypto.subtle.importKey(curve.format, rawOf(key), curve.import, true, [
    'verify',
  ]);
  const params = HASHES[alg] ? { name: 'ECDSA', hash: HASHES[alg] } : { name: key.crv };
  return crypto.subtle.verify(
    params,
    imported,
    sign1.signature,
    sigStructure(sign1.protectedBytes, sign1.payload, fromHex(external ?? '')),
  );
};

describe('COSE key thumbprints (RFC 9679)', () => {
  const p256: PublicKey = {
    algorithm: 'ES256',
    raw: fromHex(
      '0465eda5a12577c2bae829437fe338701a10aaa375e1bb5b5de108de439c08551d1e52ed75701163f7f9e40ddf9f341b3dc9ba860af7e0ca7ca7e9eecd0084d19c',
    ),
  };
  const ed25519: PublicKey = {
    algorithm: 'Ed25519',
    raw: fromHex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
  };

  it('section 6: the key of the RFC has the thumbprint of the RFC', () => {
    expect(toHex(coseKeyThumbprint(p256))).toBe(
      '496bd8afadf307e5b08c64b0421bf9dc01528a344a43bda88fadd1669da253ec',
    );
  });

  it('the Ed25519 key of RFC 8037 appendix A: the hash of its three required members, written out by hand', () => {
    const members = Buffer.from(`a3010120062158${'20'}${toHex(ed25519.raw)}`, 'hex');
    expect(toHex(coseKeyThumbprint(ed25519))).toBe(
      createHash('sha256').update(members).digest('hex'),
    );
    expect(toHex(coseKeyThumbprint(ed25519))).toBe(
      '866eefbd6718c8846cd7ddfe43fc74ab1daac4538ff8514ea2ec2d410a415743',
    );
  });

  it('the key id is its first half, the fingerprint is that of the SPKI', () => {
    expect(keyIdOf(p256)).toBe('496bd8afadf307e5b08c64b0421bf9dc');
    for (const key of [p256, ed25519])
      expect(fingerprintOf(key)).toBe(createHash('sha256').update(spkiOf(key)).digest('hex'));
  });
});
