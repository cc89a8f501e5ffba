import { createPublicKey } from 'node:crypto';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { describe, expect, it } from 'vitest';
import { encodeCbor, plainItemLength } from '../../domain/kernel/deterministic-cbor.ts';
import { decodeSign1 } from '../../domain/vault/cose-sign1.ts';
import { readKeyListing } from '../../domain/verification/keys/key-listing.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { ok, openDecided, type Body } from '../support/service/world.ts';

describe.each([
  ['Ed25519', 'jcs'],
  ['ES256', 'cde'],
])('with %s keys and %s chains', (algorithm, canonicalization) => {
  const api = useApi({
    VAULT_ALGORITHM: algorithm,
    VAULT_CANONICALIZATION: canonicalization,
  });
  const principal = () => api.world.principal.client;
  const listed = async (): Promise<Body> =>
    (await ok(api.world.anonymous.get('/v1/verification-keys')))['data'][0];
  const trust = async () =>
    trustOf({ kind: 'keys', spki: [Buffer.from((await listed())['publicKey'], 'base64')] });
  const attestationOf = async (id: string): Promise<Uint8Array> => {
    const { url, key } = principal();
    const answer = await fetch(`${url}/v1/records/${id}/attestation`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.headers.get('content-type')).toBe('application/cose-sequence');
    return new Uint8Array(await answer.arrayBuffer());
  };
  const structuresIn = (bytes: Uint8Array): Uint8Array[] => {
    const all: Uint8Array[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + plainItemLength(bytes.subarray(at + 1));
      all.push(bytes.subarray(at, end));
      at = end;
    }
    return all;
  };

  describe('an attestation', () => {
    it('200: the COSE_Sign1 of each entry in order, then the checkpoint; it verifies', async () => {
      const { id } = await openDecided(api.world, 'accept');
      const document = await ok(principal().get(`/v1/records/${id}/audit-export`));
      const bytes = await attestationOf(id);
      const structures = structuresIn(bytes).map((one) => Buffer.from(one).toString('base64'));
      const entries = document['chain'].entries as Body[];
      expect(structures).toEqual([
        ...entries.map(({ coseSign1 }) => coseSign1),
        document['checkpoint'].coseSign1,
      ]);
      expect(await verifyFile(bytes, { trust: await trust() })).toMatchObject({
        failures: [],
        reasons: [],
        verdict: 'valid',
        subject: {
          kind: 'attestation',
          chainKey: id,
          entries: entries.length,
          completeAsOf: document['checkpoint'].createdAt,
        },
      });
    });

    it('is no valid one when it is changed, cut, reordered or of nobody trusted', async () => {
      const { id } = await openDecided(api.world, 'accept');
      const bytes = await attestationOf(id);
      const parts = structuresIn(bytes);
      const verify = async (input: Uint8Array) => verifyFile(input, { trust: await trust() });
      for (let at = 0; at < bytes.length; at += 61) {
        const changed = Uint8Array.from(bytes);
        changed[at]! ^= 1;
        expect({ at, verdict: (await verify(changed)).verdict }).not.toMatchObject({
          verdict: 'valid',
        });
      }
      const cut = await verify(Buffer.concat(parts.slice(0, -1)));
      expect(cut).toMatchObject({ verdict: 'cannot_tell', failures: [] });
      const short = await verify(Buffer.concat([...parts.slice(0, -2), parts.at(-1)!]));
      expect(short.brokenAt).toMatchObject({ class: 'CHECKPOINT_HEAD_MISMATCH' });
      const [first, second, ...rest] = parts;
      const swapped = await verify(Buffer.concat([second!, first!, ...rest]));
      expect(swapped.verdict).toBe('invalid');
      const none = await verifyFile(bytes, { trust: trustOf({ kind: 'none' }) });
      expect(none).toMatchObject({ verdict: 'cannot_tell', failures: [] });
    });

    it('may hold label 394 in an unprotected header, which no hash covers, and nothing else', async () => {
      const { id } = await openDecided(api.world, 'accept');
      const [first, ...rest] = structuresIn(await attestationOf(id));
      const { protectedBytes, payload, signature } = decodeSign1(first!);
      const withHeader = (label: number): Buffer =>
        Buffer.concat([
          Buffer.of(0xd2),
          encodeCbor([protectedBytes, new Map([[label, [Buffer.of(1)]]]), payload, signature]),
          ...rest,
        ]);
      const options = { trust: await trust() };
      // The chain is what it was; what stands there is no receipt.
      expect((await verifyFile(withHeader(394), options)).failures).toEqual([
        expect.objectContaining({ class: 'CHECKPOINT_ROOT_MISMATCH', position: 1 }),
      ]);
      expect((await verifyFile(withHeader(395), options)).failures).toContainEqual(
        expect.objectContaining({ class: 'CHAIN_COSE_HEADER_MISMATCH', position: 1 }),
      );
    });

    it('406 where Accept takes no CBOR sequence', async () => {
      const { id } = await openDecided(api.world, 'accept');
      const path = `/v1/records/${id}/attestation`;
      expectProblem(
        await principal().get(path, { accept: 'application/json' }),
        406,
        'NOT_ACCEPTABLE',
      );
    });
  });

  describe('a Sigstore bundle', () => {
    const bundleOf = async (id: string): Promise<Body> =>
      ok(principal().get(`/v1/records/${id}/attestation.bundle`));

    it('200: the newest statement, and the official verifier takes it under our key', async () => {
      const { id } = await openDecided(api.world, 'accept');
      const answer = await principal().get(`/v1/records/${id}/attestation.bundle`);
      expect(answer.headers.get('content-type')).toBe(
        'application/vnd.dev.sigstore.bundle.v0.3+json',
      );
      const { keyId, publicKey } = await listed();
      const key = createPublicKey({
        key: Buffer.from(publicKey, 'base64'),
        format: 'der',
        type: 'spki',
      });
      const verifier = new Verifier(
        {
          certificateAuthorities: [],
          timestampAuthorities: [],
          tlogs: [],
          ctlogs: [],
          publicKey: (hint) => {
            if (hint !== keyId) throw new Error(`no key ${hint}`);
            return { publicKey: key, validFor: () => true };
          },
        },
        { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 },
      );
      verifier.verify(toSignedEntity(bundleFromJSON(answer.body)));
      const document = await ok(principal().get(`/v1/records/${id}/audit-export`));
      const payload = Buffer.from(answer.body['dsseEnvelope'].payload, 'base64').toString();
      expect(JSON.parse(payload)).toEqual(document['chain'].entries.at(-1).statement);

      const changed = structuredClone(answer.body);
      changed['dsseEnvelope'].payload = Buffer.from(payload.replace('r', 's')).toString('base64');
      expect(() => verifier.verify(toSignedEntity(bundleFromJSON(changed)))).toThrow(
        /signature verification failed/,
      );
    });

    it('is verified by notary verify as well, and says what it does not show', async () => {
      const { id } = await openDecided(api.world, 'accept');
      const bundle = await bundleOf(id);
      const options = { trust: await trust() };
      expect(await verifyFile(JSON.stringify(bundle), options)).toMatchObject({
        verdict: 'valid',
        failures: [],
        notes: ['signed, not shown to be on a chain'],
        subject: { kind: 'sigstore-bundle', chainKey: id },
      });
      const changed = structuredClone(bundle);
      const payload = Buffer.from(bundle['dsseEnvelope'].payload, 'base64').toString();
      changed['dsseEnvelope'].payload = Buffer.from(
        payload.replace('"FULFILLED"', '"FAILED"'),
      ).toString('base64');
      expect((await verifyFile(JSON.stringify(changed), options)).brokenAt).toMatchObject({
        class: 'CHAIN_SIGNATURE_INVALID',
      });
      const renamed = { ...bundle, verificationMaterial: { publicKey: { hint: 'x' } } };
      expect((await verifyFile(JSON.stringify(renamed), options)).verdict).toBe('invalid');
      const none = await verifyFile(JSON.stringify(bundle), { trust: trustOf({ kind: 'none' }) });
      expect(none).toMatchObject({ verdict: 'cannot_tell', failures: [] });
    });
  });

  it('after a rotation what the retired key signed is named, and bundles are of the new key', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const path = `/v1/records/${id}/attestation.bundle`;
    const [old, attestation] = [await ok(principal().get(path)), await attestationOf(id)];
    await ok(api.world.platform.post('/v1/admin/vault/signing-keys/rotate'));
    const listing = await ok(api.world.anonymous.get('/v1/verification-keys'));
    const options = { trust: trustOf(readKeyListing(listing)) };
    const now = await ok(principal().get(path));
    expect(now['verificationMaterial'].publicKey.hint).toBe(listing['data'][0].keyId);
    expect(await verifyFile(JSON.stringify(now), options)).toMatchObject({ verdict: 'valid' });
    const kept = await verifyFile(JSON.stringify(old), options);
    expect(kept.verdict).toBe('valid');
    expect(kept.notes).toContainEqual(expect.stringContaining('retired on schedule'));
    for (const bytes of [attestation, await attestationOf(id)])
      expect(await verifyFile(bytes, options)).toMatchObject({
        verdict: 'cannot_tell',
        failures: [],
        reasons: [expect.stringContaining('an audit export of the record does')],
      });
  });
});
