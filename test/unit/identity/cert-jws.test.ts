import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NodeSigner } from '../../../adapters/signer/node-signer.ts';
import { CERT_PREFIX, openCertJws, signCertJws } from '../../../domain/identity/cert-jws.ts';
import { parseCompactJws } from '../../../domain/identity/compact-jws.ts';
import { certThumbprint, type EphemeralCert } from '../../../domain/identity/ephemeral-cert.ts';
import type { VaultAlgorithm } from '../../../domain/vault/algorithm.ts';
import { publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { importVerificationKey, type VerificationKey } from '../../../domain/vault/open-entry.ts';

const ID = '019c1f00-0000-7000-8000-000000000001';
const BASE = 'https://notary.example';
const cert: EphemeralCert = {
  id: ID,
  issuerId: ID,
  orgId: ID,
  agentId: ID,
  oidcIss: 'https://idp.example',
  oidcSub: 'sub with "quotes" and ü',
  publicKey: new Uint8Array(32).fill(9),
  scopes: ['records:write', 'audit:read'],
  issuedAt: '2026-01-31T12:00:00.000Z',
  expiresAt: '2026-01-31T12:10:00.000Z',
  revokedAt: null,
};

const signerOf = (algorithm: VaultAlgorithm): NodeSigner => {
  const { privateKey, publicKey } =
    algorithm === 'Ed25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return new NodeSigner(
    algorithm,
    privateKey.export({ format: 'der', type: 'pkcs8' }),
    new Uint8Array(publicKey.export({ format: 'der', type: 'spki' })),
  );
};
const ring = async (
  ...signers: readonly NodeSigner[]
): Promise<(keyId: string) => VerificationKey | undefined> => {
  const keys = new Map(
    await Promise.all(
      signers.map(
        async (signer) =>
          [signer.keyId, await importVerificationKey(publicKeyFromSpki(signer.publicKey))] as const,
      ),
    ),
  );
  return (keyId) => keys.get(keyId);
};
const open = async (
  text: string,
  base: string,
  keyOf: (keyId: string) => VerificationKey | undefined,
) => {
  const jws = parseCompactJws(text);
  return jws && openCertJws(jws, base, keyOf);
};

describe.each(['Ed25519', 'ES256'] as const)('a certificate signed with %s', (algorithm) => {
  it('says what it was given for, also when its key is no longer the active one', async () => {
    const [old, active] = [signerOf(algorithm), signerOf('Ed25519')];
    const text = await signCertJws(old, BASE, cert);
    expect(text.startsWith(CERT_PREFIX)).toBe(true);
    expect(await open(text, BASE, await ring(active, old))).toEqual({
      certId: ID,
      orgId: ID,
      agentId: ID,
      scopes: cert.scopes,
      thumbprint: certThumbprint(cert),
      oidc: { iss: cert.oidcIss, sub: cert.oidcSub },
      expiresAt: Date.parse(cert.expiresAt) / 1000,
    });
  });

  it('is nothing to another service, under another key, with another algorithm, or changed', async () => {
    const signer = signerOf(algorithm);
    const text = await signCertJws(signer, BASE, cert);
    const keyOf = await ring(signer);
    const [head, body, tail] = text.split('.') as [string, string, string];
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as object;
    const headed = (changes: object): string =>
      `${Buffer.from(JSON.stringify({ ...header, ...changes })).toString('base64url')}.${body}.${tail}`;
    expect(await open(text, 'https://other.example', keyOf)).toBeNull();
    expect(await open(text, BASE, await ring(signerOf(algorithm)))).toBeNull();
    for (const changes of [
      { alg: algorithm === 'Ed25519' ? 'ES256' : 'EdDSA' },
      { alg: 'none' },
      { typ: 'jwt' },
      { kid: null },
      { extra: 1 },
    ])
      expect(await open(headed(changes), BASE, keyOf)).toBeNull();
    expect(await open(`${head}.${body}.`, BASE, keyOf)).toBeNull();
    expect(
      await open(
        `${head}.${body}.${tail.startsWith('A') ? 'B' : 'A'}${tail.slice(1)}`,
        BASE,
        keyOf,
      ),
    ).toBeNull();
  });
});
