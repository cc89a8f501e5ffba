import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLUMN_GUARDS, type EditOutcome } from '../../../config/column-guards.ts';
import type { RunningService } from '../../../config/service.ts';
import { trustOf, type Trust } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { databases, type TestDatabase } from '../../support/databases/databases.ts';
import type { Scene, Verdict } from '../../support/attackers/column-scenes.ts';
import { editOf } from '../../support/attackers/column-edits.ts';
import { everyScene } from '../../support/attackers/identity-scenes.ts';
import { OIDC_ENV, startOidc, type Oidc } from '../../support/peers/oidc.ts';
import { EditedHub, type Row } from '../../support/attackers/edited-hub.ts';
import { partOf } from '../../support/runner/part-of.ts';
import type { Answer, Body, World } from '../../support/service/world.ts';

interface Case {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  readonly outcome: EditOutcome;
}

const CASES: readonly Case[] = Object.entries(COLUMN_GUARDS).flatMap(([table, guards]) =>
  guards.flatMap(({ outcome, columns }) =>
    columns.map((column) => ({ name: `${table}.${column}`, table, column, outcome })),
  ),
);
/** Jobs run in another process than this one, and the migrations are read at a start alone. */
const NOT_TRIED: ReadonlySet<string> = new Set(['jobs', 'schema_migrations']);
const casesOf = (...outcomes: readonly EditOutcome[]): readonly (readonly [string, Case])[] =>
  partOf(
    CASES.filter(({ table, outcome }) => outcomes.includes(outcome) && !NOT_TRIED.has(table)),
  ).map((each) => [each.name, each]);

describe.each(databases())('an edit behind the service, on $name,', (kind) => {
  let database: TestDatabase | undefined;
  let hub: EditedHub;
  let oidc: Oidc;
  let scenes: ReadonlyMap<string, Scene>;
  let trust: Trust;

  const verdictOn = async (
    world: World,
    node: RunningService,
    { exported, verdict }: Scene,
  ): Promise<Verdict> => {
    if (verdict) return verdict(world, node);
    const { platform } = world;
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
    oidc = await startOidc();
    hub = await EditedHub.start(database, OIDC_ENV);
    scenes = await everyScene(hub, oidc);
    trust = trustOf({ kind: 'fingerprint', sha256Hex: hub.service.vault.fingerprint });
  });
  afterAll(async () => {
    await hub?.stop();
    await oidc?.close();
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
      // The service writes its counter of events anew where the row is not found under its key.
      if (found !== scene.where) await hub.remove(table, scene.where);
      await hub.set(table, column, row[column]!, found);
    }
  };

  it.each(casesOf('refused'))('of %s is refused', (_name, each) =>
    edited(each, async (scene, row, what) => {
      const before = await hub.signed();
      if (!scene.isRemembered) expectRefusal(await scene.act(hub.world, hub.service, row), what);
      await hub.elsewhere(async (world, node) =>
        expectRefusal(await scene.act(world, node, row), `${what}, after a restart`),
      );
      expect(await hub.signed(), what).toBe(before);
    }),
  );

  it.each(casesOf('start'))('of %s lets no process start', (_name, each) =>
    edited(each, async (_scene, _row, what) => {
      const keys = hub.world.anonymous.get('/v1/verification-keys');
      const before = await hub.signed();
      await expect(
        hub.elsewhere(() => Promise.resolve()),
        what,
      ).rejects.toThrow();
      expect(await hub.signed(), what).toBe(before);
      expect((await hub.world.anonymous.get('/v1/verification-keys')).body).toEqual(
        (await keys).body,
      );
    }),
  );

  it.each(casesOf('found'))('of %s is found', (_name, each) =>
    edited(each, async (scene, _row, what) => {
      expect(['refused', 'invalid'], what).toContain(
        await verdictOn(hub.world, hub.service, scene),
      );
      await hub.elsewhere(async (world, node) =>
        expect(['refused', 'invalid'], what).toContain(await verdictOn(world, node, scene)),
      );
    }),
  );

  it.each(casesOf('shown', 'open'))('of %s falsifies nothing that is signed', (_name, each) =>
    edited(each, async (scene, _row, what) =>
      expect(['valid', 'nothing'], what).toContain(await verdictOn(hub.world, hub.service, scene)),
    ),
  );

  it('does nothing to rows that are as they were', async () => {
    for (const [table, scene] of scenes) {
      const { status, body } = await scene.act(
        hub.world,
        hub.service,
        await hub.row(table, scene.where),
      );
      expect(status, `${table}: ${JSON.stringify(body)}`).toBeLessThan(300);
    }
  });
});

/** Drift as such; as a wrong credential; or as a row that is not there for whoever asks. */
const expectRefusal = ({ status, body }: Answer<Body>, what: string): void =>
  expect(status === 409 ? body['reason'] : status, `${what}: ${JSON.stringify(body)}`).toBeOneOf([
    'payload_drift',
    'log_broken',
    401,
    404,
    422,
  ]);
