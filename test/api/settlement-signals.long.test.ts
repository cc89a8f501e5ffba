import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { until } from '../support/peers/receiver.ts';
import { eventsOf } from '../support/databases/outbox.ts';
import { HEX_256, UUID } from '../support/stories/problems.ts';
import {
  endedChild,
  openChild,
  openTeam,
  registerTeams,
  type Party,
} from '../support/stories/tree.ts';
import { startWatched } from '../support/service/watched-service.ts';
import {
  addAgent,
  chainOf,
  Client,
  deliver,
  draftJob,
  entryTypes,
  JOB_TYPE,
  AUTO_TYPE,
  ok,
  openDecided,
  openDelivered,
  openJob,
  proposeJob,
  sleep,
  type Body,
} from '../support/service/world.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const api = useApi();
const principal = () => api.world.principal.client;
const performer = () => api.world.performer.client;
const REF = 'order-2026-118';
let worker: Party;
/** Records whose time runs out while other tests go on. */
let [delivered, active, created, proposed]: readonly Body[] = [];
/** One that was overridden within its window, and when that was over. */
let overridden: { readonly id: string; readonly overAt: number };
let predicateFits: ValidateFunction;

/** The dispute window of a type, in ms. No test has to act within it. */
const WINDOW = 2_000;
const BRIEF = { ...JOB_TYPE, type: 'brief', disputeWindowSeconds: WINDOW / 1_000 } as const;
/** Long enough for a verdict within it on a slow machine, ms. */
const LONGER_WINDOW = 6_000;
/** A type whose principal has a moment for its verdict. */
const HASTY = { ...JOB_TYPE, type: 'hasty', verdictWindowSeconds: 1 } as const;

beforeAll(async () => {
  const { world } = api;
  worker = await addAgent(world.admin, world.orgId, 'worker');
  await registerTeams(world.admin);
  for (const type of [
    BRIEF,
    HASTY,
    { ...BRIEF, type: 'less-brief', disputeWindowSeconds: LONGER_WINDOW / 1_000 },
    { ...JOB_TYPE, type: 'final', maxDisputes: 0 },
  ])
    await ok(world.admin.post('/v1/schemas', type));
  // These steps have to come before a deadline, so they run before the tests share the machine.
  delivered = await openJob(world, { platformRef: REF, type: HASTY.type, ttlSeconds: 6 });
  await deliver(world, delivered['id']);
  const decided = await openDecided(world, 'reject', { type: 'less-brief', platformRef: REF });
  const overAt = Date.now() + LONGER_WINDOW;
  const { id, completionId } = decided;
  await act(principal(), id, 'verdict', { verdict: 'accept', completionId });
  overridden = { id, overAt };
  active = await openJob(world, { platformRef: REF, ttlSeconds: 1 });
  const draft = { type: 'job', criteria: { goal: 'g' }, ttlSeconds: 1 };
  created = await ok(principal().post('/v1/records', draft));
  proposed = await proposeJob(world, { ttlSeconds: 1 });
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  predicateFits = ajv.compile(await ok(world.anonymous.get('/predicates/settlement-signal/v1')));
});

const read = (id: unknown): Promise<Body> => ok(principal().get(`/v1/records/${String(id)}`));
const act = (client: Client, id: unknown, action: string, body: Body = {}): Promise<Body> =>
  ok(client.post(`/v1/records/${String(id)}/${action}`, body));
const chain = (id: unknown): Promise<Body[]> => chainOf(api.world.platform, id);
const signalsOf = async (id: unknown): Promise<Body[]> =>
  (await chain(id))
    .filter(({ entryType }) => entryType === 'SIGNAL_EMITTED')
    .map((entry) => entry['statement'].predicate as Body);
const recommendations = async (id: unknown): Promise<string[]> =>
  (await signalsOf(id)).map(({ recommendation }) => String(recommendation));

