import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MakeExports } from '../../../application/compliance/make-exports.ts';
import type { RunningService } from '../../../config/service.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { databases } from '../../support/databases/databases.ts';
import { longestGap } from '../../support/service/event-loop-gap.ts';
import { expectProblem } from '../../support/stories/problems.ts';
import { literal, VaultRig } from '../../support/service/vault-rig.ts';
import { ok, sleep, type Body, type Client } from '../../support/service/world.ts';
import { signedIn } from '../../support/databases/stored-values.ts';

// Somebody with the password of the database, clients with hostile content, and two nodes at once.

const EXPORTS = '/v1/compliance/exports';
const EVER = { from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
/** What ends a line somewhere, what a spreadsheet takes for a formula, and what a terminal obeys. */
const HOSTILE = '=cmd|\'/C calc\'!A0","\r\n\u0085\u2028\u2029\u009b31m\u0000';

const idOf = (id: unknown): string => literal(Buffer.from(String(id).replaceAll('-', ''), 'hex'));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const completed = async (client: Client, id: unknown): Promise<Body> => {
  for (const giveUpAt = Date.now() + 60_000; Date.now() < giveUpAt;) {
    const found = await ok(client.get(`${EXPORTS}/${String(id)}`));
    if (found['state'] !== 'created') return found;
    await sleep(50);
  }
  throw new Error('the export was not made');
};

const download = async (client: Client, id: unknown): Promise<Buffer> => {
  const response = await fetch(`${client.url}${EXPORTS}/${String(id)}/download`, {
    headers: { authorization: `Bearer ${client.key}` },
  });
  if (response.status !== 200) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
};

describe.each(databases())('compliance exports under attack on $name', (kind) => {
  const rig = new VaultRig(kind);
  const admin = (service: RunningService): Client => rig.at(service, rig.world.admin);
  const ask = (client: Client, body: object = {}): Promise<Body> =>
    ok(client.post(EXPORTS, { ...EVER, ...body }));
  let notes = 0;
  /** As many records as are asked for, of a type of their own. */
  const written = async (
    service: RunningService,
    criteria: readonly Body[],
  ): Promise<{ readonly type: string; readonly ids: readonly string[] }> => {
    const type = `note-${notes++}`;
    await ok(
      admin(service).post('/v1/schemas', {
        type,
        completionSchema: {},
        criteriaSchema: { type: 'object' },
      }),
    );
    const client = rig.at(service, rig.world.principal.client);
    const ids: string[] = [];
    for (const each of criteria) {
      const { id } = await ok(client.post('/v1/records', { type, criteria: each }));
      ids.push(String(id));
      await sleep(2);
    }
    return { type, ids };
  };
  beforeAll(() => rig.prepare());
  afterEach(() => rig.database.raw('DELETE FROM compliance_exports'));
  afterAll(() => rig.end());

  it('one record that was edited is left out, counted and named, and the others are all there', () =>
    rig.run(async (service) => {
      const { type, ids } = await written(service, [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
      await rig.database.raw(`UPDATE records SET platform = 'edited' WHERE id = ${idOf(ids[1])}`);
      // Its chain cannot be read any more, in the middle of what is shown of it.
      await rig.database.raw(
        `UPDATE chain_entries SET cose_sign1 = x'00' WHERE record_id = ${idOf(ids[2])}`,
      );
      for (const format of ['ndjson', 'json', 'csv']) {
        const { id } = await ask(admin(service), { type, format });
        const made = await completed(admin(service), id);
        expect(made).toMatchObject({
          state: 'completed',
          total_records: 4,
          exported_records: 2,
          omitted_records: 2,
          truncated: false,
          omissions: [{ recordId: ids[2] }, { recordId: ids[1] }],
          suggestion: expect.stringContaining('left out') as unknown,
        });
        const file = await download(admin(service), id);
        expect(sha256(file)).toBe(made['sha256']);
        const text = file.toString();
        for (const left of [ids[1]!, ids[2]!]) expect(text).not.toContain(left);
        for (const shown of [ids[0]!, ids[3]!]) expect(text).toContain(shown);
        if (format === 'json') expect(JSON.parse(text)).toHaveLength(2);
        const trust = trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint });
        if (format === 'ndjson')
          for (const line of text.trimEnd().split('\n'))
            expect(await verifyFile(line, { trust })).toMatchObject({ verdict: 'valid' });
      }
      const [entry] = await rig.database.raw(
        "SELECT cose_sign1 FROM chain_entries WHERE entry_type = 'EXPORT_TAKEN' ORDER BY position DESC LIMIT 1",
      );
      const sealed = Buffer.from(signedIn(entry!)).toString('latin1');
      expect(sealed).toContain('"omitted":2');
      expect(sealed).toContain('"records":2');
    }));

  it('an export that somebody edited while it waits is not made, and keeps no other from being made', () =>
    rig.run(async (service) => {
      const { type } = await written(service, [{ n: 1 }]);
      const edited = await ask(admin(service), { type });
      await completed(admin(service), edited['id']);
      await rig.database.raw(
        `UPDATE compliance_exports SET in_flight = 'export', made = NULL, created_at = 0 WHERE id = ${idOf(edited['id'])}`,
      );
      const genuine = await ask(admin(service), { type });
      expect(await completed(admin(service), genuine['id'])).toMatchObject({ state: 'completed' });
      expectProblem(
        await admin(service).get(`${EXPORTS}/${String(edited['id'])}/download`),
        409,
        'CONFLICT',
      );
    }));

  it('an edited piece behind the first one ends the download where it is, not as if it were whole', () =>
    rig.run(async (service) => {
      const large = { text: 'x'.repeat(700_000) };
      const { type } = await written(service, [large, large]);
      const { id } = await ask(admin(service), { type });
      const made = await completed(admin(service), id);
      const whole = await download(admin(service), id);
      expect(sha256(whole)).toBe(made['sha256']);
      await rig.database.raw(
        `UPDATE compliance_export_pieces SET content = x'00' WHERE ordinal = 1`,
      );
      await expect(download(admin(service), id)).rejects.toThrow();
      await rig.database.raw('DELETE FROM compliance_export_pieces WHERE ordinal = 1');
      await expect(download(admin(service), id)).rejects.toThrow();
      await rig.database.raw('DELETE FROM compliance_export_pieces');
      expectProblem(await admin(service).get(`${EXPORTS}/${String(id)}/download`), 409, 'CONFLICT');
    }));

  it('pieces that somebody takes from another export are not given out', () =>
    rig.run(async (service) => {
      const one = await written(service, [{ n: 'one' }]);
      const other = await written(service, [{ n: 'other' }]);
      const [mine, theirs] = [
        await ask(admin(service), { type: one.type }),
        await ask(admin(service), { type: other.type }),
      ];
      await completed(admin(service), mine['id']);
      await completed(admin(service), theirs['id']);
      const [{ content } = { content: null }] = await rig.database.raw(
        `SELECT content FROM compliance_export_pieces WHERE export_id = ${idOf(theirs['id'])}`,
      );
      await rig.database.raw(
        `UPDATE compliance_export_pieces SET content = ${literal(content)} WHERE export_id = ${idOf(mine['id'])}`,
      );
      expectProblem(
        await admin(service).get(`${EXPORTS}/${String(mine['id'])}/download`),
        409,
        'CONFLICT',
      );
    }));

  it('two nodes that make it at the same time make one file, which is the one that was sealed', () =>
    rig.run((one) =>
      rig.run(async (other) => {
        const { type } = await written(
          one,
          Array.from({ length: 12 }, (_, n) => ({ n })),
        );
        const { id } = await ask(admin(one), { type });
        const { signal } = new AbortController();
        await Promise.allSettled(
          [one, other].map((node) => node.container.get(MakeExports).run(signal)),
        );
        const made = await completed(admin(one), id);
        expect(made).toMatchObject({ state: 'completed', exported_records: 12 });
        expect(sha256(await download(admin(other), id))).toBe(made['sha256']);
        await sleep(300);
        const taken = await rig.database.raw(
          "SELECT cose_sign1 FROM chain_entries WHERE entry_type = 'EXPORT_TAKEN'",
        );
        const ofIt = taken.filter((row) =>
          Buffer.from(signedIn(row)).toString('latin1').includes(String(id)),
        );
        expect(ofIt).toHaveLength(1);
      }),
    ));

  it('records that are written meanwhile change nothing of what it says of itself', () =>
    rig.run(async (service) => {
      const { type } = await written(
        service,
        Array.from({ length: 10 }, (_, n) => ({ n })),
      );
      const client = rig.at(service, rig.world.principal.client);
      const { id } = await ask(admin(service), { type });
      let stop = false;
      const writing = (async () => {
        while (!stop) await ok(client.post('/v1/records', { type, criteria: { late: true } }));
      })();
      const made = await completed(admin(service), id);
      stop = true;
      await writing;
      expect(made).toMatchObject({ state: 'completed', omitted_records: 0, truncated: false });
      expect(made['exported_records']).toBe(made['total_records']);
      const lines = (await download(admin(service), id)).toString().trimEnd().split('\n');
      expect(lines).toHaveLength(Number(made['exported_records']));
    }));

  it('hostile content stays in its line, its cell and its record', () =>
    rig.run(async (service) => {
      const { type, ids } = await written(service, [
        { [HOSTILE]: HOSTILE },
        { text: `${'x'.repeat(1_048_000 / 2)}\u{1f600}` },
      ]);
      const ndjson = await ask(admin(service), { type });
      await completed(admin(service), ndjson['id']);
      const text = (await download(admin(service), ndjson['id'])).toString();
      for (const one of '\u0085\u2028\u2029\u009b\r') expect(text).not.toContain(one);
      const lines = text.trimEnd().split('\n');
      expect(lines).toHaveLength(2);
      const shown = lines.map((line) => JSON.parse(line) as Body);
      expect(shown.map(({ record }) => (record as Body)['id'] as string)).toEqual(ids.toReversed());
      expect((shown[1]!['record'] as Body)['criteria']).toEqual({ [HOSTILE]: HOSTILE });
      const trust = trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint });
      for (const line of lines)
        expect(await verifyFile(line, { trust })).toMatchObject({ verdict: 'valid' });
      const csv = await ask(admin(service), { type, format: 'csv' });
      await completed(admin(service), csv['id']);
      const table = (await download(admin(service), csv['id'])).toString();
      for (const row of table.trimEnd().split('\r\n'))
        for (const cell of row.match(/"(?:[^"]|"")*"|[^,]+/g) ?? [])
          expect(cell).not.toMatch(/^"?[=+@\-\t]/);
    }));

  it('neither making nor downloading holds up everybody else', async () => {
    await rig.run(async (service) => {
      const large = { text: `${'y'.repeat(900_000)}` };
      const { type } = await written(service, [large, large, large, large]);
      let id: unknown;
      // Something else may be done on the thread during one of them.
      const best = async (work: () => Promise<unknown>): Promise<number> => {
        let shortest = Infinity;
        for (let tries = 0; tries < 3 && shortest >= 100; tries++)
          shortest = Math.min(shortest, await longestGap(work));
        return shortest;
      };
      const making = await best(async () => {
        id = (await ask(admin(service), { type }))['id'];
        await completed(admin(service), id);
      });
      expect(making).toBeLessThan(100);
      expect(await best(() => download(admin(service), id))).toBeLessThan(100);
    });
  });

  it('another org sees neither the export, nor that it is there, nor a record that was left out', () =>
    rig.run(async (service) => {
      const { platform } = rig.world;
      const at = rig.at(service, platform);
      const org = await ok(
        at.post('/v1/admin/orgs', { name: `Other ${kind.name}`, bootstrapAdmin: true }),
      );
      const stranger = rig.at(service, admin(service));
      Object.assign(stranger, { key: (org['bootstrapKey'] as Body)['apiKey'] as string });
      const { type } = await written(service, [{ secret: 'of the org' }]);
      const { id } = await ask(admin(service), { type });
      await completed(admin(service), id);
      for (const path of [`${EXPORTS}/${String(id)}`, `${EXPORTS}/${String(id)}/download`]) {
        const refused = await stranger.get(path);
        expectProblem(refused, 404, 'NOT_FOUND');
        expect(JSON.stringify(refused.body)).not.toContain(rig.world.orgId);
      }
      expect((await ok(stranger.get(EXPORTS)))['data']).toEqual([]);
      const own = await ask(stranger, {});
      expect(await completed(stranger, own['id'])).toMatchObject({ total_records: 0 });
      // The platform gets the records of the org that it names, and of no other.
      const named = await ok(at.post(`${EXPORTS}?orgId=${String(org['id'])}`, EVER));
      expect(await completed(at, named['id'])).toMatchObject({ total_records: 0 });
      const { complianceExports } = service.container.get(TOKENS.sql).reads;
      expect(await complianceExports.find(String(id))).not.toBeNull();
    }));
});
