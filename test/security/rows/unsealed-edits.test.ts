import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FinishEvaluations } from '../../../application/record/finish-evaluations.ts';
import { useApi } from '../../support/service/api.ts';
import { atDatabaseTime } from '../../support/databases/database-time.ts';
import { submitAndDie } from '../../support/attackers/left-behind.ts';
import { openChild, openTeam, registerTeams } from '../../support/stories/tree.ts';
import {
  Client,
  entryTypes,
  GOAL,
  ok,
  openDelivered,
  openJob,
  sleep,
  type Body,
} from '../../support/service/world.ts';

const directory = mkdtempSync(join(tmpdir(), 'notary-unsealed-'));
const api = useApi({ DATA_DIR: join(directory, 'data') });
let database: InstanceType<typeof DatabaseSync>;
beforeAll(async () => {
  database = new DatabaseSync(join(directory, 'data', 'notary.sqlite'), {
    timeout: 5000,
    enableForeignKeyConstraints: false,
  });
  await registerTeams(api.world.admin);
});
afterAll(() => {
  database.close();
  rmSync(directory, { recursive: true, force: true });
});

const edit = (text: string, id: string): void =>
  expect(
    database.prepare(`${text} = ?`).run(Buffer.from(id.replaceAll('-', ''), 'hex')).changes,
    text,
  ).toBe(1);
const read = (id: string): Promise<Body> => ok(api.world.platform.get(`/v1/records/${id}`));
const entries = (id: string): Promise<readonly string[]> => entryTypes(api.world.platform, id);
const FORTNIGHT = 14 * 24 * 3600;
/** Waits for its gates, because its call died. */
const left = async (): Promise<string> => {
  const id = String((await openJob(api.world, { type: 'auto-job' }))['id']);
  await submitAndDie(api, id);
  return id;
};

describe('what the gates see is what was sealed: they decide nothing on an edit of', () => {
  it.each([
    [
      'the time of the submission',
      'UPDATE completions SET submitted_at = submitted_at - 1000 WHERE record_id',
    ],
    ['the number of the revision', 'UPDATE completions SET revision = 2 WHERE record_id'],
    ['the count of the revisions', 'UPDATE records SET revision_count = 1 WHERE id'],
    ['the time of the creation', 'UPDATE records SET created_at = created_at - 1000 WHERE id'],
    [
      'the time at which the work began',
      'UPDATE records SET activated_at = activated_at - 1000 WHERE id',
    ],
  ])('%s', async (_what, text) => {
    const id = await left();
    edit(text, id);
    expect(
      await api.world.principal.client.post(`/v1/records/${id}/transition`, { action: 'evaluate' }),
    ).toMatchObject({ status: 409, body: { reason: 'payload_drift' } });
    expect((await read(id))['status']).toBe('ACTIVE');
  });
});

describe('the job that lets the gates decide', () => {
  const run = (): Promise<void> => api.service.container.get(FinishEvaluations).execute();

  it('leaves the verdict to the principal, also where the row says that the gates are awaited', async () => {
    const { id } = await openDelivered(api.world);
    edit("UPDATE records SET awaiting = 'gate', updated_at = 1 WHERE id", id);
    await run();
    expect((await read(id))['status']).toBe('ACTIVE');
    expect(
      database
        .prepare('SELECT entry_type FROM chain_entries WHERE chain_key = ? ORDER BY position DESC')
        .get(id),
    ).toEqual({ entry_type: 'COMPLETION_SUBMITTED' });
  });

  it('finds a record expired whose time ran out before it came', async () => {
    const id = await left();
    // The job takes up what was left behind for five seconds.
    await sleep(5_100);
    await atDatabaseTime(FORTNIGHT, run);
    expect((await read(id))['status']).toBe('EXPIRED');
    expect((await entries(id)).slice(-2)).toEqual(['RECORD_EXPIRED', 'SIGNAL_EMITTED']);
  });
});

it('a cascade cancels no record whose time had run out: it has expired', async () => {
  const parent = String((await openTeam(api.world, 'all-fulfilled'))['id']);
  const [due, open] = [
    String((await openChild(api.world, parent, null, { ttlSeconds: 60 }))['id']),
    String((await openChild(api.world, parent, null))['id']),
  ];
  expect(
    await atDatabaseTime(120, () =>
      ok(api.world.principal.client.post(`/v1/records/${parent}/cancel`, { cascade: true })),
    ),
  ).toMatchObject({ status: 'CANCELLED', cascade: { cancelled: 1 } });
  expect([(await read(due))['status'], (await read(open))['status']]).toEqual([
    'EXPIRED',
    'CANCELLED',
  ]);
  expect((await entries(due)).slice(-2)).toEqual(['RECORD_EXPIRED', 'SIGNAL_EMITTED']);
});

it('an admin of another org does not speak for a performer whose row was moved into that org', async () => {
  const { world } = api;
  const org = await ok(
    world.platform.post('/v1/admin/orgs', { name: 'elsewhere', bootstrapAdmin: true }),
  );
  const intruder = new Client(world.url, String(org['bootstrapKey'].apiKey));
  const { id } = await ok(
    world.principal.client.post('/v1/records', {
      type: 'job',
      criteria: GOAL,
      performerAgentId: world.performer.id,
    }),
  );
  edit(
    `UPDATE records SET performer_org_id = x'${String(org['id']).replaceAll('-', '')}' WHERE id`,
    String(id),
  );
  expect(await intruder.post(`/v1/records/${String(id)}/accept`, {})).toMatchObject({
    status: 409,
    body: { reason: 'payload_drift' },
  });
  expect(
    database.prepare('SELECT entry_type FROM chain_entries WHERE chain_key = ?').all(String(id)),
  ).toEqual([{ entry_type: 'RECORD_PROPOSED' }]);
});
