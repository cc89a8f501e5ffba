import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runVerify } from '../../adapters/cli/verify.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { useApi } from '../support/service/api.ts';
import { ok, openDecided } from '../support/service/world.ts';

const api = useApi();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ndjson-'));
});
afterAll(() => rm(folder, { recursive: true }));

const textOf = async (id: string, query: string): Promise<string> => {
  const { url, key } = api.world.principal.client;
  const answer = await fetch(`${url}/v1/records/${id}/audit-export?${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return answer.text();
};
const verify = (text: string) =>
  verifyFile(text, { trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }) });

describe('an NDJSON export', () => {
  it('is verified as the JSON export is, as text and as bytes', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const text = await textOf(id, 'format=ndjson&evidence=true');
    const report = await verify(text);
    expect(report).toMatchObject({ verdict: 'valid', failures: [], reasons: [] });
    const json = await verify(await textOf(id, 'evidence=true'));
    expect(report.checks).toEqual(json.checks);
    expect(report.subject).toEqual(json.subject);
    const bytes = new TextEncoder().encode(text);
    const trust = trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint });
    expect((await verifyFile(bytes, { trust })).verdict).toBe('valid');
  });

  it('with a line removed, repeated, moved, renamed or changed is not valid', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const text = await textOf(id, 'format=ndjson');
    const lines = text.trimEnd().split('\n');
    const verdictOf = async (changed: readonly string[]) =>
      (await verify(`${changed.join('\n')}\n`)).verdict;
    expect(await verdictOf(lines)).toBe('valid');
    for (const [index, line] of lines.entries()) {
      const { kind, closing } = JSON.parse(line);
      const without = lines.toSpliced(index, 1);
      const told = { kind, closing };
      expect({ ...told, removed: await verdictOf(without) }).not.toMatchObject({
        removed: 'valid',
      });
      expect({
        ...told,
        repeated: await verdictOf(lines.toSpliced(index, 0, line)),
      }).not.toMatchObject({
        repeated: 'valid',
      });
      expect({ ...told, last: await verdictOf([...without, line]) }).not.toMatchObject(
        index === lines.length - 1 ? { last: 'nothing moved' } : { last: 'valid' },
      );
      const more = JSON.stringify({ ...JSON.parse(line), extra: 1 });
      expect({ ...told, more: await verdictOf(lines.with(index, more)) }).not.toMatchObject({
        more: 'valid',
      });
    }
    expect(await verdictOf([...lines, '{"kind":"entry"}'])).toBe('invalid');
    expect(await verdictOf([...lines, '{"kind":"other"}'])).toBe('invalid');
  });

  it('that was cut off is "cannot tell", with what to do', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const text = await textOf(id, 'format=ndjson');
    for (const end of [text.indexOf('\n') + 1, Math.floor(text.length / 2), text.length - 20])
      expect(await verify(text.slice(0, end))).toMatchObject({
        verdict: 'cannot_tell',
        reasons: [expect.stringContaining('fetch it again')],
      });
  });
});

describe('notary verify of whole exports, one a line', () => {
  const run = async (files: readonly string[], json: boolean) => {
    let [out, err] = ['', ''];
    const code = await runVerify(
      { files, json, keys: [api.fingerprint] },
      {
        stdout: (text) => void (out += text),
        stderr: (text) => void (err += text),
        print: () => Promise.resolve(),
        isTTY: false,
      },
    );
    return { code, out, err };
  };

  it('has a line for each, and says what they cover; one that is bad decides', async () => {
    const ids = await Promise.all(
      ['accept', 'reject'].map(async (verdict) =>
        openDecided(api.world, verdict as 'accept' | 'reject'),
      ),
    );
    const exports: string[] = [];
    for (const { id } of ids) exports.push(await textOf(id, ''));
    const good = join(folder, 'good.ndjson');
    await writeFile(good, `${exports.join('\n')}\n`);
    const told = await run([good], false);
    expect(told).toMatchObject({ code: 0, err: '' });
    expect(told.out).toContain('good.ndjson:1');
    expect(told.out).toContain('good.ndjson:2');
    expect(told.out).toMatch(/covers {1,2}8 entries of 2 chains, complete as of .*, 0 of 2 pieces/);

    const bad = join(folder, 'bad.ndjson');
    await writeFile(bad, `${exports[0]!}\n${exports[1]!.replace('"FAILED"', '"FULFILLED"')}\n`);
    const { code, out } = await run([bad], true);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      summary: { valid: 1, invalid: 1, cannot_tell: 0 },
      coverage: { chains: 1, entries: 4 },
      files: [{ verdict: 'valid' }, { verdict: 'invalid' }],
    });
    const folderTold = await run([folder], true);
    expect(JSON.parse(folderTold.out)).toMatchObject({
      summary: { valid: 3, invalid: 1 },
      coverage: { chains: 2, repeated: 1 },
    });
    expect(await run([good, bad, join(folder, 'none')], true)).toMatchObject({ code: 1 });
  });

  it('verifies a compliance export in the formats json and ndjson alike', async () => {
    await openDecided(api.world, 'accept');
    await openDecided(api.world, 'reject');
    const client = api.world.admin;
    const counts = [];
    for (const format of ['json', 'ndjson']) {
      const range = { from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
      const asked = await ok(client.post('/v1/compliance/exports', { ...range, format }));
      const path = `/v1/compliance/exports/${String(asked['id'])}`;
      await expect.poll(async () => (await ok(client.get(path)))['state']).toBe('completed');
      const answer = await fetch(`${client.url}${path}/download`, {
        headers: { authorization: `Bearer ${client.key}` },
      });
      const file = join(folder, `compliance.${format}`);
      await writeFile(file, await answer.text());
      const { code, out } = await run([file], true);
      expect(code).toBe(0);
      counts.push(JSON.parse(out).summary);
    }
    expect(counts[0].valid).toBeGreaterThan(1);
    expect(counts[0]).toEqual(counts[1]);
  });

  it('reads each item of a JSON array in any layout, and no malformed array as valid', async () => {
    const one = await textOf((await openDecided(api.world, 'accept')).id, '');
    const item: unknown = JSON.parse(one);
    const file = join(folder, 'array.json');
    const resultOf = async (text: string) => {
      await writeFile(file, text);
      const { code, out } = await run([file], true);
      return { code, valid: JSON.parse(out).summary?.valid, out };
    };
    expect(await resultOf(JSON.stringify([item, item], null, 2))).toMatchObject({
      code: 0,
      valid: 2,
    });
    // One item has the full report of one file.
    expect(await resultOf(`[${one}]`)).toMatchObject({ code: 0, valid: undefined });
    const bad = one.replace('"FULFILLED"', '"FAILED"');
    expect(await resultOf(`[${one},${bad}]`)).toMatchObject({ code: 1, valid: 1 });
    for (const text of [
      '[]',
      '[ ]\n',
      `[${one}`,
      `[${one},`,
      `[${one},]`,
      `[${one},${one}}`,
      `[${one}}[${one}]`,
      `[${one}][${one}]`,
      `[${one}]${one}`,
      `[${one}${one}]`,
      `[${one},"]`,
      `[${one},[${one}]]`,
    ])
      expect((await resultOf(text)).code, text.replaceAll(one, '…')).not.toBe(0);
    expect((await resultOf('[]')).out).toContain('is empty');
    expect((await resultOf(`[${one}`)).out).toContain('does not end');
  });
});
