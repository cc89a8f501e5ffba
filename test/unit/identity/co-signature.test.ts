import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { httpbis } from 'http-message-signatures';
import { describe, expect, it } from 'vitest';
import {
  coSignatureParts,
  coSignedBytes,
  parseSignatureInput,
  type RequestCoSignature,
} from '../../../domain/identity/co-signature.ts';
import { coSignedHash } from '../../../domain/identity/co-signed-request.ts';
import { VerifyingKeys, verifySignature } from '../../../domain/vault/signatures.ts';

const CERT = '019c1f00-0000-7000-8000-000000000001';
const BODY = '{"a":1}';
const DIGEST = `sha-256=:${createHash('sha256').update(BODY).digest('base64')}:`;

const signed = async (
  privateKey: KeyObject,
  fields: readonly string[],
  publicKey: KeyObject,
): Promise<RequestCoSignature> => {
  const request = {
    method: 'POST',
    url: 'https://notary.example/v1/records?x=1',
    headers: { 'content-digest': DIGEST },
  };
  const message = await httpbis.signMessage(
    {
      key: { id: 'k', alg: 'ed25519', sign: async (data: Buffer) => sign(null, data, privateKey) },
      fields: [...fields],
      params: ['created', 'nonce', 'tag'],
      paramValues: {
        created: new Date(1_800_000_000_000),
        nonce: 'n'.repeat(22),
        tag: 'service-cosign',
      },
    },
    request,
  );
  const headers = message.headers as Readonly<Record<string, string>>;
  const valueOf = (name: string): string => String(headers[name]).replace(/^sig=/, '');
  return {
    coverage: 'request',
    certId: CERT,
    publicKey: String(publicKey.export({ format: 'jwk' }).x),
    method: request.method,
    targetUri: request.url,
    contentDigest: DIGEST,
    signatureInput: valueOf('Signature-Input'),
    signature: valueOf('Signature').replaceAll(':', ''),
  };
};

const holds = async (block: RequestCoSignature): Promise<boolean> => {
  const parts = coSignatureParts(block);
  return (
    parts !== null &&
    (await verifySignature(
      new VerifyingKeys().of({ algorithm: 'Ed25519', raw: parts.key }),
      parts.signature,
      parts.bytes,
    )) === 'valid'
  );
};

describe('a co-signature over a request', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');

  it.each([
    [['@method', '@target-uri', 'content-digest']],
    [['content-digest', '@target-uri', '@method']],
  ])(
    'made by an RFC 9421 library that is not ours holds, whatever the order: %s',
    async (fields) => {
      expect(await holds(await signed(privateKey, fields, publicKey))).toBe(true);
    },
  );

  it('does not hold over another method, target, body or parameter', async () => {
    const block = await signed(privateKey, ['@method', '@target-uri', 'content-digest'], publicKey);
    for (const change of [
      { method: 'PUT' },
      { targetUri: `${block.targetUri}&y=2` },
      { contentDigest: DIGEST.replace('a', 'b') },
      { signatureInput: block.signatureInput.replace('service-cosign', 'service-cosigm') },
    ])
      expect({ change, holds: await holds({ ...block, ...change }) }).toEqual({
        change,
        holds: false,
      });
  });

  it('whose alg parameter does not fit the key cannot be checked: others would refuse it too', async () => {
    const block = await signed(privateKey, ['@method', '@target-uri', 'content-digest'], publicKey);
    const withAlg = (alg: string): RequestCoSignature => ({
      ...block,
      signatureInput: `${block.signatureInput};alg=${alg}`,
    });
    expect(coSignatureParts(withAlg('"ed25519"'))).not.toBeNull();
    for (const alg of ['"hmac-sha256"', '"ecdsa-p256-sha256"', '"Ed25519"', '""', '25519'])
      expect([alg, coSignatureParts(withAlg(alg))]).toEqual([alg, null]);
  });

  it('names the hash of the body that it covers, whatever its form', () => {
    const hash = createHash('sha256').update(BODY).digest('hex');
    const over = { certId: CERT, publicKey: '', method: 'POST', signature: '' };
    const request = { ...over, coverage: 'request', targetUri: '', signatureInput: '' } as const;
    expect(coSignedHash({ ...request, contentDigest: DIGEST })).toBe(hash);
    expect(coSignedHash({ ...over, coverage: 'body', path: '', contentHash: hash })).toBe(hash);
    for (const contentDigest of [DIGEST.replace('256', '512'), DIGEST.slice(1), `${DIGEST}:`, ''])
      expect(coSignedHash({ ...request, contentDigest })).toBeNull();
  });

  it.each([
    ['a component is missing', '("@method" "@target-uri");created=1;nonce="n";tag="t"'],
    ['one stands twice', '("@method" "@method" "content-digest");created=1'],
    ['another one is covered', '("@method" "@target-uri" "content-digest" "date");created=1'],
    ['a component has a parameter', '("@method";req "@target-uri" "content-digest");created=1'],
    ['a parameter stands twice', '("@method" "@target-uri" "content-digest");created=1;created=2'],
    ['a string has an escape', '("@method" "@target-uri" "content-digest");tag="a\\"b"'],
    ['there is a line feed', '("@method" "@target-uri" "content-digest");tag="a\nb"'],
    ['there is more behind it', '("@method" "@target-uri" "content-digest");created=1 '],
  ])('is not read where %s', (_what, input) => {
    expect(parseSignatureInput(input)).toBeNull();
  });

  it('no two different parameters give the same bytes to sign', () => {
    const text = fc.stringMatching(/^[ !#-[\]-~]{0,20}$/);
    const block = (method: string, nonce: string): RequestCoSignature => ({
      coverage: 'request',
      certId: CERT,
      publicKey: '',
      method,
      targetUri: 'https://x/',
      contentDigest: 'd',
      signatureInput: `("@method" "@target-uri" "content-digest");created=1;nonce="${nonce}";tag="service-cosign"`,
      signature: '',
    });
    fc.assert(
      fc.property(text, text, text, text, (a, b, c, d) => {
        const [one, other] = [coSignedBytes(block(a, b)), coSignedBytes(block(c, d))];
        expect(one !== null && other !== null && Buffer.from(one).equals(Buffer.from(other))).toBe(
          a === c && b === d,
        );
      }),
    );
  });
});