/** The newest signal stands right behind the entry that moved the money, fits its schema, names what it replaces, and was told in the same words. */
const expectSignal = async (
  id: unknown,
  recommendation: string,
  outcome: string,
  behind: string | null,
): Promise<Body> => {
  const entries = await chain(id);
  const [before, entry] = entries.slice(-2) as [Body, Body];
  expect(entry['entryType'], JSON.stringify(entries.map(({ entryType }) => entryType))).toBe(
    'SIGNAL_EMITTED',
  );
  if (behind !== null) expect(before['entryType']).toBe(behind);
  const { statement } = entry;
  const predicate = statement.predicate as Body;
  expect(statement.predicateType).toMatch(/\/predicates\/settlement-signal\/v1$/);
  expect(statement.subject).toEqual([
    { name: `record/${String(id)}`, digest: { sha256: hashJson(predicate) } },
  ]);
  expect({
    fits: predicateFits(predicate) || predicateFits(statement),
    errors: predicateFits.errors,
  }).toMatchObject({ fits: true });
  expect(predicate).toMatchObject({
    entryType: 'SIGNAL_EMITTED',
    actor: { kind: 'system' },
    recordId: id,
    signalId: expect.stringMatching(UUID),
    recommendation,
    outcome,
    performerAgentId: api.world.performer.id,
    platformRef: REF,
  });
  expect(predicate['disputeId']).toBeUndefined();
  if (behind !== null) expect(predicate['at']).toBe(before['statement'].predicate.at);
  const all = await signalsOf(id);
  expect(all.map(({ supersedes }) => supersedes)).toEqual([
    undefined,
    ...all.slice(0, -1).map(({ signalId }) => signalId),
  ]);
  const told = eventsOf(api, id).filter(({ type }) => type === 'signal.emitted');
  expect(told.map(({ data }) => data['signalId'])).toEqual(all.map(({ signalId }) => signalId));
  expect(told.at(-1)!.data).toMatchObject({
    recordId: id,
    signalId: predicate['signalId'],
    recommendation,
    outcome,
    performerAgentId: api.world.performer.id,
    platformRef: REF,
    ...(all.length > 1 ? { supersedes: predicate['supersedes'] } : {}),
    entry: { position: entry['position'], hash: expect.stringMatching(HEX_256) },
  });
  if (all.length === 1) expect(told.at(-1)!.data).not.toHaveProperty('supersedes');
  const report = await verifyAuditExport(
    JSON.stringify(
      await ok(principal().get(`/v1/records/${String(id)}/audit-export?evidence=true`)),
    ),
    { trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }) },
  );
  expect({ exitCode: report.exitCode, failures: report.failures }).toEqual({
    exitCode: 0,
    failures: [],
  });
  return predicate;
};

const expectNone = async (id: unknown): Promise<void> => {
  expect(await recommendations(id)).toEqual([]);
  expect(eventsOf(api, id).filter(({ type }) => type === 'signal.emitted')).toEqual([]);
};

const auto = async (score: number): Promise<unknown> => {
  const { id } = await openJob(api.world, { type: AUTO_TYPE.type, platformRef: REF });
  await deliver(api.world, id, { score });
  return id;
};
const cancelled =
  (by: () => Client, open: () => Promise<{ id: unknown }>) => async (): Promise<unknown> => {
    const { id } = await open();
    await act(by(), id, 'cancel');
    return id;
  };
const revised = async (): Promise<{ id: unknown }> => {
  const { id } = await openDelivered(api.world, { platformRef: REF });
  await act(principal(), id, 'revision');
  return { id };
};
const expired = async (record: Body | undefined): Promise<unknown> => {
  const id = record!['id'] as unknown;
  await until(async () => (await read(id))['status'] === 'EXPIRED');
  return id;
};

