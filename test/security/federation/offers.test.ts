import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { Vault } from '../../../application/sealing/vault.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { hashJson, toHex } from '../../../domain/kernel/digest.ts';
import { manifestDigest, type Manifest } from '../../../domain/record-type/manifest.ts';
import { recordStatement } from '../../../domain/record/record-statement.ts';
import { sealEntry, signStatement } from '../../../domain/vault/chain.ts';
import { readEntry } from '../../../domain/vault/open-entry.ts';
import { statement } from '../../../domain/vault/statement.ts';
import { ForgedOffers, verifiedExport } from '../../support/attackers/forged-bytes.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { Stranger } from '../../support/hubs/stranger.ts';
import { GOAL, ok, type Body } from '../../support/service/world.ts';

type Edit = (manifest: JsonObject) => JsonObject;

const having =
  (more: JsonObject): Edit =>
  (manifest) => ({ ...manifest, ...more });
const without =
  (name: string): Edit =>
  (manifest) =>
    Object.fromEntries(Object.entries(manifest).filter(([member]) => member !== name));
const gate = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  description: '',
  expression: 'true',
  severity: 'block',
  ...more,
});

// Home is the attacker: its keys are genuine, and it offers records that no operation here would create.
describe.each(quickDatabases())('a forged offer on $name', (kind) => {
  const hubs = useLyingPair({ kind });
  let offers: ForgedOffers;
  beforeAll(async () => {
    offers = await ForgedOffers.by(hubs().home, hubs().far, hubs().pair);
  });

  const statusOf = async (
    edit: (predicate: JsonObject) => JsonObject,
    content?: JsonObject,
  ): Promise<number> => (await offers.liar.send(await offers.message(edit, content))).status;
  const withTerms = (more: JsonObject) => (predicate: JsonObject) => ({
    ...predicate,
    terms: { ...(predicate['terms'] as JsonObject), ...more },
  });

  it('control: accepts an honest offer', async () => {
    expect(await statusOf((predicate) => predicate)).toBe(200);
  });

  // SQLite has no limit of its own for these columns, and MySQL answers with an error at each repetition.
  it('rejects an offer whose platform has 300 letters', async () => {
    expect(await statusOf(withTerms({ platform: '\u202e'.padEnd(300, 'x') }))).toBe(422);
  });
  it('rejects an offer whose platformRef has 300 letters', async () => {
    expect(await statusOf(withTerms({ platformRef: 'y'.repeat(300) }))).toBe(422);
  });

  // The mirror would show a type that the performer's own org never registered.
  it("rejects an offer whose type claims to be of the performer's own org", async () => {
    const own = (predicate: JsonObject) => ({
      ...predicate,
      schema: { ...(predicate['schema'] as JsonObject), orgId: hubs().pair.far.world.orgId },
    });
    expect(await statusOf(own)).toBe(422);
  });

  // The same manifest refuses a principal of this hub.
  it('rejects an offer whose criteria its manifest forbids', async () => {
    const value = { nothing: 'of the kind' };
    const criteriaHash = hashJson(value);
    const manifest = offers.liar.first.content.manifest!;
    const items = [{ kind: 'criteria', hash: criteriaHash, value }];
    const status = await statusOf((predicate) => ({ ...predicate, criteriaHash }), {
      manifest,
      items,
    });
    const local = await hubs().pair.home.world.principal.client.post('/v1/records', {
      type: 'job',
      criteria: value,
    });
    expect([status, local.status]).toEqual([422, 422]);
  });

  it.each(['2027-02-31T00:00:00.000Z', '2027-13-01T00:00:00.000Z'])(
    'rejects an offer that expires on a day that does not exist: %s',
    async (expiresAt) => {
      expect(await statusOf((predicate) => ({ ...predicate, expiresAt }))).toBe(422);
    },
  );

  // The manifest passes the limits of registration (protocols.md 5). Each manifest below fails them.
  describe('the manifest', () => {
    const offered = async (edit: Edit) => {
      const { content } = offers.liar.first;
      const manifest = edit(content.manifest!);
      const { type, publisher, version } = manifest as unknown as Manifest;
      const digest = manifestDigest(manifest as unknown as Manifest);
      const message = await offers.message(
        (predicate) => {
          const schema = predicate['schema'] as JsonObject;
          return {
            ...predicate,
            schema: { ...schema, type, publisher, version, manifestDigest: digest },
          };
        },
        { manifest, items: content.items as never },
      );
      const { status, body } = await offers.liar.send(message);
      return { status, body, homeId: message.recordId };
    };

    it('control: accepts a manifest that home registered', async () => {
      expect((await offered((manifest) => manifest)).status).toBe(200);
    });

    it('control: accepts a manifest at the limits of registration', async () => {
      const edit = having({
        type: 'a'.repeat(96),
        publisher: 'b'.repeat(64),
        version: Number.MAX_SAFE_INTEGER,
        title: 't'.repeat(256),
        description: 'd\n'.repeat(2_048),
        gates: Array.from({ length: 64 }, (_, n) => gate(`${n}`.padStart(64, 'g'))),
        maxRevisions: 100,
        maxDisputes: 10,
        verdictWindowSeconds: 3_155_760_000,
      });
      expect((await offered(edit)).status).toBe(200);
    });

    // Without these limits MySQL answers with an error at each repetition, and SQLite stores and shows the manifest.
    it.each<[string, Edit]>([
      ['a type of 300 letters', having({ type: '\u202e'.padEnd(300, 'x') })],
      ['an empty type', having({ type: '' })],
      ['a reserved type', having({ type: 'export' })],
      ['a publisher of 300 letters', having({ publisher: '\u202e'.padEnd(300, 'x') })],
      ['a reserved publisher', having({ publisher: 'service' })],
      ['maxRevisions above 2^63', having({ maxRevisions: 1e21 })],
      // The number changes when it is read again, and so does the digest. The record then refuses every signature (409).
      ['maxRevisions of 2^60', having({ maxRevisions: 2 ** 60 })],
      ['maxDisputes above 2^63', having({ maxDisputes: 1e21 })],
      ['no criteriaSchema', without('criteriaSchema')],
      ['no title', without('title')],
      ['a title that changes its writing direction', having({ title: '\u202etxt.exe' })],
      ['an unknown member', having({ more: 1 })],
      ['an orgId', having({ orgId: '0190b6f2-5a6e-7c3d-8e4f-000000000001' })],
      ['a verdict window that is not a whole number', having({ verdictWindowSeconds: 0.5 })],
      ['a description of 200,000 letters', having({ description: 'x'.repeat(200_000) })],
      ['two gates with the same id', having({ gates: [gate('g'), gate('g')] })],
      ['a gate with the id of the cascade rule', having({ gates: [gate('cascade')] })],
      [
        'a gate of 5,000 letters',
        having({ gates: [gate('g', { expression: ' '.repeat(5_000) })] }),
      ],
      ['a gate with an id of 300 letters', having({ gates: [gate('g'.repeat(300))] })],
      ['65 gates', having({ gates: Array.from({ length: 65 }, (_, n) => gate(`g${n}`)) })],
    ])('rejects under seal a manifest with %s', async (_, edit) => {
      const { status, body } = await offered(edit);
      expect(status).toBe(422);
      const attestation = readEntry(Buffer.from(String(body['attestation']), 'base64'));
      expect(attestation?.predicate).toMatchObject({
        outcome: 'refused',
        code: 'MANIFEST_REFUSED',
      });
    });

    it('keeps the export of the performer valid', async () => {
      const { homeId } = await offered(having({ maxRevisions: 1e21 }));
      const { client } = hubs().pair.far.world.performer;
      const { body } = await client.get('/v1/records?limit=200');
      const mirror = ((body['data'] ?? []) as Body[]).find(
        ({ federation }) => federation?.recordId === homeId,
      );
      if (!mirror) return;
      const { failures } = await verifiedExport(client, String(mirror['id']), hubs().pair.far);
      expect(failures).toEqual([]);
    });
  });

  // The attacker uses the id of a record that this hub shares with another peer, which is unreachable just now.
  describe('the id of a record that belongs to another peer', () => {
    let shared: string;
    beforeAll(async () => {
      const { platform, principal } = hubs().pair.far.world;
      const other = new Stranger();
      await ok(platform.post('/v1/admin/federation/peers', other.registration));
      await ok(other.greet({ service: { url: hubs().pair.far.door.hub } }));
      const federation = { peerHubId: other.hubId, performerAgentId: randomUUID() };
      const criteria = { ...GOAL, secret: 'for the other peer alone' };
      const made = await ok(
        principal.client.post('/v1/records', { type: 'job', criteria, federation }),
      );
      shared = String(made['id']);
    });

    /** An honest offer, except that the attacker chose the id of the record. */
    const offerUnder = async (recordId: string): Promise<JsonObject> => {
      const { seal, hub } = hubs().home[0].part(Vault);
      const before = offers.liar.predicateAt(0);
      const terms = { ...(before['terms'] as JsonObject), rootRecordId: recordId };
      const predicate: JsonObject = { ...before, recordId, terms };
      const at = String(predicate['at']);
      const stated = recordStatement(hub.predicateBase, predicate as never);
      const entry = await sealEntry(seal, recordId, null, stated, {
        entryType: 'RECORD_PROPOSED',
        recordId: null,
        orgId: null,
        at,
        oidcIss: null,
        oidcSub: null,
      });
      const headHash = toHex(entry.hash);
      const said = offers.body['projection'] as JsonObject;
      const projection = { ...said, recordId, headHash, position: 1 };
      const name = `record/${recordId}`;
      const told = statement(
        hub.predicateBase,
        'federation-projection',
        name,
        headHash,
        projection,
      );
      return {
        ...offers.body,
        messageId: randomUUID(),
        recordId,
        projection,
        statement: encodeBase64(await signStatement(seal, 'projection', recordId, told, at)),
        entries: [encodeBase64(entry.coseSign1)],
      };
    };

    it('does not reveal the messages that wait for that peer', async () => {
      const waiting = await hubs().far[0].part(TOKENS.federationReads).outgoingOf(shared);
      expect(waiting).toHaveLength(1);
      const { body } = await offers.liar.send(await offerUnder(shared));
      expect(JSON.stringify(body)).not.toContain('for the other peer alone');
      expect(body['messages']).toBeUndefined();
    });
  });
});
