import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { JoseTokenSignatures } from '../../../adapters/jose/jose-token-signatures.ts';
import { JwksUnavailableError } from '../../../application/identity/jwks-source.port.ts';
import { VerifyToken } from '../../../application/identity/verify-token.ts';
import { DEFAULT_MAPPING, type TrustedIssuer } from '../../../domain/identity/trusted-issuer.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';

const ID = '019c1f00-0000-7000-8000-000000000001';
const NOW = new Date('2026-01-31T12:00:00.000Z');
const issuer: TrustedIssuer = {
  id: ID,
  orgId: ID,
  issuerUrl: 'https://idp.example',
  jwksUri: null,
  expectedAudience: 'https://notary.example',
  appliesTo: 'agent',
  claimMapping: DEFAULT_MAPPING,
  maxCredentialTtlSeconds: 600,
  enabled: true,
  subjectAllowlist: [],
  requireProof: 'none',
  requireCoSignature: 'none',
  managedBy: null,
  createdAt: NOW.toISOString(),
  updatedAt: NOW.toISOString(),
  version: 1,
};

const verifier = (keysFor: () => Promise<readonly JsonObject[]>): VerifyToken =>
  new VerifyToken(
    { ofUrl: () => Promise.resolve([issuer]) },
    { keysFor },
    new JoseTokenSignatures(),
    {
      now: () => NOW,
    },
  );

let token: string;
let key: JsonObject;
let other: JsonObject;
beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  key = await exportJWK(pair.publicKey);
  other = await exportJWK((await generateKeyPair('ES256', { extractable: true })).publicKey);
  token = await new SignJWT({ sub: 'workload' })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer(issuer.issuerUrl)
    .setAudience(issuer.expectedAudience)
    .setIssuedAt(NOW)
    .setExpirationTime(new Date(NOW.getTime() + 600_000))
    .sign(pair.privateKey);
});

describe('VerifyToken', () => {
  it('tries at most five keys of the issuer', async () => {
    const after = (count: number) => () => Promise.resolve([...Array(count).fill(other), key]);
    expect(await verifier(after(4)).verify(token, 'agent')).toMatchObject({ subject: 'workload' });
    await expect(verifier(after(5)).verify(token, 'agent')).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      members: { reason: 'signature_invalid' },
    });
  });

  it('decides nothing while the keys cannot be fetched: 503, to be retried after 5 s', async () => {
    const error = new JwksUnavailableError(issuer.issuerUrl, new Error('away'));
    await expect(
      verifier(() => Promise.reject(error)).verify(token, 'agent'),
    ).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      members: { reason: 'jwks_fetch_failed', retryAfter: 5 },
      cause: error,
    });
  });

  it('lets an error of another kind through, because it is a defect', async () => {
    const defect = new TypeError('defect');
    await expect(verifier(() => Promise.reject(defect)).verify(token, 'agent')).rejects.toBe(
      defect,
    );
  });
});