describe('a signal is sealed and told with', () => {
  it.each<[string, string, string, string, () => Promise<unknown>]>([
    [
      'FULFILLED by the principal',
      'SETTLE',
      'FULFILLED',
      'VERDICT_RENDERED',
      async () => (await openDecided(api.world, 'accept', { platformRef: REF })).id,
    ],
    ['FULFILLED by the gates', 'SETTLE', 'FULFILLED', 'GATE_EVALUATED', () => auto(9)],
    [
      'FAILED by the principal',
      'HOLD',
      'FAILED',
      'VERDICT_RENDERED',
      async () => (await openDecided(api.world, 'reject', { platformRef: REF })).id,
    ],
    ['FAILED by the gates', 'HOLD', 'FAILED', 'GATE_EVALUATED', () => auto(1)],
    [
      'EXPIRED with a completion submitted',
      'HOLD',
      'EXPIRED',
      'RECORD_EXPIRED',
      () => expired(delivered),
    ],
    [
      'EXPIRED from ACTIVE without a completion',
      'RELEASE',
      'EXPIRED',
      'RECORD_EXPIRED',
      () => expired(active),
    ],
    [
      'CANCELLED by the principal with a completion that waits',
      'HOLD',
      'CANCELLED',
      'RECORD_CANCELLED',
      cancelled(principal, () => openDelivered(api.world, { platformRef: REF })),
    ],
    [
      'CANCELLED by the principal after a revision',
      'HOLD',
      'CANCELLED',
      'RECORD_CANCELLED',
      cancelled(principal, revised),
    ],
    [
      'CANCELLED by the principal without a completion',
      'RELEASE',
      'CANCELLED',
      'RECORD_CANCELLED',
      cancelled(principal, async () => ({
        id: (await openJob(api.world, { platformRef: REF }))['id'],
      })),
    ],
    [
      'CANCELLED by the performer without a completion',
      'RELEASE',
      'CANCELLED',
      'RECORD_CANCELLED',
      cancelled(performer, async () => ({
        id: (await openJob(api.world, { platformRef: REF }))['id'],
      })),
    ],
    [
      'CANCELLED by the performer, who had submitted a completion',
      'RELEASE',
      'CANCELLED',
      'RECORD_CANCELLED',
      cancelled(performer, revised),
    ],
    [
      'FAILED where no dispute is possible',
      'RELEASE',
      'FAILED',
      'VERDICT_RENDERED',
      async () => (await openDecided(api.world, 'reject', { type: 'final', platformRef: REF })).id,
    ],
  ])('%s: %s', async (_moment, recommendation, outcome, behind, end) => {
    const id = await end();
    await expectSignal(id, recommendation, outcome, behind);
    expect(await signalsOf(id)).toHaveLength(1);
  });

  it('REMEDIATED: SETTLE, in the place of the HOLD before it', async () => {
    const { id, completionId } = await openDecided(api.world, 'reject', { platformRef: REF });
    const hold = await expectSignal(id, 'HOLD', 'FAILED', 'VERDICT_RENDERED');
    await act(principal(), id, 'verdict', { verdict: 'accept', completionId });
    const settle = await expectSignal(id, 'SETTLE', 'REMEDIATED', 'VERDICT_RENDERED');
    expect(settle['supersedes']).toBe(hold['signalId']);
    expect(await entryTypes(principal(), id)).toEqual([
      'RECORD_CREATED',
      'COMPLETION_SUBMITTED',
      'VERDICT_RENDERED',
      'SIGNAL_EMITTED',
      'VERDICT_RENDERED',
      'SIGNAL_EMITTED',
    ]);
  });

  it('the end of a child, and of its parent, each on its own chain', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled', 'auto', { platformRef: REF });
    const child = await endedChild(api.world, worker, id, 'fulfilled');
    expect(await recommendations(child)).toEqual(['SETTLE']);
    expect((await signalsOf(child))[0]).toMatchObject({
      performerAgentId: worker.id,
      outcome: 'FULFILLED',
      platformRef: null,
    });
    await expectNone(id);
    await deliver(api.world, id);
    await expectSignal(id, 'SETTLE', 'FULFILLED', 'GATE_EVALUATED');
  });

  it('a cancel with cascade: every record that was active, none that was not', async () => {
    const { id } = await openJob(api.world, { platformRef: REF });
    const idle = await openChild(api.world, id, worker);
    const proposed = await openChild(api.world, id, worker, { autoActivate: false });
    const delivered = await openChild(api.world, id, worker);
    await ok(
      worker.client.post(`/v1/records/${String(delivered['id'])}/completions`, {
        evidence: { score: 9 },
      }),
    );
    await act(principal(), id, 'cancel', { cascade: true });
    expect(
      await Promise.all([id, idle['id'], proposed['id'], delivered['id']].map(recommendations)),
    ).toEqual([['RELEASE'], ['RELEASE'], [], ['HOLD']]);
  });
});

