import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateKeyPairSync, sign } from 'node:crypto';
import { decode, encode, type Tag } from 'cbor2';
import type { RunningService } from '../../config/service.ts';
import { encodeCbor } from '../../domain/kernel/deterministic-cbor.ts';
import { decodeSign1, encodeSign1 } from '../../domain/vault/cose-sign1.ts';
import { readKeyListing } from '../../domain/verification/keys/key-listing.ts';
import { trustOf, type Trust } from '../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { itemsOf } from '../support/vectors/attestation-items.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { checkInclusion } from '../support/vectors/independent-receipts.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';

const RECEIPTS = 394;

/** Whether an implementation that is not ours finds that the receipt holds. */
const holds = (...receipt: Parameters<typeof checkInclusion>): boolean => {
  try {
    checkInclusion(...receipt);
    return true;
  } catch {
    return false;
  }
};

describe.each(quickDatabases())('receipts in an attestation on $name', (kind) => {
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
  const ids: string[] = [];

  /** A record with three entries. */
  const withHistory = async (service: RunningService): Promise<string> => {
    const client = rig.at(service, rig.world.principal.client);
    const { id } = await ok(client.post('/v1/records', { type: 'note', criteria: { text: 'n' } }));
    for (const n of [1, 2])
      await ok(
        client.post(`/v1/records/${String(id)}/references`, {
          kind: 'ticket',
          uri: `https://tickets.example/${n}`,
        }),
      );
    return String(id);
  };
  const fetched = async (service: RunningService, id: string, query = '?receipts=true') => {
    const { key } = rig.world.principal.client;
    const url = `${String(service.url)}/v1/records/${id}/attestation${query}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${String(key)}` } });
    expect(answer.status).toBe(200);
    return itemsOf(new Uint8Array(await answer.arrayBuffer()));
  };
  const trusted = async (service: RunningService): Promise<Trust> => {
    const nobody = rig.at(service, rig.world.anonymous);
    return trustOf(readKeyListing(await ok(nobody.get('/v1/verification-keys'))));
  };
  const rotate = (service: RunningService, reason: string): Promise<Body> =>
    ok(rig.at(service, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate', { reason }));
  const verdictOn = (items: readonly Uint8Array[], trust: Trust): Promise<VerificationReport> =>
    verifyFile(Buffer.concat(items), { trust });

  beforeAll(async () => {
    await rig.prepare();
    await rig.run(async (service) => {
      ids.push(await withHistory(service), await withHistory(service));
    });
  });
  afterAll(() => rig.end());

  it('stand beside each entry, and an independent verifier takes them; without them the bytes are the same', () =>
    rig.run(async (service) => {
      const items = await fetched(service, ids[0]!);
      const plain = await fetched(service, ids[0]!, '');
      const nobody = rig.at(service, rig.world.anonymous);
      const listing = await ok(nobody.get('/v1/verification-keys'));
      const spki = new Uint8Array(Buffer.from(listing['data'][0].publicKey, 'base64'));
      expect(items).toHaveLength(4);
      for (const [at, item] of items.slice(0, -1).entries()) {
        const receipts = receiptsIn(item);
        expect(receipts).toHaveLength(1);
        const seen = checkInclusion(receipts[0]!, without(item), spki);
        expect(seen.sub).toBe(`scitt:${rig.world.orgId}`);
        expect(Buffer.from(without(item))).toEqual(Buffer.from(plain[at]!));
      }
      expect(receiptsIn(items.at(-1)!)).toEqual([]);
      const report = await verdictOn(items, await trusted(service));
      expect(report).toMatchObject({ verdict: 'valid', reasons: [], failures: [] });
      expect(report.checks.receipts).toEqual({ result: 'passed', count: 3 });
    }));

  it('that are missing, wrong, of another entry or of nobody make no valid file', () =>
    rig.run(async (service) => {
      const items = await fetched(service, ids[0]!);
      const others = await fetched(service, ids[1]!);
      const trust = await trusted(service);
      const first = (receipts: readonly Uint8Array[]): readonly Uint8Array[] => [
        withReceipts(items[0]!, receipts),
        ...items.slice(1),
      ];
      const own = receiptsIn(items[0]!)[0]!;

      const missing = await verdictOn([without(items[0]!), ...items.slice(1)], trust);
      expect(missing).toMatchObject({
        verdict: 'cannot_tell',
        failures: [],
        reasons: [expect.stringContaining('1 of 3 entries have no receipt of this hub')],
      });
      for (const foreign of [receiptsIn(items[1]!)[0]!, receiptsIn(others[0]!)[0]!])
        expect((await verdictOn(first([foreign]), trust)).failures).toEqual([
          expect.objectContaining({ class: 'CHECKPOINT_SIGNATURE_INVALID', position: 1 }),
        ]);
      // One that holds beside one that does not excuses nothing.
      expect((await verdictOn(first([own, receiptsIn(items[1]!)[0]!]), trust)).verdict).toBe(
        'invalid',
      );
      const nobody = rig.at(service, rig.world.anonymous);
      const [{ publicKey }] = (await ok(nobody.get('/v1/verification-keys')))['data'];
      const spki = new Uint8Array(Buffer.from(publicKey, 'base64'));
      let good = 0;
      for (let at = 0; at < own.length; at += 7) {
        const changed = Uint8Array.from(own);
        changed[at]! ^= 1;
        // No signature covers the size of the tree, and a path may lead to the same root in another one (RFC 9162, 2.1.3.2).
        if (holds(changed, without(items[0]!), spki)) {
          good++;
          continue;
        }
        const report = await verdictOn(first([changed]), trust);
        expect({ at, verdict: report.verdict }).not.toEqual({ at, verdict: 'valid' });
        expect({ at, result: report.checks.receipts.result }).not.toEqual({
          at,
          result: 'passed',
        });
      }
      expect(good).toBeLessThanOrEqual(1);
      for (const nothing of [[], [Uint8Array.of(1)]])
        expect((await verdictOn(first(nothing), trust)).failures).toEqual([
          expect.objectContaining({ class: 'CHECKPOINT_ROOT_MISMATCH', position: 1 }),
        ]);
      const closing = withReceipts(items.at(-1)!, [own]);
      expect((await verdictOn([...items.slice(0, -1), closing], trust)).verdict).toBe('invalid');
    }));

  it('are made by the active key after a rotation, and cover what the retired key signed', () =>
    rig.run(async (service) => {
      const before = await fetched(service, ids[0]!);
      await rotate(service, 'scheduled');
      const trust = await trusted(service);
      const now = await fetched(service, ids[0]!);
      expect(await verdictOn(now, trust)).toMatchObject({ verdict: 'valid', failures: [] });
      // Those that the retired key made cover nothing, nor does a file without receipts.
      for (const items of [before, await fetched(service, ids[0]!, '')])
        expect(await verdictOn(items, trust)).toMatchObject({
          verdict: 'cannot_tell',
          failures: [],
        });
      const mixed = [...before.slice(0, 1), ...now.slice(1)];
      expect((await verdictOn(mixed, trust)).verdict).toBe('cannot_tell');
    }));

  it('by a leaked retired key, or by one that is nobody’s, cover no entry that it wrote', () =>
    rig.run(async (service) => {
      const fresh = await withHistory(service);
      const kid = service.vault.keyId;
      const items = await fetched(service, fresh);
      await rotate(service, 'compromised');
      const trust = await trusted(service);
      const now = await fetched(service, fresh);
      expect((await verdictOn(now, trust)).verdict).toBe('valid');
      // Whoever has the leaked key makes entries, and receipts for them.
      const leaked = await verdictOn([...items.slice(0, -1), now.at(-1)!], trust);
      expect(leaked).toMatchObject({ verdict: 'cannot_tell', failures: [] });
      expect(leaked.reasons).toContainEqual(expect.stringContaining('retired as compromised'));
      expect(leaked.checks.receipts.result).toBe('skipped_no_input');
      const forged = now.map((item, at) =>
        at === 0 ? withReceipts(item, [resigned(receiptsIn(item)[0]!, kid)]) : item,
      );
      expect((await verdictOn(forged, trust)).failures).toContainEqual(
        expect.objectContaining({ class: 'CHECKPOINT_SIGNATURE_INVALID', position: 1 }),
      );
      const unknown = now.map((item, at) =>
        at === 0 ? withReceipts(item, [resigned(receiptsIn(item)[0]!, '0'.repeat(32))]) : item,
      );
      expect((await verdictOn(unknown, trust)).verdict).toBe('cannot_tell');
    }));
});

