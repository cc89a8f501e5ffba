import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MakeExports } from '../../application/compliance/make-exports.ts';
import { Vault } from '../../application/sealing/vault.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { openOrgRead } from '../../domain/transparency/org-read.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { databases } from '../support/databases/databases.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, proposeJob, sleep, type Body, type Client } from '../support/service/world.ts';
import { signedIn } from '../support/databases/stored-values.ts';

const EXPORTS = '/v1/compliance/exports';
const EVER = { from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

const completed = async (client: Client, id: unknown): Promise<Body> => {
  for (const giveUpAt = Date.now() + 60_000; Date.now() < giveUpAt;) {
    const found = await ok(client.get(`${EXPORTS}/${String(id)}`));
    if (found['state'] !== 'created') return found;
    await sleep(50);
  }
  throw new Error('the export was not made');
};

const fileOf = async (client: Client, id: unknown) => {
  const response = await fetch(`${client.url}${EXPORTS}/${String(id)}/download`, {
    headers: { authorization: `Bearer ${client.key}` },
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type'), text };
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe.each(databases())('compliance exports on $name', (kind) => {
  const rig = new VaultRig(kind);
  const records: string[] = [];
  const as = (service: RunningService, client: Client): Client => rig.at(service, client);

  beforeAll(async () => {
    await rig.prepare();
    await rig.run(async (service) => {
      const { principal } = rig.world;
      const client = as(service, principal.client);
      const world = { ...rig.world, url: String(service.url), principal: { ...principal, client } };
      for (let made = 0; made < 3; made++) records.push(String((await proposeJob(world))['id']));
      const note = { type: 'note', contractVersion: 1, platform: 'test', criteria: { n: 1 } };
      records.push(String((await ok(client.post('/v1/records', note)))['id']));
    });
  });
  afterAll(() => rig.end());

  const ask = (client: Client, body: object = {}, query = ''): Promise<Body> =>
    ok(client.post(`${EXPORTS}${query}`, { ...EVER, ...body }));

  it('is made by a job, is downloaded from the other node, and each line of it verifies', () =>
    rig.run(async (service) => {
      const admin = as(service, rig.world.admin);
      const asked = await admin.post(EXPORTS, EVER);
      expect(asked).toMatchObject({
        status: 201,
        body: { state: 'created', total_records: null, sha256: null, downloadUrl: null },
      });
      const { id } = asked.body;
      const made = await completed(admin, id);
      expect(made).toMatchObject({
        state: 'completed',
        total_records: 4,
        exported_records: 4,
        truncated: false,
        downloadUrl: `${EXPORTS}/${String(id)}/download`,
      });
      await rig.run(async (other) => {
        const file = await fileOf(as(other, rig.world.admin), id);
        expect(file).toMatchObject({ status: 200, type: 'application/x-ndjson' });
        expect(sha256(file.text)).toBe(made['sha256']);
        const lines = file.text.trimEnd().split('\n');
        const trust = trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint });
        for (const line of lines) {
          const report = await verifyFile(line, { trust });
          expect(report).toMatchObject({ verdict: 'valid', failures: [] });
        }
        // The newest first.
        const ids = lines.map((line) => (JSON.parse(line) as Body)['record'].id as string);
        expect(ids).toEqual(records.toReversed());
      });
    }));

  it('is sealed as EXPORT_TAKEN, told of, and entered in the log of reads, when made and when downloaded', () =>
    rig.run(async (service) => {
      const { admin, orgId } = rig.world;
      const { container } = service;
      const log = () => container.get(TOKENS.orgReadsLogs).from(orgId, 0, 10_000);
      const before = (await log()).length;
      const client = as(service, admin);
      const { id } = await ask(client, { type: 'note' });
      const { sha256: sealed } = await completed(client, id);
      await fileOf(client, id);
      const [entry] = await rig.database.raw(
        "SELECT cose_sign1 FROM chain_entries WHERE entry_type = 'EXPORT_TAKEN' ORDER BY position DESC LIMIT 1",
      );
      const bytes = Buffer.from(signedIn(entry!)).toString('latin1');
      for (const part of [String(id), orgId, String(sealed), '"records":1'])
        expect(bytes).toContain(part);
      const { keyOf } = container.get(Vault);
      const added = await Promise.all(
        (await log()).slice(before).map((read) => openOrgRead(read, keyOf)),
      );
      const operations = added.map((read) => read?.operation);
      expect(operations).toContain('createComplianceExport');
      expect(operations.at(-1)).toBe('downloadComplianceExport');
      expect(added[0]).toMatchObject({ actor: { kind: 'admin', orgId } });
      const event = async () =>
        (await ok(client.get('/v1/events?type=compliance.exported&limit=1')))['data'] as Body[];
      await expect.poll(async () => (await event())[0]?.['data'].exportId as unknown).toBe(id);
      expect(await event()).toMatchObject([
        { orgId, data: { exportId: id, requestId: id, records: 1, sha256: sealed } },
      ]);
    }));

  it('comes as a JSON array and as CSV as well, with the filters that were asked for', () =>
    rig.run(async (service) => {
      const admin = as(service, rig.world.admin);
      const json = await ask(admin, { format: 'json', status: 'PROPOSED' });
      const csv = await ask(admin, { format: 'csv', type: 'note' });
      const none = await ask(admin, {
        from: '2020-01-01T00:00:00.000Z',
        to: '2020-01-02T00:00:00.000Z',
      });
      await completed(admin, json['id']);
      const array = await fileOf(admin, json['id']);
      expect(array.type).toBe('application/json');
      expect(
        (JSON.parse(array.text) as Body[]).map(({ record }) => (record as Body)['id']),
      ).toEqual(records.slice(0, 3).toReversed());
      await completed(admin, csv['id']);
      const table = await fileOf(admin, csv['id']);
      expect(table.type).toMatch(/^text\/csv/);
      const [head, ...rows] = table.text.trimEnd().split('\r\n');
      expect(head).toMatch(/^recordId,position,entryType,/);
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatch(new RegExp(`^${records[3]!},1,RECORD_RECORDED,`));
      expect(await completed(admin, none['id'])).toMatchObject({
        total_records: 0,
        truncated: false,
      });
      expect((await fileOf(admin, none['id'])).text).toBe('');
    }));

  it('refuses agents, other orgs, a platform key without an org, an empty range and what is not made yet', () =>
    rig.run(async (service) => {
      const { admin, platform, principal, orgId } = rig.world;
      const at = (client: Client) => as(service, client);
      expectProblem(await at(principal.client).post(EXPORTS, EVER), 403, 'INSUFFICIENT_SCOPE');
      expectProblem(await at(platform).post(EXPORTS, EVER), 403, 'ORG_REQUIRED');
      const backwards = { from: EVER.to, to: EVER.from };
      expectProblem(await at(admin).post(EXPORTS, backwards), 400, 'VALIDATION_ERROR');
      const org = await ok(
        at(platform).post('/v1/admin/orgs', { name: 'Other', bootstrapAdmin: true }),
      );
      const stranger = new (at(admin).constructor as typeof Client)(
        String(service.url),
        (org['bootstrapKey'] as Body)['apiKey'] as string,
      );
      const { id } = await ask(at(platform), {}, `?orgId=${orgId}`);
      expectProblem(await stranger.get(`${EXPORTS}/${String(id)}`), 404, 'NOT_FOUND');
      expectProblem(await stranger.get(`${EXPORTS}/${String(id)}/download`), 404, 'NOT_FOUND');
      expectProblem(await stranger.post(`${EXPORTS}?orgId=${orgId}`, EVER), 404, 'NOT_FOUND');
      expect((await ok(stranger.get(EXPORTS)))['total']).toBe(0);
      const early = await at(admin).get(`${EXPORTS}/${String(id)}/download`);
      if (early.status !== 200) expectProblem(early, 422, 'UNPROCESSABLE_STATE');
      expect(await completed(at(admin), id)).toMatchObject({ state: 'completed' });
    }));

  it('an org has at most ten that have not expired, and those that did are deleted with their pieces', () =>
    rig.run(async (service) => {
      const { platform, principal } = rig.world;
      const client = as(service, platform);
      const org = await ok(client.post('/v1/admin/orgs', { name: 'Many' }));
      const query = `?orgId=${String(org['id'])}`;
      void principal;
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => client.post(`${EXPORTS}${query}`, EVER)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(10).fill(201),
        409,
        409,
      ]);
      const { id } = answers.find(({ status }) => status === 201)!.body;
      await completed(client, id);
      const late = new Date(Date.now() + 7 * 86_400_000 + 1000).toISOString();
      const { complianceExports: reads } = service.container.get(TOKENS.sql).reads;
      const expired = await reads.expired(late, 1000);
      expect(expired).toContain(id);
      expect(await reads.expired(new Date().toISOString(), 1000)).toEqual([]);
    }));

  it('a node that died over it leaves no piece that another one could mistake for its own', () =>
    rig.run(async (service) => {
      const admin = as(service, rig.world.admin);
      const { container } = service;
      const { unitOfWork, reads } = container.get(TOKENS.sql);
      const { id } = await ask(admin);
      const made = await completed(admin, id);
      const before = (await reads.complianceExports.find(String(id)))!;
      // As it is where a process was killed after a piece, before the end.
      await unitOfWork.transaction(async ({ complianceExports }) => {
        const found = (await complianceExports.lock(String(id)))!;
        await complianceExports.deletePieces(found.id);
        await complianceExports.addPiece(found.id, found.claim!, 0, new Uint8Array([1, 2, 3]));
        await complianceExports.update({ ...found, made: null });
      });
      await container.get(MakeExports).run(new AbortController().signal);
      const again = await completed(admin, id);
      expect(again).toMatchObject({ state: 'completed', total_records: made['total_records'] });
      const after = (await reads.complianceExports.find(String(id)))!;
      expect(after.claim).not.toBe(before.claim);
      expect(sha256((await fileOf(admin, id)).text)).toBe(again['sha256']);
      const [{ n } = { n: 0 }] = (await rig.database.raw(
        `SELECT COUNT(*) AS n FROM compliance_export_pieces`,
      )) as { n: number }[];
      expect(Number(n)).toBeGreaterThan(0);
    }));

  it('an edited piece is never given out', () =>
    rig.run(async (service) => {
      const admin = as(service, rig.world.admin);
      const { id } = await ask(admin, { type: 'note' });
      await completed(admin, id);
      await rig.database.raw(
        "UPDATE compliance_export_pieces SET content = x'00' WHERE ordinal = 0",
      );
      expectProblem(await admin.get(`${EXPORTS}/${String(id)}/download`), 409, 'CONFLICT');
    }));

  it('a record that somebody edited is left out, and the export says so', () =>
    rig.run(async (service) => {
      const admin = as(service, rig.world.admin);
      await rig.database.raw("UPDATE records SET platform = 'edited' WHERE type = 'note'");
      const { id } = await ask(admin, { type: 'note' });
      const made = await completed(admin, id);
      expect(made).toMatchObject({
        state: 'completed',
        exported_records: 0,
        omitted_records: 1,
        omissions: [{ recordId: records[3] }],
      });
      expect((await fileOf(admin, id)).text).toBe('');
      await rig.database.raw("UPDATE records SET platform = 'test' WHERE type = 'note'");
    }));
});
