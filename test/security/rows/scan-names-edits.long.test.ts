import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScanResult } from '../../../application/ports/scan-result.ts';
import { COLUMN_GUARDS } from '../../../config/column-guards.ts';
import { editOf } from '../../support/attackers/column-edits.ts';
import type { Scene } from '../../support/attackers/column-scenes.ts';
import { databases, type TestDatabase } from '../../support/databases/databases.ts';
import { scanHere } from '../../support/service/scan-here.ts';
import { EditedHub } from '../../support/attackers/edited-hub.ts';
import { everyScene } from '../../support/attackers/identity-scenes.ts';
import { OIDC_ENV, startOidc, type Oidc } from '../../support/peers/oidc.ts';
import { partOf } from '../../support/runner/part-of.ts';

/** Edits that the service refuses and that a scan does not see, with why. */
const NOT_NAMED: Readonly<Record<string, string>> = {
  'sealed_keys.key_id': 'private keys are opened at a start alone',
  'sealed_keys.public_key': 'private keys are opened at a start alone',
  'sealed_keys.encrypted_private_key': 'private keys are opened at a start alone',
  'secret_checks.secret': 'secrets are compared at a start alone',
  'secret_checks.salt': 'secrets are compared at a start alone',
  'secret_checks.check_value': 'secrets are compared at a start alone',
  ...Object.fromEntries(
    ['export_id', 'claim', 'ordinal', 'content'].map((column) => [
      `compliance_export_pieces.${column}`,
      'pieces are compared when they are downloaded, and gone after a week',
    ]),
  ),
};

const CASES = Object.entries(COLUMN_GUARDS).flatMap(([table, guards]) =>
  guards
    .filter(({ outcome }) => ['refused', 'start', 'found'].includes(outcome))
    .flatMap(({ columns }) =>
      columns.map((column) => [`${table}.${column}`, table, column] as const),
    ),
);

describe.each(databases())('a scan, on $name,', (kind) => {
  let database: TestDatabase | undefined;
  let hub: EditedHub;
  let oidc: Oidc;
  let scenes: ReadonlyMap<string, Scene>;

  const scan = (): Promise<ScanResult> => scanHere(hub.service);

  beforeAll(async () => {
    database = await kind.open();
    oidc = await startOidc();
    hub = await EditedHub.start(database, OIDC_ENV);
    scenes = await everyScene(hub, oidc);
  });
  afterAll(async () => {
    await hub?.stop();
    await oidc?.close();
    await database?.drop();
  });

  it('finds nothing where nothing was edited', async () => {
    const result = await scan();
    expect(result).toMatchObject({
      broken: 0,
      signatureErrors: 0,
      brokenRecords: [],
      omitted: 0,
    });
    expect(result.healthy).toBe(result.chains);
    expect(result.chains).toBeGreaterThan(10);
    expect(result.entries).toBeGreaterThan(50);
  });

  it.each(partOf(CASES))('names an edit of %s', async (name, table, column) => {
    const scene = scenes.get(table)!;
    const row = await hub.row(table, scene.where);
    const about = (await hub.columns()).find(
      (candidate) => candidate.table === table && candidate.name === column,
    )!;
    const value = editOf(about, row[column]!);
    await hub.set(table, column, value, scene.where);
    try {
      const { broken, brokenRecords } = await scan();
      const what = `${name} = ${String(value)}: ${JSON.stringify(brokenRecords)}`;
      expect(broken > 0, what).toBe(NOT_NAMED[name] === undefined);
      expect(brokenRecords.length > 0, what).toBe(NOT_NAMED[name] === undefined);
    } finally {
      const found = scene.where.replace(hub.is(column, row[column]!), hub.is(column, value));
      await hub.set(table, column, row[column]!, found);
    }
  });
});