const receiptsIn = (item: Uint8Array): readonly Uint8Array[] =>
  (decodeSign1(item).unprotected.get(RECEIPTS) ?? []) as readonly Uint8Array[];

const without = (item: Uint8Array): Uint8Array => {
  const { protectedBytes, payload, signature } = decodeSign1(item);
  return encodeSign1(protectedBytes, payload, signature);
};

const withReceipts = (item: Uint8Array, receipts: readonly Uint8Array[]): Uint8Array => {
  const { protectedBytes, payload, signature } = decodeSign1(item);
  return Buffer.concat([
    Buffer.of(0xd2),
    encodeCbor([protectedBytes, new Map([[RECEIPTS, receipts]]), payload, signature]),
  ]);
};

/** The receipt by a key that nobody knows, which calls itself by this id. */
const resigned = (receipt: Uint8Array, kid: string): Uint8Array => {
  const { contents } = decode<Tag>(receipt, { tags: new Map() });
  const [protectedBytes, unprotected] = contents as [Uint8Array, unknown];
  const header = decode<Map<number, unknown>>(protectedBytes, { preferMap: true });
  header.set(4, new Uint8Array(Buffer.from(kid)));
  const named = encode(header);
  const { privateKey } = generateKeyPairSync('ed25519');
  const signature = sign(null, Buffer.from(named), privateKey);
  return Buffer.concat([
    Buffer.of(0xd2),
    encode([new Uint8Array(named), unprotected, null, new Uint8Array(signature)]),
  ]);
};
