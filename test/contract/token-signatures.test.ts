import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { JoseTokenSignatures } from '../../adapters/jose/jose-token-signatures.ts';

// Contract of application/identity/token-signatures.port.ts

describe('signatures of tokens', () => {
  const signatures = new JoseTokenSignatures();

  it.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const)(
    '%s verifies under its own key and under no other',
    async (alg) => {
      const pair = await generateKeyPair(alg, { extractable: true });
      const token = await new SignJWT({ a: 1 }).setProtectedHeader({ alg }).sign(pair.privateKey);
      const jwk = (await exportJWK(pair.publicKey)) as { [member: string]: string };
      expect(await signatures.verify(token, alg, jwk)).toBe(true);
      expect(
        await signatures.verify(
          token,
          alg,
          (await exportJWK((await generateKeyPair(alg, { extractable: true })).publicKey)) as {
            [member: string]: string;
          },
        ),
      ).toBe(false);
      expect(
        await signatures.verify(
          token.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')).slice(0, -4),
          alg,
          jwk,
        ),
      ).toBe(false);
    },
  );

  it('never throw over a key', async () => {
    const keys: readonly { readonly [member: string]: string }[] = [
      {},
      { kty: 'EC' },
      { kty: 'oct', k: 'AAAA' },
      { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
      { kty: 'RSA', n: 'AQ', e: 'AQ' },
    ];
    for (const jwk of keys) expect(await signatures.verify('a.b.c', 'ES256', jwk)).toBe(false);
  });
});
