import { describe, expect, it } from 'vitest';
import { PlatformFacts } from '../../../domain/identity/platform-facts.ts';
import { PLATFORM_ENTRY_TYPES } from '../../../domain/vault/entry-type.ts';
import { revocableName, revocablesIn, revocationsIn } from '../../../domain/vault/revocation.ts';

const at = '2026-11-20T10:00:00.000Z';
const IDS = {
  apiKeyId: 'key',
  previousApiKeyId: 'old-key',
  agentId: 'agent',
  thumbprint: 'ab',
  certIds: ['cert-1', 'cert-2'],
  certId: 'cert-1',
  issuerId: 'issuer',
  peerHubId: 'peer',
  witnessKeyId: 'witness',
};
const said = (entryType: string, more: object = {}): readonly string[] =>
  revocationsIn({ entryType, at, ...IDS, ...more }).map(
    (one) => `${one.isRevoked ? 'revoked' : 'valid'} ${revocableName(one)}`,
  );

describe('what an entry of the platform chain revokes', () => {
  it('is each credential, agent, issuer, peer and witness that it names', () => {
    expect(said('API_KEY_REVOKED')).toEqual(['revoked api_key/key']);
    expect(said('API_KEY_ROTATED')).toEqual(['revoked api_key/old-key']);
    expect(said('API_KEY_REENABLED')).toEqual(['valid api_key/key']);
    expect(said('AGENT_DEACTIVATED')).toEqual(['revoked agent/agent']);
    expect(said('AGENT_REACTIVATED')).toEqual(['valid agent/agent']);
    expect(said('CERT_REVOKED')).toEqual([
      'revoked certificate/cert-1',
      'revoked certificate/cert-2',
    ]);
    expect(said('SIGNING_KEY_REVOKED')).toEqual(['revoked signing_key/agent/ab']);
    expect(said('ISSUER_UPDATED', { enabled: false })).toEqual(['revoked issuer/issuer']);
    expect(said('ISSUER_UPDATED', { enabled: true })).toEqual(['valid issuer/issuer']);
    expect(said('ISSUER_DELETED')).toEqual(['revoked issuer/issuer']);
    expect(said('PEER_SUSPENDED')).toEqual(['revoked peer/peer']);
    expect(said('PEER_REVOKED')).toEqual(['revoked peer/peer']);
    expect(said('PEER_RESUMED')).toEqual(['valid peer/peer']);
    expect(said('WITNESS_REMOVED')).toEqual(['revoked witness/witness']);
    expect(said('API_KEY_MINTED')).toEqual([]);
    expect(revocablesIn({ entryType: 'API_KEY_MINTED', at, ...IDS })).toEqual(['api_key/key']);
  });

  it('has every entry type that takes something away, but that of a webhook, which lets nobody in', () => {
    const taking = PLATFORM_ENTRY_TYPES.filter((type) =>
      /REVOKED|DEACTIVATED|SUSPENDED|DELETED|REMOVED/.test(type),
    );
    expect(taking.length).toBeGreaterThan(7);
    expect(taking.filter((type) => said(type).length === 0)).toEqual(['WEBHOOK_DELETED']);
  });

  it('is kept as the newest act on each thing, and of a certificate as long as that could be valid', () => {
    const facts = new PlatformFacts();
    facts.take({ entryType: 'API_KEY_REVOKED', at, apiKeyId: 'key' }, 1);
    facts.take({ entryType: 'CERT_REVOKED', at, certIds: ['cert'], rowVersions: {} }, 2);
    const later = new PlatformFacts(facts);
    later.take(
      { entryType: 'API_KEY_REENABLED', at: '2026-11-20T11:00:00.000Z', apiKeyId: 'key' },
      3,
    );
    expect(facts.revocationOf('api_key/key')).toMatchObject({ isRevoked: true });
    expect(later.revocationOf('api_key/key')).toMatchObject({ isRevoked: false });
    expect([...later.revocations()].map(revocableName)).toEqual([
      'certificate/cert',
      'api_key/key',
    ]);
    facts.take(
      { entryType: 'ORG_CREATED', at: '2026-12-20T10:00:00.000Z', slug: 's', orgId: 'o' },
      3,
    );
    expect([...facts.revocations()].map(revocableName)).toEqual(['api_key/key']);
  });
});
