import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScanResult } from '../../../application/ports/scan-result.ts';
import { sha256 } from '../../../domain/kernel/digest.ts';
import { quickDatabases, type TestDatabase } from '../../support/databases/databases.ts';
import { scanHere } from '../../support/service/scan-here.ts';
import { EditedHub, type Row, type SqlValue } from '../../support/attackers/edited-hub.ts';
import { deliver, openJob, ok } from '../../support/service/world.ts';
import { signedIn } from '../../support/databases/stored-values.ts';

/** A change of one row, which is taken back. */
interface Edit {
  readonly table: string;
  readonly where: string;
  readonly values: Readonly<Record<string, SqlValue>>;
}

const bytesOf = (value: SqlValue | undefined): Buffer => Buffer.from(value as Uint8Array);

describe.each(quickDatabases())('a scan, on $name, says why:', (kind) => {
  let database: TestDatabase | undefined;
  let hub: EditedHub;
  let note: string;
  let job: string;

  const scan = (): Promise<ScanResult> => scanHere(hub.service);

  beforeAll(async () => {
    database = await kind.open();
    hub = await EditedHub.start(database);
    const { principal } = hub.world;
    note = String(
      (await ok(principal.client.post('/v1/records', { type: 'note', criteria: {} })))['id'],
    );
    job = String((await openJob(hub.world))['id']);
    await deliver(hub.world, job);
  });
  afterAll(async () => {
    await hub?.stop();
    await database?.drop();
  });

  const entryOf = (chainKey: string, position: number): string =>
    `${hub.is('chain_key', chainKey)} AND ${hub.is('position', position)}`;

  /** Other bytes for the only entry of the note, with the hashes that fit them. */
  const rewritten = async (
    change: (bytes: Buffer, row: Row) => Buffer,
    values: (row: Row) => Edit['values'] = () => ({}),
  ): Promise<readonly Edit[]> => {
    const where = entryOf(note, 1);
    const row = await hub.row('chain_entries', where);
    const bytes = change(Buffer.from(signedIn(row)), row);
    const hash = sha256(bytes);
    return [
      { table: 'chain_entries', where, values: { cose_sign1: bytes, hash, ...values(row) } },
      { table: 'chain_heads', where: hub.is('chain_key', note), values: { hash } },
    ];
  };

  const withEdits = async (edits: readonly Edit[]): Promise<ScanResult> => {
    const undo: (() => Promise<void>)[] = [];
    try {
      for (const { table, where, values } of edits) {
        const row = await hub.row(table, where);
        for (const [column, value] of Object.entries(values)) {
          await hub.set(table, column, value, where);
          undo.push(() => hub.set(table, column, row[column]!, where));
        }
      }
      return await scan();
    } finally {
      for (const back of undo.reverse()) await back();
    }
  };

  const otherKid = (kid: string): string => `${kid.startsWith('0') ? '1' : '0'}${kid.slice(1)}`;

  const CASES: readonly (readonly [
    reasons: readonly string[],
    what: string,
    edits: () => Promise<readonly Edit[]> | readonly Edit[],
  ])[] = [
    [
      ['signature_invalid'],
      'another signature, with the hashes that fit it',
      () =>
        rewritten((bytes) => {
          const other = Buffer.from(bytes);
          other[other.length - 20]! ^= 1;
          return other;
        }),
    ],
    [
      ['key_missing'],
      'the name of a key that was never activated',
      () =>
        rewritten(
          (bytes, row) => {
            const kid = String(row['signing_key_id']);
            const at = bytes.indexOf(kid, 0, 'latin1');
            const other = Buffer.from(bytes);
            other.write(otherKid(kid), at, 'latin1');
            return other;
          },
          (row) => ({ signing_key_id: otherKid(String(row['signing_key_id'])) }),
        ),
    ],
    [['decode_failed'], 'bytes that are cut', () => rewritten((bytes) => bytes.subarray(0, 40))],
    [
      ['hash_mismatch'],
      'another hash of an entry',
      async () => {
        const where = entryOf(note, 1);
        const { hash } = await hub.row('chain_entries', where);
        return [{ table: 'chain_entries', where, values: { hash: sha256(bytesOf(hash)) } }];
      },
    ],
    [
      ['link_broken', 'header_mismatch'],
      'another hash of the entry before',
      () => [
        {
          table: 'chain_entries',
          where: entryOf(job, 2),
          values: { previous_hash: sha256(Buffer.from('other')) },
        },
      ],
    ],
    [
      ['position_gap'],
      'a head beyond the chain',
      () => [{ table: 'chain_heads', where: hub.is('chain_key', job), values: { position: 9 } }],
    ],
    [
      ['header_mismatch'],
      'another key beside an entry',
      () => [
        {
          table: 'chain_entries',
          where: entryOf(note, 1),
          values: { signing_key_id: '0'.repeat(32) },
        },
      ],
    ],
    [
      ['key_invalid'],
      'another time in the row of a key',
      async () => {
        const where = await hub.any('vault_signing_keys', 'key_id');
        return [{ table: 'vault_signing_keys', where, values: { activated_at: 1 } }];
      },
    ],
    [
      ['payload_drift'],
      'another status of a record',
      () => [
        {
          table: 'records',
          where: hub.is('id', Buffer.from(job.replaceAll('-', ''), 'hex')),
          values: { status: 'FULFILLED' },
        },
      ],
    ],
  ];

  it.each(CASES)('%s by %s, and by nothing else', async (reasons, _what, edits) => {
    const result = await withEdits(await edits());
    expect([...new Set(result.brokenRecords.map(({ reason }) => reason))].sort()).toEqual(
      [...reasons].sort(),
    );
    expect(result).toMatchObject({ broken: 1, healthy: result.chains - 1, omitted: 0 });
    const isUnverified = reasons.some((reason) =>
      ['signature_invalid', 'key_missing'].includes(reason),
    );
    expect(result.signatureErrors).toBe(isUnverified ? 1 : 0);
    expect(await scan()).toMatchObject({ broken: 0, brokenRecords: [] });
  });

  it('a chain that is gone, where its record or a checkpoint names it', async () => {
    const { id } = await ok(
      hub.world.principal.client.post('/v1/records', { type: 'note', criteria: {} }),
    );
    await ok(hub.world.platform.get(`/v1/records/${String(id)}/audit-export`));
    await database!.raw(`DELETE FROM chain_entries WHERE chain_key = '${String(id)}'`);
    const result = await scan();
    expect(result.brokenRecords.map(({ chainKey, reason }) => [chainKey, reason])).toEqual(
      expect.arrayContaining([[id, 'position_gap']]),
    );
    expect(result.brokenRecords.map((fault) => fault.class).sort()).toEqual([
      'CHAIN_POSITION_GAP',
      'CHAIN_POSITION_GAP',
      'CHECKPOINT_CHAIN_MISSING',
    ]);
    expect(result.broken).toBe(1);
  });
});
