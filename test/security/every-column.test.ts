import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLUMN_GUARDS, type EditOutcome } from '../../config/column-guards.ts';
import { trustOf, type Trust } from '../../domain/verification/trust.ts';
import { verifyAuditExport } from '../../domain/verification/verify-audit-export.ts';
import { databases, type TestDatabase } from '../support/databases.ts';
import { SCENES, type Scene } from '../support/column-scenes.ts';
import { editOf } from '../support/column-edits.ts';
import { EditedHub, type Row } from '../support/edited-hub.ts';
import type { Answer, Body, World } from '../support/world.ts';

interface Case {
  readonly table: string;
  readonly column: string;
  readonly outcome: EditOutcome;
}

const CASES: readonly Case[] = Object.entries(COLUMN_GUARDS).flatMap(([table, guards]) =>
  guards.flatMap(({ outcome, columns }) => columns.map((column) => ({ table, column, outcome }))),
);
const casesOf = (outcome: EditOutcome): readonly Case[] =>
  CASES.filter((each) => each.outcome === outcome);

describe.each(databases())('an edit behind the service, on $name,', (kind) => {
  let database: TestDatabase | undefined;
  let hub: EditedHub;
  const scenes = new Map<string, Scene>();
  let trust: Trust;

  const verdictOn = async (
    { platform }: World,
    { exported }: Scene,
  ): Promise<'refused' | 'invalid' | 'valid' | 'nothing'> => {
    if (exported === undefined) return 'nothing';
    const answer = await fetch(
      `${platform.url}/v1/records/${exported}/audit-export?evidence=true`,
      { headers: { authorization: `Bearer ${platform.key}` } },
    );
    const text = await answer.text();
    if (!answer.ok) return 'refused';
    return (await verifyAuditExport(text, { trust })).verdict === 'valid' ? 'valid' : 'invalid';
  };

  beforeAll(async () => {
    database = await kind.open();
    hub = await EditedHub.start(database);
    for (const [table, prepare] of Object.entries(SCENES)) scenes.set(table, await prepare(hub));
    trust = trustOf({ kind: 'fingerprint', sha256Hex: hub.service.vault.fingerprint });
  }, 120_000);
  afterAll(async () => {
    await hub?.stop();
    await database?.drop();
  });

  it('has an outcome for every column that there is, and for no other', async () => {
    const listed = CASES.map(({ table, column }) => `${table}.${column}`);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.sort()).toEqual(
      (await hub.columns()).map(({ table, name }) => `${table}.${name}`).sort(),
    );
  });

  /** Edits the column, and puts it back after the check. */
  const edited = async (
    { table, column }: Case,
    check: (scene: Scene, row: Row, what: string) => Promise<void>,
  ): Promise<void> => {
    const scene = scenes.get(table)!;
    const row = await hub.row(table, scene.where);
    const about = (await hub.columns()).find(
      (candidate) => candidate.table === table && candidate.name === column,
    )!;
    const value = editOf(about, row[column]!);
    await hub.set(table, column, value, scene.where);
    try {
      await check(scene, { ...row, [column]: value }, `${table}.${column} = ${String(value)}`);
    } finally {
      const found = scene.where.replace(hub.is(column, row[column]!), hub.is(column, value));
      await hub.set(table, column, row[column]!, found);
    }
  };

  it.each(casesOf('refused'))('of $table.$column is refused', (each) =>
    edited(each, async (scene, row, what) => {
      const before = await hub.signed();
      expectRefusal(await scene.act(hub.world, hub.service, row), what);
      await hub.elsewhere(async (world, node) =>
        expectRefusal(await scene.act(world, node, row), `${what}, after a restart`),
      );
      expect(await hub.signed(), what).toBe(before);
    }),
  );

  it.each(casesOf('found'))('of $table.$column is found', (each) =>
    edited(each, async (scene, _row, what) => {
      expect(['refused', 'invalid'], what).toContain(await verdictOn(hub.world, scene));
      await hub.elsewhere(async (world) =>
        expect(['refused', 'invalid'], what).toContain(await verdictOn(world, scene)),
      );
    }),
  );

  it.each([...casesOf('shown'), ...casesOf('open')])(
    'of $table.$column falsifies nothing that is signed',
    (each) =>
      edited(each, async (scene, _row, what) =>
        expect(['valid', 'nothing'], what).toContain(await verdictOn(hub.world, scene)),
      ),
  );

  it.each(Object.keys(SCENES))('leaves a row of %s that is as it was alone', async (table) => {
    const scene = scenes.get(table)!;
    const row = await hub.row(table, scene.where);
    expect((await scene.act(hub.world, hub.service, row)).status).toBeLessThan(300);
  });
});

/** A row that says who may read a record hides it from those who may. */
const expectRefusal = ({ status, body }: Answer<Body>, what: string): void =>
  expect(
    status === 404 ? 'hidden' : [status, body['reason']],
    `${what}: ${JSON.stringify(body)}`,
  ).toSatisfy(
    (outcome) => outcome === 'hidden' || String(outcome) === String([409, 'payload_drift']),
  );
