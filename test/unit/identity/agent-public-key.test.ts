import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IDS } from '../../../application/call/example-story.ts';
import {
  ENCRYPTION_JWK,
  SIGNING_KEY,
  SIGNING_KEY_BODY,
} from '../../../application/identity/agent-examples.ts';
import { publicKeyOfCoseKey, publicKeyOfJwk } from '../../../domain/identity/agent-key-input.ts';
import {
  assertSound,
  coseThumbprint,
  jwkOf,
  jwkThumbprint,
  verifyingKeyOf,
} from '../../../domain/identity/agent-public-key.ts';
import { assertPossession } from '../../../domain/identity/possession.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { KeyError } from '../../../domain/vault/cose-key.ts';

/** RFC 8037 appendix A.2. */
const ED25519 = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

describe('thumbprints', () => {
  it('RFC 8037 appendix A.3: the RFC 7638 thumbprint of the Ed25519 key', () => {
    expect(jwkThumbprint(publicKeyOfJwk(ED25519, 'signing'))).toBe(
      'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    );
  });

  it('RFC 9679 section 6: the thumbprint of its P-256 key', () => {
    const hex =
      'a40102200121582065eda5a12577c2bae829437fe338701a10aaa375e1bb5b5de108de439c08551d2258201e52ed75701163f7f9e40ddf9f341b3dc9ba860af7e0ca7ca7e9eecd0084d19c';
    expect(
      toHex(coseThumbprint(publicKeyOfCoseKey(Buffer.from(hex, 'hex').toString('base64')))),
    ).toBe('496bd8afadf307e5b08c64b0421bf9dc01528a344a43bda88fadd1669da253ec');
  });

  it('an X25519 key is another key than the Ed25519 key of the same bytes', () => {
    const raw = Uint8Array.from(Buffer.from(ED25519.x, 'base64url'));
    const expected = createHash('sha256')
      .update(Buffer.from('a3010120042158' + '20', 'hex'))
      .update(raw)
      .digest('hex');
    expect(toHex(coseThumbprint({ curve: 'X25519', raw }))).toBe(expected);
    expect(expected).not.toBe(toHex(coseThumbprint({ curve: 'Ed25519', raw })));
  });
});

describe('the example keys of the contract', () => {
  it('are what they say they are, and the proof holds', async () => {
    const key = publicKeyOfJwk(SIGNING_KEY_BODY.publicKeyJwk, 'signing');
    expect(publicKeyOfCoseKey(SIGNING_KEY.coseKey)).toEqual(key);
    expect([toHex(coseThumbprint(key)), jwkOf(key)]).toEqual([
      SIGNING_KEY.thumbprint,
      SIGNING_KEY.publicKeyJwk,
    ]);
    await assertPossession(
      key,
      IDS.performer,
      SIGNING_KEY.thumbprint,
      SIGNING_KEY_BODY.proofOfPossession,
    );
    expect(jwkThumbprint(publicKeyOfJwk(ENCRYPTION_JWK, 'encryption'))).toBe(ENCRYPTION_JWK.kid);
  });
});

describe('assertSound', () => {
  it('X25519: takes every coordinate below the prime but those of small order, and none beyond', () => {
    const prime = 2n ** 255n - 19n;
    const u = (value: bigint): Uint8Array =>
      Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());
    for (const value of [2n, 9n, prime - 2n, 2n ** 254n])
      expect(() => assertSound({ curve: 'X25519', raw: u(value) })).not.toThrow();
    for (const value of [
      0n,
      1n,
      prime - 1n,
      prime,
      prime + 1n,
      prime + 9n,
      2n ** 255n - 1n,
      2n ** 255n,
      2n ** 255n + 9n,
      2n ** 256n - 1n,
    ])
      expect(() => assertSound({ curve: 'X25519', raw: u(value) }), String(value)).toThrow(
        KeyError,
      );
    expect(() => assertSound({ curve: 'X25519', raw: new Uint8Array(31).fill(2) })).toThrow(
      KeyError,
    );
  });

  it('an X25519 key is never one to check signatures with', () => {
    expect(() => verifyingKeyOf({ curve: 'X25519', raw: new Uint8Array(32).fill(9) })).toThrow(
      KeyError,
    );
  });
});

describe('hostile keys', () => {
  const onlyRefusals = (act: () => unknown): void => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof NotaryError)) throw error;
    }
  };

  it('whatever bytes a COSE_Key is, it is a key or a refusal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) =>
        onlyRefusals(() => publicKeyOfCoseKey(Buffer.from(bytes).toString('base64'))),
      ),
      { numRuns: 500 },
    );
  });

  it('whatever the members of a JWK are, it is a key or a refusal', () => {
    const member = fc.oneof(
      fc.constantFrom('OKP', 'EC', 'Ed25519', 'X25519', 'P-256', ED25519.x),
      fc.base64String({ maxLength: 60 }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        fc.record(
          { kty: member, crv: member, x: member, y: member, use: member, alg: member },
          { requiredKeys: [] },
        ),
        fc.constantFrom('signing' as const, 'encryption' as const),
        (jwk, purpose) => onlyRefusals(() => publicKeyOfJwk(jwk, purpose)),
      ),
      { numRuns: 1_000 },
    );
  });
});
