import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import type { AuditExport } from '../../domain/verification/read/audit-export.ts';
import { TestHub } from '../support/attackers/make-export.ts';
import { tellingExports } from '../support/attackers/telling-exports.ts';
import { Guide, Home } from '../support/runner/guide.ts';
import { hasTools } from '../support/runner/tools.ts';
import { useApi } from '../support/service/api.ts';
import { ok, openDecided } from '../support/service/world.ts';

const api = useApi();
const home = new Home();
const section = Guide.of('verify-offline').section('By hand');
/** The members that the guide names as not read: those of its last list. */
const notRead = [...section.text.slice(section.text.indexOf('does not read')).matchAll(/`(.+?)`/g)]
  .map(([, member]) => member!)
  .toSorted();

const exports = new Map<string, AuditExport>();
let good: AuditExport;
let pin: string;
beforeAll(async () => {
  const hub = await TestHub.start();
  pin = fingerprintOf(publicKeyFromSpki(hub.spki));
  good = await hub.export(await hub.gate());
  for (const [name, document] of await tellingExports(hub)) exports.set(name, document);
});

/** Runs the recipe as a reader pastes it, in an empty folder that holds the export. */
const follow = async (
  exported: unknown,
  fingerprint = pin,
  beside: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const folder = mkdtempSync(join(home.path, 'reader-'));
  const files = { 'export.json': textOf(exported), ...beside };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const env = { PIN: `sha256:${fingerprint}` };
  const { code, stdout, stderr } = await home.bash(section.blocks('sh').join('\n'), env, folder);
  return { code, output: stdout + stderr };
};

const textOf = (exported: unknown): string =>
  typeof exported === 'string' ? exported : JSON.stringify(exported);

/** The members of a value that hold no object, each with its path; of an array only the last item. */
const leavesOf = (value: JsonValue, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path];
  const names = Object.keys(value);
  if (names.length === 0) return [path];
  return (Array.isArray(value) ? names.slice(-1) : names).flatMap((name) =>
    leavesOf((value as JsonObject)[name]!, [...path, name]),
  );
};
type Path = readonly string[];

/** Another value of the same kind. */
const doctored = (value: JsonValue): JsonValue => {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return value === null ? 'x' : ['x'];
  // The last digit of a hash, an id or a time; in Base64 a digit before the padding.
  const at = Math.max(0, value.length - 5);
  return value.slice(0, at) + (value[at] === '1' ? '2' : '1') + value.slice(at + 1);
};

const withLeaf = (document: AuditExport, path: Path): unknown => {
  const copy = structuredClone(document) as unknown as Record<string, JsonValue>;
  const holder = path
    .slice(0, -1)
    .reduce((value, name) => value[name] as Record<string, JsonValue>, copy);
  holder[path.at(-1)!] = doctored(holder[path.at(-1)!]!);
  return copy;
};

/** A path as the guide writes it. */
const written = (path: Path): string =>
  path.reduce((text, name) => (/^\d+$/.test(name) ? `${text}[]` : `${text}.${name}`), '').slice(1);