describe('no signal, for no money was at stake:', () => {
  it.each<[string, () => Promise<unknown>]>([
    [
      'RECORDED',
      async () =>
        (
          await ok(
            principal().post('/v1/records', { type: 'note', criteria: {}, platformRef: REF }),
          )
        )['id'],
    ],
    [
      'REJECTED',
      async () => (await act(performer(), (await proposeJob(api.world))['id'], 'reject'))['id'],
    ],
    [
      'CANCELLED from CREATED',
      async () => (await act(principal(), (await draftJob(api.world))['id'], 'cancel'))['id'],
    ],
    [
      'CANCELLED from PROPOSED',
      async () => (await act(principal(), (await proposeJob(api.world))['id'], 'cancel'))['id'],
    ],
    ['EXPIRED from CREATED', () => expired(created)],
    ['EXPIRED from PROPOSED', () => expired(proposed)],
    ['a submission, a revision', async () => (await revised()).id],
    [
      'an acceptance of a proposal',
      async () => (await act(performer(), (await proposeJob(api.world))['id'], 'accept'))['id'],
    ],
    [
      'a delegation and the end of the children',
      async () => {
        const { id } = await openTeam(api.world, 'all-fulfilled');
        await endedChild(api.world, worker, id, 'fulfilled');
        return id;
      },
    ],
  ])('%s', async (_what, end) => expectNone(await end()));
});

// Each on a record of its own, so that they wait for their deadlines together.
describe.concurrent('the dispute window', () => {
  it.each<[string, () => Promise<unknown>, string]>([
    [
      'FAILED',
      async () =>
        (await openDecided(api.world, 'reject', { type: BRIEF.type, platformRef: REF })).id,
      'FAILED',
    ],
    [
      'CANCELLED with a completion',
      cancelled(principal, () => openDelivered(api.world, { type: BRIEF.type, platformRef: REF })),
      'CANCELLED',
    ],
  ])(
    'of %s ends unused: the HOLD is superseded by one RELEASE, and the record stays as it is',
    async (_what, end, outcome) => {
      const id = await end();
      const ended = Date.parse((await read(id))['terminalAt']);
      await until(async () => (await recommendations(id)).length > 1);
      const release = await expectSignal(id, 'RELEASE', outcome, null);
      const [hold] = await signalsOf(id);
      expect(hold).toMatchObject({ recommendation: 'HOLD', outcome });
      expect(Date.parse(hold!['at'])).toBe(ended);
      expect(release['supersedes']).toBe(hold!['signalId']);
      expect(Date.parse(release['at'])).toBeGreaterThanOrEqual(ended + WINDOW);
      expect(await read(id)).toMatchObject({ status: outcome, disputed: false });
      await sleep(1500);
      expect(await recommendations(id)).toEqual(['HOLD', 'RELEASE']);
    },
  );

  it('of FULFILLED ends unused: the SETTLE stands', async () => {
    const { id } = await openDecided(api.world, 'accept', { type: BRIEF.type, platformRef: REF });
    await sleep(WINDOW + 1500);
    expect(await recommendations(id)).toEqual(['SETTLE']);
  });

  it('that an override closed ends nothing: REMEDIATED keeps its SETTLE', async () => {
    await sleep(overridden.overAt + 1500 - Date.now());
    expect(await recommendations(overridden.id)).toEqual(['HOLD', 'SETTLE']);
  });

  it('that passed: whatever comes next finds the RELEASE made first', async () => {
    const { id, completionId } = await openDecided(api.world, 'reject', {
      type: BRIEF.type,
      platformRef: REF,
    });
    await sleep(WINDOW + 50);
    await act(principal(), id, 'verdict', { verdict: 'accept', completionId });
    expect(await recommendations(id)).toEqual(['HOLD', 'RELEASE', 'SETTLE']);
    await expectSignal(id, 'SETTLE', 'REMEDIATED', 'VERDICT_RENDERED');
  });
});

