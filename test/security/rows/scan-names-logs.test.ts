import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IntegrateEntries } from '../../../application/transparency/integrate-entries.ts';
import { AnchorSweep } from '../../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../../application/vault/checkpoint-round.ts';
import type { ScanFault, ScanResult } from '../../../application/ports/scan-result.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { orgReadsKey } from '../../../domain/transparency/org-read.ts';
import { leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import { statementLog } from '../../../domain/transparency/statement-log.port.ts';
import { PLATFORM_CHAIN, schemaChain } from '../../../domain/vault/chain-key.ts';
import { timestampImprint } from '../../../domain/vault/timestamp.ts';
import { quickDatabases, type TestDatabase } from '../../support/databases/databases.ts';
import { EditedHub, type Row } from '../../support/attackers/edited-hub.ts';
import { OpensslTsa } from '../../support/peers/openssl-tsa.ts';
import { readAndCovered } from '../../support/stories/reads-checkpoint.ts';
import { scanHere } from '../../support/service/scan-here.ts';
import { issuer, registerKey, statement } from '../../support/vectors/statements.ts';
import { ok } from '../../support/service/world.ts';

const COSE = { 'content-type': 'application/cose' };
const ISS = 'https://issuer.example';

/** What an edit of one column does not show: rows that are gone, moved or added, and the nodes of trees. */
describe.each(quickDatabases())('a scan, on $name, compares the logs: it names', (kind) => {
  let database: TestDatabase | undefined;
  let hub: EditedHub;
  let log: string;
  let reads: string;
  let covered: number;

  const scan = (): Promise<ScanResult> => scanHere(hub.service);

  beforeAll(async () => {
    database = await kind.open();
    hub = await EditedHub.start(database);
    const { world, service } = hub;
    log = statementLog(world.orgId);
    reads = orgReadsKey(world.orgId);
    const key = issuer('Ed25519');
    await registerKey(world.admin, world.principal.id, key, [ISS]);
    const register = (sub: string) =>
      ok(world.principal.client.post('/v1/scitt/entries', statement(key, { sub }), COSE));
    const note = () =>
      ok(world.principal.client.post('/v1/records', { type: 'note', criteria: {} }));
    const integrate = () => service.container.get(IntegrateEntries).run();
    await register('covered');
    // Below eight leaves the log of an org has no stored node.
    for (let n = 0; n < 8; n++) await note();
    await integrate();
    const tsa = new OpensslTsa();
    const { closing } = (await service.container.get(CheckpointRound).run())!;
    const token = tsa.token(timestampImprint(closing.coseSign1));
    await tsa.end();
    await service.container
      .get(TOKENS.unitOfWork)
      .transaction((stores) => stores.timestamps.insert(closing.logIndex, token));
    const [size] = await database.raw(
      `SELECT COUNT(*) AS n FROM scitt_leaves WHERE log_key = '${log}'`,
    );
    covered = Number(size!['n']);
    await note();
    await service.container.get(CheckpointRound).run();
    await service.container.get(AnchorSweep).run();
    await register('not covered');
    await readAndCovered(hub);
  });
  afterAll(async () => {
    await hub?.stop();
    await database?.drop();
  });

  const of = (table: string, values: Row): string =>
    `${table} WHERE ${Object.entries(values)
      .map(([column, value]) => hub.is(column, value))
      .join(' AND ')}`;

  /** What is found while the rows are gone. */
  const without = async (table: string, where: string): Promise<readonly ScanFault[]> => {
    const rows = (await database!.raw(`SELECT * FROM ${table} WHERE ${where}`)) as Row[];
    expect(rows.length).toBeGreaterThan(0);
    await database!.raw(`DELETE FROM ${table} WHERE ${where}`);
    try {
      return (await scan()).brokenRecords;
    } finally {
      for (const row of rows) {
        const literals = Object.entries(row).map(([column, value]) =>
          hub.is(column, value).slice(column.length + 5),
        );
        await database!.raw(
          `INSERT INTO ${table} (${Object.keys(row)
            .map((column) => `\`${column}\``)
            .join(', ')}) VALUES (${literals.join(', ')})`,
        );
      }
    }
  };

  /** What is found while one column of a row says something else. */
  const edited = async (
    table: string,
    row: Row,
    column: string,
    value: Row[string],
  ): Promise<readonly ScanFault[]> => {
    const where = of('', row).replace(' WHERE ', '');
    const before = await hub.row(table, where);
    await hub.set(table, column, value, where);
    try {
      return (await scan()).brokenRecords;
    } finally {
      await hub.set(
        table,
        column,
        before[column]!,
        of('', { ...row, [column]: value! }).replace(' WHERE ', ''),
      );
    }
  };

  const told = (faults: readonly ScanFault[]) =>
    faults.map((fault) => [fault.chainKey, fault.class]);

  it('nothing where nothing was done', async () => {
    const result = await scan();
    expect(result).toMatchObject({ broken: 0, brokenRecords: [] });
    expect(result.healthy).toBe(result.chains);
  });

  it('a leaf that is gone from the middle of the log of an org', async () => {
    const faults = await without('scitt_leaves', `log_key = '${log}' AND leaf_index = 1`);
    expect(told(faults)).toEqual([[schemaChain(hub.world.orgId), 'CHECKPOINT_LOG_GAP']]);
    expect(faults[0]!.detail).toContain(`scitt_leaves ${log} 2`);
  });

  it('leaves that are gone from the end of the log of an org, where a root covers them', async () => {
    const faults = await without(
      'scitt_leaves',
      `log_key = '${log}' AND leaf_index >= ${covered - 1}`,
    );
    expect(told(faults)).toEqual([[schemaChain(hub.world.orgId), 'CHECKPOINT_LOG_GAP']]);
    expect(faults[0]!.detail).toMatch(/were signed$/);
  });

  it('a leaf that stands in the log of another org', async () => {
    const { world } = hub;
    const { id } = await ok(world.platform.post('/v1/admin/orgs', { name: 'O', slug: 'other' }));
    const [last] = await database!.raw(
      `SELECT MAX(leaf_index) AS n FROM scitt_leaves WHERE log_key = '${log}' AND chain_key IS NOT NULL`,
    );
    const other = statementLog(String(id));
    const faults = await edited(
      'scitt_leaves',
      { log_key: log, leaf_index: Number(last!['n']) },
      'log_key',
      other,
    );
    expect(faults.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(new RegExp(`${other} .*an entry of another org`)),
    );
  });

  it('a statement that no key of its agent signed, where no root covers it', async () => {
    const { container } = hub.service;
    const { world } = hub;
    const forged = statement(issuer('Ed25519'));
    const hash = leafHash(forged);
    const [size] = await database!.raw(
      `SELECT COUNT(*) AS n FROM scitt_leaves WHERE log_key = '${log}'`,
    );
    await container.get(TOKENS.unitOfWork).transaction(async (stores) => {
      await stores.statementLogs.register({
        orgId: world.orgId,
        hash,
        identity: hash,
        agentId: world.principal.id,
        coseSign1: forged,
        registeredAt: '2026-01-01T00:00:00.000Z',
      });
      await stores.statementLogs.add(log, [{ index: Number(size!['n']), hash, entry: null }]);
    });
    const { brokenRecords } = await scan();
    expect(brokenRecords.map(({ detail }) => detail)).toContainEqual(
      expect.stringContaining('signed by no key of its agent'),
    );
    await database!.raw(`DELETE FROM ${of('scitt_leaves', { log_key: log, hash })}`);
    await database!.raw(`DELETE FROM ${of('scitt_statements', { hash })}`);
  });

  it('nodes of the log of an org, and of the log of its reads', async () => {
    const other = new Uint8Array(32);
    const node = (key: string, level: number): Row => ({ log_key: key, level, node_index: 0 });
    expect(told(await edited('log_nodes', node(log, 3), 'hash', other))).toEqual([
      [schemaChain(hub.world.orgId), 'CHECKPOINT_ROOT_MISMATCH'],
    ]);
    expect(told(await edited('log_nodes', node(reads, 1), 'hash', other))).toEqual([
      [reads, 'TENANT_CHECKPOINT_ROOT_MISMATCH'],
    ]);
  });

  it('a read that is gone from the beginning, or from the end, of a log of reads', async () => {
    const [last] = await database!.raw(
      'SELECT MAX(tree_size) - 1 AS n FROM org_admin_reads_checkpoints',
    );
    const first = await without('org_admin_reads', 'leaf_index = 0');
    expect(told(first)).toContainEqual([reads, 'TENANT_READ_POSITION_GAP']);
    const end = await without('org_admin_reads', `leaf_index >= ${Number(last!['n'])}`);
    expect(told(end)).toEqual([[reads, 'TENANT_CHECKPOINT_SIZE_MISMATCH']]);
  });

  it('a time stamp beside another round', async () => {
    const [stamp] = await database!.raw('SELECT log_index FROM checkpoint_timestamps');
    const index = Number(stamp!['log_index']);
    const [round] = await database!.raw(
      `SELECT log_index FROM vault_checkpoints WHERE chain_key = '${PLATFORM_CHAIN}' AND log_index > ${index}`,
    );
    const faults = await edited(
      'checkpoint_timestamps',
      { log_index: index },
      'log_index',
      Number(round!['log_index']),
    );
    expect(told(faults)).toEqual([[PLATFORM_CHAIN, 'CHECKPOINT_ROOT_MISMATCH']]);
  });

  it('an anchor that is noted beside another checkpoint', async () => {
    const faults = await edited('anchored_checkpoints', { log_index: 0 }, 'position', 99);
    expect(told(faults)).toEqual([[PLATFORM_CHAIN, 'CHECKPOINT_HEAD_MISMATCH']]);
  });

  it('a rewind that is noted as acknowledged, and no entry acknowledges it', async () => {
    await hub.service.container.get(TOKENS.unitOfWork).transaction((stores) =>
      stores.rewinds.add({
        chainKey: schemaChain(hub.world.orgId),
        finding: 'rewound',
        localPosition: 1,
        localHash: new Uint8Array(32),
        anchoredPosition: 3,
        anchoredHash: new Uint8Array(32),
        checkpointHash: new Uint8Array(32),
        isKeyLost: false,
        detectedAt: '2026-01-01T00:00:00.000Z',
        acknowledgedAt: '2026-01-02T00:00:00.000Z',
      }),
    );
    const { brokenRecords } = await scan();
    expect(brokenRecords.map(({ detail }) => detail)).toEqual([
      `rewind_findings ${schemaChain(hub.world.orgId)}: no entry acknowledges it`,
    ]);
    await database!.raw('DELETE FROM rewind_findings');
    expect(await scan()).toMatchObject({ broken: 0 });
  });
});
