import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Rfc3161Checker } from '../../adapters/tsa/rfc3161-checker.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { StampRounds } from '../../application/vault/stamp-rounds.ts';
import { TakeDump } from '../../application/vault/take-dump.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import { readKeyListing } from '../../domain/verification/keys/key-listing.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { dumpCollector, sourceOf } from '../support/attackers/dump-files.ts';
import { OpensslTsa } from '../support/peers/openssl-tsa.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';

const REFERENCE = (n: number) => ({ kind: 'ticket', uri: `https://example.org/${n}` });

describe.each(quickDatabases())('audit exports across rotations on $name', (kind) => {
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
  const tsa = new OpensslTsa();
  /** Public keys, SPKI in base64, oldest first. */
  const pins: string[] = [];
  /** What `GET /v1/verification-keys` said while each of them was the newest. */
  const listings: Body[] = [];
  const exports: Record<string, Body> = {};

  const verdict = async (document: Body, ...trusted: string[]): Promise<string> =>
    inShort(await verifyAuditExport(JSON.stringify(document), { trust: trusting(trusted) }));
  /** The verdict under the keys as a listing shows them, which an auditor fetched. */
  const underListing = async (
    document: Body,
    listing: Body,
    roots: string | null = null,
  ): Promise<VerificationReport> =>
    verifyFile(JSON.stringify(document), {
      trust: trustOf(readKeyListing(listing)),
      timestamps: roots === null ? null : await Rfc3161Checker.under(roots),
    });
  const dump = dumpCollector();

  beforeAll(async () => {
    rig.env = { ...rig.env, TSA_URL: await tsa.serve() };
    await rig.prepare();
    await rig.run(async (service) => {
      const principal = rig.at(service, rig.world.principal.client);
      const note = () =>
        ok(principal.post('/v1/records', { type: 'note', criteria: { text: 'n' } }));
      const refer = ({ id }: Body, n: number) =>
        ok(principal.post(`/v1/records/${id}/references`, REFERENCE(n)));
      const exported = ({ id }: Body) => ok(principal.get(`/v1/records/${id}/audit-export`));
      const rotate = (body?: object) =>
        ok(rig.at(service, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate', body));
      const pin = async (): Promise<void> => {
        const listing = await ok(rig.at(service, rig.world.anonymous).get('/v1/verification-keys'));
        listings.push(listing);
        pins.push(listing['data'][0].publicKey);
      };
      await pin();
      const before = await note();
      const across = await note();
      const twice = await note();
      await refer(twice, 1);
      exports['a file made before'] = await exported(before);
      exports['a tree made before'] = await ok(
        principal.get(`/v1/records/${before['id']}/audit-export?subtree=true`),
      );
      await service.container.get(TakeDump).execute({ withRound: true, write: dump.write });
      await rotate();
      await pin();
      await refer(across, 2);
      await refer(twice, 2);
      exports['a file made between'] = await exported(across);
      const stamped = await note();
      await exported(stamped);
      await service.container.get(CheckpointRound).run();
      await service.container.get(StampRounds).run();
      exports['a file made between, with a time stamp'] = await exported(stamped);
      await rotate({ reason: 'compromised' });
      await pin();
      await refer(across, 3);
      const after = await note();
      exports['a record that ended before'] = await exported(before);
      exports['a record across'] = await exported(across);
      exports['a record with entries of two retired keys'] = await exported(twice);
      exports['a record after'] = await exported(after);
      await service.container.get(CheckpointRound).run();
      exports['with a round'] = await exported(across);
    });
  });
  afterAll(async () => {
    await rig.end();
    await tsa.end();
  });

  it.each([
    'a record that ended before',
    'a record across',
    'a record with entries of two retired keys',
    'a record after',
    'with a round',
  ])('%s is valid under each pin, and under all of them', async (name) => {
    const document = exports[name]!;
    for (const pin of pins) expect(await verdict(document, pin)).toBe('valid');
    expect(await verdict(document, ...pins)).toBe('valid');
    expect(document['keyStatements']).toHaveLength(5);
  });

  it('shows one retirement for each retired key that signed, and the newest round', () => {
    const shown = (name: string) => exports[name]!['retirements'].map((row: Body) => row['keyId']);
    expect(shown('a record after')).toEqual([]);
    expect(shown('a record that ended before')).toHaveLength(1);
    expect(shown('a record with entries of two retired keys')).toHaveLength(2);
    expect(exports['a record after']!['log']).toBeNull();
    expect(exports['with a round']!['log']).toMatchObject({
      inclusion: { leafIndex: exports['with a round']!['checkpoint'].logIndex },
    });
  });

  it('a file made before a rotation is valid under the old pin, and "cannot tell" under a newer one alone', async () => {
    const file = exports['a file made before']!;
    expect(await verdict(file, pins[0]!)).toBe('valid');
    expect(await verdict(file, pins[1]!)).toBe('cannot_tell: ');
  });

  it.each(['a file made before', 'a tree made before'])(
    '%s a scheduled rotation is valid as of its own date under the listings of later',
    async (name) => {
      for (const listing of listings.slice(1)) {
        const report = await underListing(exports[name]!, listing);
        expect(inShort(report)).toBe('valid');
        expect(report.notes.join()).toMatch(/as of its own date: .* retired on schedule at 20/);
      }
      expect((await underListing(exports[name]!, listings[0]!)).notes.join()).not.toContain('own');
    },
  );

  it('a dump made before a scheduled rotation is valid as of its own date too', async () => {
    const trust = trustOf(readKeyListing(listings[2] as JsonObject));
    const report = await verifyDump(sourceOf(dump.texts()), { trust });
    expect(inShort(report)).toBe('valid');
    expect(report.notes.join()).toMatch(/as of its own date: .* retired on schedule at 20/);
  });

  it('is valid under the listing of later and an old pin together', async () => {
    const trust = trustOf({
      kind: 'all',
      of: [
        readKeyListing(listings[2] as JsonObject),
        { kind: 'keys', spki: [new Uint8Array(Buffer.from(pins[0]!, 'base64'))] },
      ],
    });
    const text = JSON.stringify(exports['a file made before']);
    expect(inShort(await verifyAuditExport(text, { trust }))).toBe('valid');
  });

  it('is "cannot tell" if the key was retired as compromised, unless a time stamp is older than that', async () => {
    const [file, stamped] = [
      exports['a file made between']!,
      exports['a file made between, with a time stamp']!,
    ];
    for (const document of [file, stamped]) {
      const report = await underListing(document, listings[2]!);
      expect(report).toMatchObject({ verdict: 'cannot_tell', exitCode: 2, failures: [] });
      expect(report.reasons.join()).toContain('retired as compromised at 20');
      expect(inShort(await underListing(document, listings[1]!))).toBe('valid');
    }
    const report = await underListing(stamped, listings[2]!, tsa.root);
    expect(inShort(report)).toBe('valid');
    expect(report.notes.join()).toContain('a time stamp shows that the file existed');
    expect(inShort(await underListing(file, listings[2]!, tsa.root))).toBe('cannot_tell: ');
  });

  it('is "cannot tell" if the listing does not say how the key was retired', async () => {
    const { keyStatements: _left, ...listing } = listings[2]!;
    const report = await underListing(exports['a file made before']!, listing);
    expect(report).toMatchObject({ verdict: 'cannot_tell', failures: [] });
    expect(report.reasons.join()).toContain('does not say why');
  });

  it('is invalid where an entry is dated after the retirement that the listing shows', async () => {
    const listed = readKeyListing(listings[1] as JsonObject);
    const trust = trustOf({
      ...listed,
      retirements: listed.retirements!.map((one) => ({ ...one, at: '2020-01-01T00:00:00.000Z' })),
    });
    const text = JSON.stringify(exports['a file made before']);
    expect(inShort(await verifyAuditExport(text, { trust }))).toMatch(
      /^invalid: CHAIN_KEY_EXPIRED/,
    );
  });

  it('is not trusted for a successor that the listing does not know', async () => {
    const report = await underListing(exports['a record that ended before']!, {
      ...listings[1]!,
      data: listings[1]!['data'].filter((key: Body) => key['status'] === 'retired'),
    });
    expect(report.verdict).toBe('cannot_tell');
  });

  it.each<[string, (document: Body) => void, string]>([
    [
      'without the retirement',
      (document) => document['retirements'].pop(),
      'CHAIN_KEY_POLICY_VIOLATION',
    ],
    [
      'with another place in the log',
      (document) => document['retirements'][0].inclusion.leafIndex++,
      'CHAIN_KEY_POLICY_VIOLATION CHECKPOINT_ROOT_MISMATCH',
    ],
    [
      'with another size',
      (document) => document['retirements'][0].inclusion.treeSize++,
      'CHAIN_KEY_POLICY_VIOLATION CHECKPOINT_ROOT_MISMATCH',
    ],
    [
      'with another path',
      (document) => (document['retirements'][0].inclusion.path[0] = '00'.repeat(32)),
      'CHAIN_KEY_POLICY_VIOLATION CHECKPOINT_ROOT_MISMATCH',
    ],
    [
      'with the same retirement twice',
      (document) => document['retirements'].push(document['retirements'][0]),
      'CHAIN_KEY_POLICY_VIOLATION',
    ],
    [
      'with another root of the newest round',
      (document) => (document['log'].inclusion.path[0] = '00'.repeat(32)),
      'CHECKPOINT_ROOT_MISMATCH',
    ],
  ])('is refused %s', async (_what, change, classes) => {
    const document = structuredClone(exports['with a round']!);
    change(document);
    expect(await verdict(document, pins[2]!)).toMatch(new RegExp(`^invalid: ${classes}`));
  });
});

const inShort = ({ verdict, failures }: VerificationReport): string =>
  verdict === 'valid' ? verdict : `${verdict}: ${failures.map((one) => one.class).join(' ')}`;

const trusting = (pins: readonly string[]) =>
  trustOf({ kind: 'keys', spki: pins.map((pin) => new Uint8Array(Buffer.from(pin, 'base64'))) });
