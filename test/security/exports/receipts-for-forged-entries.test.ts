import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Vault } from '../../../application/sealing/vault.ts';
import type { RunningService } from '../../../config/service.ts';
import { coseThumbprint } from '../../../domain/identity/agent-public-key.ts';
import { publicKeyOfJwk } from '../../../domain/identity/agent-key-input.ts';
import { encodeCbor } from '../../../domain/kernel/deterministic-cbor.ts';
import { sha256Hex, toHex } from '../../../domain/kernel/digest.ts';
import { decodeSign1, encodeSign1, sigStructure } from '../../../domain/vault/cose-sign1.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { readKeyListing } from '../../../domain/verification/keys/key-listing.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { possession } from '../../support/clients/agent-keys.ts';
import { itemsOf } from '../../support/vectors/attestation-items.ts';
import { databases } from '../../support/databases/databases.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { ok, type Body } from '../../support/service/world.ts';

/**
 * A receipt by the active key covers what a retired key signed. Whoever has the leaked retired key writes an entry of a chain
 * anew, registers it as a statement of an agent of his own, under that very key, and gets a genuine receipt for it.
 */
describe('an entry by a leaked retired key that is registered as a statement', () => {
  const rig = new VaultRig(databases()[0]!, { CHECKPOINT_INTERVAL: '1440' });
  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  const bytesOf = async (answer: Response): Promise<Uint8Array> =>
    new Uint8Array(await answer.arrayBuffer());

  /** Under the leaked key, as the keyId of an agent; null where it is refused. */
  const registerKey = async (service: RunningService, signer: Signer): Promise<Body | null> => {
    const jwk = createPublicKey({
      key: Buffer.from(signer.publicKey),
      format: 'der',
      type: 'spki',
    }).export({ format: 'jwk' });
    const { id } = rig.world.principal;
    const thumbprint = toHex(coseThumbprint(publicKeyOfJwk(jwk, 'signing')));
    const proof = await signer.sign(Buffer.from(possession(id, thumbprint)));
    const answer = await rig.at(service, rig.world.admin).post(`/v1/agents/${id}/signing-keys`, {
      publicKeyJwk: jwk,
      proofOfPossession: Buffer.from(proof).toString('base64'),
      issuers: [`urn:service:${service.vault.hubId}`],
    });
    return answer.status < 300 ? answer.body : null;
  };

  it('makes no VALID attestation', () =>
    rig.run(async (service) => {
      const client = rig.at(service, rig.world.principal.client);
      const { id } = await ok(
        client.post('/v1/records', { type: 'note', criteria: { text: 'what was agreed' } }),
      );
      const attestation = await fetch(`${client.url}/v1/records/${String(id)}/attestation`, {
        headers: { authorization: `Bearer ${String(client.key)}` },
      });
      const [entry, closing] = itemsOf(await bytesOf(attestation));
      const leaked = service.container.get(Vault).seal.signer;
      await ok(
        rig
          .at(service, rig.world.platform)
          .post('/v1/admin/vault/signing-keys/rotate', { reason: 'compromised' }),
      );

      const { criteriaHash } = predicateOf(entry!);
      const forged = await resigned(entry!, String(criteriaHash), 'ab'.repeat(32), leaked);
      const head = await resigned(closing!, sha256Hex(entry!), sha256Hex(forged), leaked);
      const registered = await registerKey(service, leaked);
      const items: Uint8Array[] = [];
      for (const statement of [forged, head]) {
        const answer = await fetch(`${client.url}/v1/scitt/entries`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${String(client.key)}`,
            'content-type': 'application/cose',
          },
          body: new Uint8Array(statement),
        });
        const receipt = await bytesOf(answer);
        items.push(answer.ok ? withReceipt(statement, receipt) : statement);
      }
      const listing = await ok(rig.at(service, rig.world.anonymous).get('/v1/verification-keys'));
      const trust = trustOf(readKeyListing(listing));
      const report = await verifyFile(new Uint8Array(Buffer.concat(items)), { trust });
      expect(report.verdict).not.toBe('valid');
      expect(registered).toBeNull();
    }));
});

const predicateOf = (item: Uint8Array): Body =>
  (JSON.parse(new TextDecoder().decode(decodeSign1(item).payload)) as Body)['predicate'] as Body;

/** The same structure with another hash in it, signed by that key. */
const resigned = async (
  item: Uint8Array,
  from: string,
  to: string,
  signer: Signer,
): Promise<Uint8Array> => {
  const { protectedBytes, payload } = decodeSign1(item);
  const text = new TextDecoder().decode(payload).replaceAll(from, to);
  const changed = new TextEncoder().encode(text);
  return encodeSign1(
    protectedBytes,
    changed,
    await signer.sign(sigStructure(protectedBytes, changed)),
  );
};

const withReceipt = (item: Uint8Array, receipt: Uint8Array): Uint8Array => {
  const { protectedBytes, payload, signature } = decodeSign1(item);
  return Buffer.concat([
    Buffer.of(0xd2),
    encodeCbor([protectedBytes, new Map([[394, [receipt]]]), payload, signature]),
  ]);
};