describe('with a second service on the same database', () => {
  const another = async (
    work: (service: RunningService, as: (client: Client) => Client) => Promise<void>,
  ): Promise<void> => {
    const service = await startWatched({ ...api.service.container.get(TOKENS.settings), PORT: 0 });
    try {
      await work(service, (client) => new Client(String(service.url), client.key));
    } finally {
      await service.stop();
    }
  };

  it('each window ends once, whichever of the two sees it', async () => {
    await another(async (_service, as) => {
      const ids = await Promise.all(
        Array.from(
          { length: 12 },
          async () =>
            (await openDecided(api.world, 'reject', { type: BRIEF.type, platformRef: REF })).id,
        ),
      );
      await sleep(WINDOW);
      // Both are asked as well, so that the deadline is met from four sides.
      await Promise.all(
        ids.flatMap((id) => [read(id), ok(as(principal()).get(`/v1/records/${id}`))]),
      );
      await until(async () =>
        (await Promise.all(ids.map(recommendations))).every(({ length }) => length > 1),
      );
      await sleep(1500);
      for (const id of ids) {
        expect(await recommendations(id)).toEqual(['HOLD', 'RELEASE']);
        expect(eventsOf(api, id).filter(({ type }) => type === 'signal.emitted')).toHaveLength(2);
      }
    });
  });

  it('it goes on behind a head that is a signal, of the record and of a child', async () => {
    const rejected = await openDecided(api.world, 'reject', { platformRef: REF });
    const overdue = await openDecided(api.world, 'reject', { type: BRIEF.type, platformRef: REF });
    const { id: parent } = await openTeam(api.world, 'all-fulfilled', 'auto', { platformRef: REF });
    const child = await endedChild(api.world, worker, parent, 'failed');
    const { latestCompletionId } = await ok(performer().get(`/v1/records/${child}`));
    await until(async () => (await recommendations(overdue.id)).length > 1);
    await another(async (_service, as) => {
      for (const { id, completionId } of [rejected, overdue]) {
        expect(
          await act(as(principal()), id, 'verdict', { verdict: 'accept', completionId }),
        ).toMatchObject({ status: 'REMEDIATED' });
      }
      await act(as(performer()), child, 'verdict', {
        verdict: 'accept',
        completionId: latestCompletionId,
      });
      expect(
        await ok(
          as(performer()).post(`/v1/records/${String(parent)}/completions`, {
            evidence: { score: 9 },
          }),
        ),
      ).toMatchObject({ recordStatus: 'FULFILLED' });
    });
    // And back again: the first service meets heads that it did not write.
    await ok(
      principal().post(`/v1/records/${rejected.id}/references`, {
        kind: 'ticket',
        uri: 'https://tickets.example/2',
      }),
    );
    expect(await recommendations(rejected.id)).toEqual(['HOLD', 'SETTLE']);
    expect(await recommendations(overdue.id)).toEqual(['HOLD', 'RELEASE', 'SETTLE']);
    await expectSignal(parent, 'SETTLE', 'FULFILLED', 'GATE_EVALUATED');
  });
});