const isNotRead = (path: Path): boolean =>
  notRead.some(
    (member) =>
      written(path).startsWith(member) && /^(?:$|[.[])/.test(written(path).slice(member.length)),
  );

/** Doctors one member at a time, and returns the members that the recipe does not find. */
const unfound = async (document: AuditExport, paths: readonly Path[]): Promise<string[]> => {
  const missed: string[] = [];
  const waiting = [...paths];
  const work = async (): Promise<void> => {
    for (let path = waiting.pop(); path; path = waiting.pop())
      if ((await follow(withLeaf(document, path))).code === 0) missed.push(written(path));
  };
  await Promise.all([work(), work()]);
  return missed.toSorted();
};

describe.skipIf(!hasTools('bash', 'python3', 'openssl', 'sha256sum'))(
  'verify-offline.md, by hand',
  () => {
    it('holds for a verified export', async () => {
      const { code, output } = await follow(good);
      expect([code, output]).toEqual([0, expect.stringContaining('evidence is what was sealed')]);
      expect(output.match(/Signature Verified Successfully/g)).toHaveLength(4);
      expect(output).toMatch(/3 entries in one chain, complete as of 2026-/);
      expect(output).toMatch(/VERDICT_RENDERED FULFILLED/);
      expect(output).toMatch(/the record is what its entries say: FULFILLED/);
    });

    it('holds for records with disputes, counter-proposals, references and parents', async () => {
      for (const [name, document] of exports)
        expect([name, await follow(document)]).toEqual([
          name,
          expect.objectContaining({ code: 0 }),
        ]);
    });

    it('holds for an export of the service', async () => {
      const { id } = await openDecided(api.world, 'accept');
      const { client } = api.world.principal;
      const answer = await ok(client.get(`/v1/records/${id}/audit-export?evidence=true`));
      const document = answer as unknown as AuditExport;
      const [key] = document.keys;
      const fingerprint = fingerprintOf(publicKeyFromSpki(Buffer.from(key!.publicKey, 'base64')));
      expect(await follow(document, fingerprint)).toEqual({
        code: 0,
        output: expect.stringContaining('the record is what its entries say: FULFILLED'),
      });
    });

    it('finds each member of the record that is doctored', async () => {
      const [disputed, countered, cancelled, child] = exports.values();
      expect(await unfound(disputed!, leavesOf(disputed!.record as never, ['record']))).toEqual([]);
      const offer = leavesOf(countered!.record.counterProposal, ['record', 'counterProposal']);
      expect(offer.length).toBeGreaterThan(5);
      expect(await unfound(countered!, [...offer, ['record', 'criteria', 'amount']])).toEqual([]);
      expect(await unfound(cancelled!, [['record', 'cancelledBy']])).toEqual([]);
      const place = ['parentRecordId', 'rootRecordId', 'depth'].map((name) => ['record', name]);
      expect(await unfound(child!, place)).toEqual([]);
    }, 600_000);

    it('finds each other member that is doctored, unless the guide names it as not read', async () => {
      const paths = leavesOf(good as never).filter(([first]) => first !== 'record');
      expect(paths.length).toBeGreaterThan(50);
      expect(
        await unfound(
          good,
          paths.filter((path) => !isNotRead(path)),
        ),
      ).toEqual([]);
    }, 600_000);

    it('finds nothing in the members that the guide names as not read', async () => {
      const paths = leavesOf(good as never).filter(isNotRead);
      const members = paths.filter(([first]) => first !== 'keys');
      expect(await unfound(good, members)).toEqual(members.map(written).toSorted());
    }, 600_000);

    it.each<[string, (draft: any) => void, RegExp]>([
      [
        'another status',
        (draft) => (draft.record.status = 'FAILED'),
        /record\.status is not what the entries say/,
      ],
      [
        'other criteria',
        (draft) => (draft.record.criteria.amount = '999.00'),
        /other criteria were sealed/,
      ],
      [
        'other criteria with their own hash',
        (draft) => {
          draft.record.criteria = {};
          draft.record.criteriaHash =
            '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
        },
        /other criteria were sealed/,
      ],
      [
        'a member of the record that no entry has',
        (draft) => (draft.record.approvedBy = 'alice'),
        /no entry says record\.approvedBy/,
      ],
      [
        'a member of the record that is left out',
        (draft) => delete draft.record.terminalAt,
        /KeyError: 'terminalAt'/,
      ],
      [
        'a number for a truth value',
        (draft) => (draft.record.disputed = 0),
        /record\.disputed is not what/,
      ],
      ['another party', (draft) => draft.parties.reverse(), /the parties are others/],
      ['a party that is left out', (draft) => draft.parties.pop(), /the parties are others/],
      [
        'other evidence',
        (draft) => (draft.chain.entries[1].evidence.total = '1'),
        /another evidence was sealed/,
      ],
      [
        'another statement',
        (draft) => (draft.chain.entries[1].statement.predicate.requestId = 'x'),
        /entry-0002\.statement is not what was signed/,
      ],
      [
        'entries in another order',
        (draft) => draft.chain.entries.reverse(),
        /entry-0001\.position is not what was signed/,
      ],
      [
        'an entry that is left out',
        (draft) => draft.chain.entries.splice(1, 1),
        /an entry is missing/,
      ],
      ['a last entry that is left out', (draft) => draft.chain.entries.pop(), /the end is missing/],
      [
        'a changed byte',
        (draft) => (draft.chain.entries[0].coseSign1 = changed(draft.chain.entries[0].coseSign1)),
        /Verification Failure/,
      ],
      [
        'the record of another chain',
        (draft) => (draft.record = structuredClone(exports.get('cancelled')!.record)),
        /record\.awaiting is not|record\.activatedAt is not/,
      ],
      [
        'a key id that is a path',
        (draft) => (draft.keys[0].keyId = '../outside'),
        /this is not a key id/,
      ],
    ])('stops at %s', async (_what, edit, says) => {
      const draft = structuredClone(good);
      edit(draft);
      const { code, output } = await follow(draft);
      expect([code, output]).toEqual([1, expect.stringMatching(says)]);
    });

    it('stops at a member that appears twice, because readers differ in which one they show', async () => {
      const text = JSON.stringify(good).replace('"status":', '"status":"FAILED","status":');
      expect(await follow(text)).toEqual({
        code: 1,
        output: expect.stringContaining('a member appears twice'),
      });
    });

    it('runs nothing that came with the export', async () => {
      const hostile = { 'json.py': 'raise SystemExit(0)\n', 'hashlib.py': 'raise SystemExit(0)\n' };
      const { code, output } = await follow(good, pin, hostile);
      expect([code, output]).toEqual([
        0,
        expect.stringContaining('the record is what its entries'),
      ]);
    });

    it('stops if the key is another one', async () => {
      const { code, output } = await follow(good, 'ab'.repeat(32));
      expect(code).not.toBe(0);
      expect(output).not.toContain('Verified Successfully');
    });
  },
);

/** A byte in the middle of the payload. */
const changed = (base64: string): string => {
  const bytes = Buffer.from(base64, 'base64');
  const at = bytes.indexOf('"requestId":"') + 13;
  bytes[at] = bytes[at]! ^ 1;
  return bytes.toString('base64');
};
