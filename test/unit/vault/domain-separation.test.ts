import { describe, expect, it } from 'vitest';
import { VaultDeliverySigner } from '../../../application/delivery/vault-delivery-signer.ts';
import { signCertJws } from '../../../domain/identity/cert-jws.ts';
import { recordChain } from '../../../domain/vault/chain-key.ts';
import { sealEntry, type Seal } from '../../../domain/vault/chain.ts';
import { signBundle } from '../../../domain/vault/sigstore-bundle.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { CANONICALIZATIONS, platformStatement } from '../../../domain/vault/statement.ts';

/** Takes down what a vault key is given to sign. */
class Recorder implements Signer {
  readonly keyId = '0'.repeat(32);
  readonly algorithm = 'Ed25519';
  readonly publicKey = new Uint8Array(44);
  readonly signed: Buffer[] = [];

  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    this.signed.push(Buffer.from(bytes));
    return new Uint8Array(64);
  }
}

const ID = '019c1f00-0000-7000-8000-000000000001';
const AT = '2026-01-31T12:00:00.000Z';

const signCose = async (signer: Signer): Promise<void> => {
  const seal: Seal = { hubId: ID, signer, canonicalization: 'jcs', keyActivatedAt: AT };
  const statement = platformStatement('https://service.invalid', {
    entryType: 'ORG_CREATED',
    at: AT,
    requestId: 'r',
    actor: { kind: 'system' },
  });
  await sealEntry(seal, recordChain(ID), null, statement, {
    entryType: 'ORG_CREATED',
    recordId: null,
    orgId: null,
    at: AT,
    oidcIss: null,
    oidcSub: null,
  });
};

const signCert = async (signer: Signer): Promise<void> => {
  const cert = {
    id: ID,
    issuerId: ID,
    orgId: ID,
    agentId: ID,
    oidcIss: 'https://idp.example',
    oidcSub: 's',
    publicKey: new Uint8Array(32),
    scopes: [],
    issuedAt: AT,
    expiresAt: AT,
    revokedAt: null,
  } as const;
  await signCertJws(signer, 'https://notary.example', cert);
};

const signDsse = async (signer: Signer): Promise<void> => {
  await signBundle(
    signer,
    CANONICALIZATIONS.jcs.encode(
      platformStatement('https://service.invalid', {
        entryType: 'ORG_CREATED',
        at: AT,
        requestId: 'r',
        actor: { kind: 'system' },
      }),
    ),
  );
};

const signDelivery = async (signer: Signer): Promise<void> => {
  const seal: Seal = { hubId: ID, signer, canonicalization: 'jcs', keyActivatedAt: AT };
  await new VaultDeliverySigner({ seal }).headersOf({
    deliveryId: ID,
    eventId: ID,
    eventType: 'record.recorded',
    eventSequence: 1,
    body: new Uint8Array(2),
    at: AT,
    scheme: 'ed25519',
    secrets: [],
  });
};

/**
 * Everything that a vault key or a hub key signs, or is reserved for it, by how the bytes begin. Those that are built are taken from the code
 * that signs; the others are what their standards say (RFC 9421 section 2.5, interface.md 5.4), so that
 * whoever adds them finds them here.
 */
const USES: readonly {
  readonly use: string;
  readonly prefix: Buffer;
  readonly sign?: (signer: Signer) => Promise<void>;
}[] = [
  {
    use: 'COSE Sig_structure (RFC 9052 section 4.4)',
    prefix: Buffer.concat([Buffer.of(0x84, 0x6a), Buffer.from('Signature1')]),
    sign: signCose,
  },
  {
    use: 'certificate of an agent, a JWS whose header begins with its typ',
    prefix: Buffer.from(Buffer.from('{"typ":"service-cert+jwt","').toString('base64url')),
    sign: signCert,
  },
  {
    use: 'agent card, a JWS whose header begins with its typ',
    prefix: Buffer.from(Buffer.from('{"typ":"JOSE","alg":"').toString('base64url')),
  },
  { use: 'DSSE pre-authentication encoding', prefix: Buffer.from('DSSEv1 '), sign: signDsse },
  {
    use: 'RFC 9421 signature base of a delivery',
    prefix: Buffer.from('"content-digest": sha-256=:'),
    sign: signDelivery,
  },
  { use: 'federation sign-input', prefix: Buffer.from('service.federation.v1:') },
  { use: 'succession of a hub key', prefix: Buffer.from('service.hub-key.v1\n') },
  { use: 'org-reads cosignature', prefix: Buffer.from('service.org-reads.cosign.v1\n') },
  { use: 'proof for a certificate', prefix: Buffer.from('service.oidc.cert.v1\n') },
  { use: 'possession of a new vault key', prefix: Buffer.from('service.key-possession.v1\n') },
  { use: 'proof for a key of an agent', prefix: Buffer.from('service.agent-key.v1\n') },
];

describe('what is signed', () => {
  it('begins differently for every use, so that no signature of one serves another', () => {
    for (const one of USES)
      for (const other of USES)
        if (one !== other)
          expect({
            one: one.use,
            other: other.use,
            begins: one.prefix.subarray(0, other.prefix.length).equals(other.prefix),
          }).toMatchObject({ begins: false });
  });

  it.each(USES.filter(({ sign }) => sign))(
    '$use begins as the list says',
    async ({ prefix, sign }) => {
      const signer = new Recorder();
      await sign!(signer);
      expect(signer.signed).toHaveLength(1);
      expect(signer.signed[0]!.subarray(0, prefix.length)).toEqual(prefix);
    },
  );
});
