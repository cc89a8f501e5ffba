import { describe, expect, it } from 'vitest';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { ok, openDecided } from '../support/service/world.ts';

describe.each([
  ['Ed25519', 'cde', 'runtime'],
  ['ES256', 'jcs', 'runtime'],
  ['ES256', 'cde', 'peculiar'],
  ['Ed25519', 'jcs', 'peculiar'],
])('a service with %s, %s and the %s provider', (algorithm, canonicalization, provider) => {
  const api = useApi({
    VAULT_ALGORITHM: algorithm,
    VAULT_CANONICALIZATION: canonicalization,
    SIGNER_CRYPTO: provider,
  });

  it('shows what it signs with, and its exports verify offline', async () => {
    const { id } = await openDecided(api.world, 'reject');
    const { signedStatement } = await ok(api.world.principal.client.get(`/v1/records/${id}`));
    expect(signedStatement).toMatchObject({ algorithm, canonicalization });
    const keys = await ok(api.world.anonymous.get('/v1/verification-keys'));
    expect(keys).toMatchObject({
      coseAlgorithm: algorithm === 'ES256' ? -7 : -8,
      data: [{ algorithm, coseAlgorithm: algorithm === 'ES256' ? -7 : -8 }],
    });
    expect(Buffer.from(keys['data'][0].publicKeyRaw, 'base64')).toHaveLength(
      algorithm === 'ES256' ? 65 : 32,
    );
    const document = await ok(
      api.world.principal.client.get(`/v1/records/${id}/audit-export?evidence=true`),
    );
    const trust = trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint });
    expect(await verifyAuditExport(JSON.stringify(document), { trust })).toMatchObject({
      verdict: 'valid',
      failures: [],
    });
    document['chain'].entries[1].evidence.score = 8;
    expect(await verifyAuditExport(JSON.stringify(document), { trust })).toMatchObject({
      verdict: 'invalid',
      brokenAt: { position: 2, class: 'CHAIN_PAYLOAD_BINDING_MISMATCH' },
    });
  });
});
