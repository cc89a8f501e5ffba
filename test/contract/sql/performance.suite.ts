import { beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../../domain/identity/agent.ts';
import type { Keyset } from '../../../domain/kernel/page.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import { driftWindow, type Activity, type DriftWindow } from '../../../domain/reputation/drift.ts';
import {
  OUTCOMES,
  type HistoryFilter,
  type Outcome,
} from '../../../domain/reputation/performance-reads.port.ts';
import type { DatabaseKind, TestDatabase } from '../../support/databases/databases.ts';
import { at, sampleAgent, sampleCompletion, sampleOrg, sampleRecord, uuid } from './samples.ts';
import { SQLITE } from '../../../adapters/sql/sqlite/sqlite.ts';
import { readSubmissions } from '../../../adapters/sql/records/completion-times.ts';
import { readStandingCounts } from '../../../adapters/sql/records/standing-counts.ts';
import type { SqlValue } from '../../../adapters/sql/base/session.ts';
import type { Reader } from '../../../adapters/sql/tables/reader.ts';
import { trustingReader } from '../../support/databases/row-keys.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/reputation/performance-reads.port.ts

const HOUR = 3_600_000;
const ORG = sampleOrg();
const AGENTS: readonly Agent[] = [
  sampleAgent(ORG.id, { displayName: 'A' }),
  sampleAgent(ORG.id, { displayName: 'B', deactivatedAt: at(1) }),
  sampleAgent(ORG.id, { displayName: 'C', deactivatedAt: at(1) }),
  sampleAgent(ORG.id, { displayName: 'D' }),
];
const [BUSY, GONE, IDLE, FRESH] = AGENTS.map(({ id }) => id) as [string, string, string, string];
const OTHER_ORG = uuid();
const HIRER = uuid();

interface Performed {
  readonly record: RecordState;
  readonly completions: readonly Completion[];
}

/** Every ending that a performed record can have, as the lifecycle writes it. */
const ENDINGS: readonly {
  readonly status: RecordStatus;
  readonly verdict?: 'accept' | 'reject';
  readonly outcome: Outcome;
}[] = [
  { status: 'FULFILLED', verdict: 'accept', outcome: 'accepted' },
  { status: 'FULFILLED', verdict: 'accept', outcome: 'accepted' },
  { status: 'FAILED', verdict: 'reject', outcome: 'rejected' },
  { status: 'REMEDIATED', verdict: 'accept', outcome: 'accepted' },
  { status: 'FAILED', verdict: 'accept', outcome: 'overturned' },
  { status: 'REMEDIATED', verdict: 'reject', outcome: 'overturned' },
  { status: 'REMEDIATED', outcome: 'overturned' },
  { status: 'EXPIRED', outcome: 'expired' },
  { status: 'CANCELLED', outcome: 'cancelled' },
  { status: 'ACTIVE', outcome: 'pending' },
  { status: 'REVISION_REQUESTED', outcome: 'pending' },
];

const performed = (i: number): Performed => {
  const ending = ENDINGS[i % ENDINGS.length]!;
  const created = i * HOUR;
  const activated = created + 1000;
  const auto = i % 2 === 0 && (ending.verdict !== 'accept' || ending.status !== 'REMEDIATED');
  const id = uuid();
  const submitted = activated + ((i * 7919) % 40) * 60_000;
  const decided = submitted + 30 * 60_000;
  const ended = ending.outcome === 'overturned' ? decided + 2 * HOUR : decided;
  const delivers = ending.verdict !== undefined || i % 3 > 0;
  const completion = (revision: number, last: boolean): Completion =>
    sampleCompletion(id, {
      revision,
      submittedAt: at(last ? submitted : activated + 1),
      gate: auto
        ? last && ending.verdict
          ? {
              state: ending.verdict === 'accept' ? 'PASSED' : 'FAILED',
              evaluatedAt: at(decided),
              results: [],
            }
          : { state: 'PENDING', evaluatedAt: null, results: [] }
        : {
            state: i % 3 ? 'ADVISORY_PASSED' : 'ADVISORY_FAILED',
            evaluatedAt: at(submitted),
            results: [],
          },
      verdict:
        !auto && last && ending.verdict
          ? {
              verdict: ending.verdict,
              reason: null,
              renderedBy: { kind: 'agent' },
              renderedAt: at(decided),
            }
          : null,
    });
  const completions = delivers
    ? !auto && i % 5 === 0
      ? [completion(1, false), completion(2, true)]
      : [completion(1, true)]
    : [];
  const latest = completions.at(-1);
  const open = ending.outcome === 'pending';
  return {
    completions,
    record: sampleRecord({
      id,
      orgId: i % 4 ? OTHER_ORG : ORG.id,
      performerOrgId: ORG.id,
      principalAgentId: i % 6 === 5 ? BUSY : i % 4 ? HIRER : uuid(),
      performerAgentId: i % 9 === 8 ? GONE : BUSY,
      schema: { ...sampleRecord().schema, type: ['order', 'ledger.entry', 'report'][i % 3]! },
      gateMode: auto ? 'auto' : 'principal',
      status: ending.status,
      criteria: {},
      createdAt: at(created),
      activatedAt: at(activated),
      expiresAt: open && i % 7 === 0 ? at(created + HOUR) : null,
      disputeCount: ending.outcome === 'overturned' ? 1 + (i % 2) : i % 3 ? 0 : 1,
      latestCompletionId: latest?.id ?? null,
      latestEvidenceHash: latest?.evidenceHash ?? null,
      terminalAt: open ? null : at(ended),
      updatedAt: at(open ? (latest ? submitted : activated) : ended),
    }),
  };
};

const WORK = Array.from({ length: 400 }, (_, i) => performed(i));
const END = 400 * HOUR;

/** What nobody performed: a label on a notarized record, and proposals that nobody took. */
const NOT_PERFORMED: readonly RecordState[] = (
  ['RECORDED', 'PROPOSED', 'REJECTED', 'CREATED', 'EXPIRED'] as const
).map((status) =>
  sampleRecord({
    status,
    performerAgentId: BUSY,
    performerOrgId: ORG.id,
    createdAt: at(END - 1),
    updatedAt: at(END - 1),
    criteria: {},
  }),
);

const outcomeOf = ({ record: { id } }: Performed): Outcome =>
  ENDINGS[WORK.findIndex(({ record }) => record.id === id) % ENDINGS.length]!.outcome;
const decisionOf = (
  work: Performed,
): { readonly verdict: 'accept' | 'reject'; readonly at: string } | null => {
  const last = work.completions.at(-1);
  if (!last) return null;
  if (work.record.gateMode === 'auto')
    return last.gate.evaluatedAt === null
      ? null
      : { verdict: last.gate.state === 'PASSED' ? 'accept' : 'reject', at: last.gate.evaluatedAt };
  return last.verdict && { verdict: last.verdict.verdict, at: last.verdict.renderedAt };
};
const median = (values: readonly number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  return Math.round(
    ((sorted[(sorted.length - 1) >> 1] as number) + (sorted[sorted.length >> 1] as number)) / 2,
  );
};
const elapsed = ({ record }: Performed, { submittedAt }: Completion): number =>
  Date.parse(submittedAt) - Date.parse(record.activatedAt as string);
const typeOf = ({ record }: Performed): string => record.schema.type;

const tallied = (all: readonly Performed[], now: string) => ({
  records: all.length,
  completions: all.flatMap(({ completions }) => completions).length,
  accepted: all.filter(
    ({ record }) => record.status === 'FULFILLED' || record.status === 'REMEDIATED',
  ).length,
  rejected: all.filter(({ record }) => record.status === 'FAILED').length,
  overturned: all.filter((work) => outcomeOf(work) === 'overturned').length,
  expired: all.filter(
    ({ record }) =>
      record.status === 'EXPIRED' || (record.expiresAt !== null && record.expiresAt <= now),
  ).length,
  medianCompletionMs: median(
    all.flatMap((work) => work.completions.map((completion) => elapsed(work, completion))),
  ),
});

const active = (all: readonly Performed[], from: string, to: string): Activity => {
  const within = (moment: string | null | undefined): boolean =>
    typeof moment === 'string' && moment > from && moment <= to;
  const submissions = all.flatMap((work) =>
    work.completions
      .filter(({ submittedAt }) => within(submittedAt))
      .map((completion) => elapsed(work, completion)),
  );
  return {
    records: all.filter(({ record }) => within(record.createdAt)).length,
    completions: submissions.length,
    accepted: all.filter(
      (work) => decisionOf(work)?.verdict === 'accept' && within(decisionOf(work)?.at),
    ).length,
    rejected: all.filter(
      (work) => decisionOf(work)?.verdict === 'reject' && within(decisionOf(work)?.at),
    ).length,
    overturned: all.filter(
      (work) => outcomeOf(work) === 'overturned' && within(work.record.terminalAt),
    ).length,
    medianCompletionMs: median(submissions),
  };
};
const both = (all: readonly Performed[], window: DriftWindow) => ({
  current: active(all, window.currentFrom, window.currentTo),
  baseline: active(all, window.baselineFrom, window.baselineTo),
});
const by = (agent: string): readonly Performed[] =>
  WORK.filter(({ record }) => record.performerAgentId === agent);
const typesIn = (all: readonly Performed[]): readonly string[] =>
  [...new Set(all.map(typeOf))].sort();

/** A reader, and its statements with their values written into them. */
const askedOf = (
  database: TestDatabase,
): { readonly reader: Reader; readonly statements: readonly string[] } => {
  const statements: string[] = [];
  const written = (value: SqlValue | undefined): string =>
    value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : `'${value}'`;
  const reader = trustingReader((sql: string, values: readonly SqlValue[] = []) => {
    let next = 0;
    const statement = sql.replace(/\?/g, () => written(values[next++]));
    statements.push(statement);
    return database.raw(statement) as never;
  });
  return { reader, statements };
};

export const performanceSuite = (kind: DatabaseKind): void => {
  describe(`what agents performed, on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const reads = () => database().adapter.reads.performance;

    beforeAll(async () => {
      await database().adapter.unitOfWork.transaction(async (stores) => {
        await stores.orgs.insert(ORG);
        for (const agent of AGENTS) await stores.agents.insert(agent);
        for (const { record, completions } of WORK) {
          await stores.records.insert(record);
          for (const completion of completions) await stores.completions.insert(completion);
        }
        for (const record of NOT_PERFORMED) await stores.records.insert(record);
      });
    });

    it('is tallied overall and by type, without what the agent did for itself', async () => {
      for (const agent of [BUSY, GONE]) {
        const counted = by(agent).filter(({ record }) => record.principalAgentId !== agent);
        const tally = await reads().tally(agent, at(END), null);
        expect(tally.overall).toEqual(tallied(counted, at(END)));
        expect(tally.byType).toEqual(
          typesIn(counted).map((type) => ({
            type,
            ...tallied(
              counted.filter((work) => typeOf(work) === type),
              at(END),
            ),
          })),
        );
        expect(tally.since).toBe(counted.map(({ record }) => record.createdAt).sort()[0]);
        expect(await reads().verdicts(agent)).toEqual({
          accepted: tally.overall.accepted,
          rejected: tally.overall.rejected,
        });
      }
    });

    it('is tallied of the records that a reader may see', async () => {
      const counted = by(BUSY).filter(({ record }) => record.principalAgentId !== BUSY);
      const principal = counted[0]!.record.principalAgentId;
      const seen = counted.filter(({ record }) => record.principalAgentId === principal);
      expect(seen.length).toBeLessThan(counted.length);
      const tally = await reads().tally(BUSY, at(END), { agentId: principal });
      expect(tally).toEqual({
        overall: tallied(seen, at(END)),
        byType: typesIn(seen).map((type) => ({
          type,
          ...tallied(
            seen.filter((work) => typeOf(work) === type),
            at(END),
          ),
        })),
        since: seen.map(({ record }) => record.createdAt).sort()[0],
      });
      expect(await reads().tally(BUSY, at(END), { orgId: ORG.id })).toEqual(
        await reads().tally(BUSY, at(END), null),
      );
      expect((await reads().tally(BUSY, at(END), { orgId: uuid() })).overall.records).toBe(0);
    });

    it('reads each median at its place in an index: nothing is sorted, and no record is read', async () => {
      const asked = askedOf(database());
      expect(
        (await readSubmissions(asked.reader, BUSY, typesIn(WORK))).overall.completions,
      ).toBeGreaterThan(10);
      expect(asked.statements).toHaveLength(2);
      for (const sql of asked.statements) {
        const explain = kind.name === 'mysql' ? 'EXPLAIN FORMAT=TRADITIONAL' : 'EXPLAIN QUERY PLAN';
        const plan = await database().raw(`${explain} ${sql}`);
        const steps = plan.filter((step) => JSON.stringify(step).includes('completion_times'));
        expect(steps.length).toBeGreaterThan(0);
        for (const step of steps)
          expect(JSON.stringify(step)).toMatch(/Using index|COVERING INDEX|USING PRIMARY KEY/);
        expect(JSON.stringify(plan)).not.toMatch(/filesort|temporary|TEMP B-TREE|records/);
      }
    });

    it.runIf(kind.name === 'sqlite')('is counted among neighbours in an index', async () => {
      const asked = askedOf(database());
      await readStandingCounts(asked.reader, SQLITE, BUSY, at(END));
      const plan = await database().raw(`EXPLAIN QUERY PLAN ${asked.statements[0]}`);
      const steps = plan.map((step) => String(step['detail'])).filter((step) => /\br\b/.test(step));
      const byType = 'SEARCH r USING INDEX records_by_standing (performer_agent_id=?)';
      const nextType = byType.replace(')', ' AND type>?)');
      const count = byType.replace(')', ' AND type=? AND status=?)');
      expect([...new Set(steps)]).toEqual([byType, nextType, count]);
    });

    it('counts an open record past its deadline as expired, and not before', async () => {
      const expired = async (now: string): Promise<number> =>
        (await reads().tally(BUSY, now, null)).overall.expired;
      expect((await expired(at(END))) - (await expired(at(0)))).toBe(
        by(BUSY).filter(
          ({ record }) => record.expiresAt !== null && record.principalAgentId !== BUSY,
        ).length,
      );
    });

    it('is tallied for an agent of very many types', async () => {
      const agent = uuid();
      const types = Array.from({ length: 501 }, (_, i) => `type-${1000 + i}`);
      await database().adapter.unitOfWork.transaction(async (stores) => {
        for (const [i, type] of types.entries()) {
          const { record, completions } = performed(0);
          const own = { ...record, performerAgentId: agent, activatedAt: at(0) };
          await stores.records.insert({ ...own, schema: { ...record.schema, type } });
          await stores.completions.insert({ ...completions[0]!, submittedAt: at(2 * i) });
        }
      });
      const { overall, byType } = await reads().tally(agent, at(END), null);
      expect(overall).toMatchObject({ records: 501, completions: 501, medianCompletionMs: 500 });
      expect(byType.map(({ type, medianCompletionMs }) => [type, medianCompletionMs])).toEqual(
        types.map((type, i) => [type, 2 * i]),
      );
    });

    it('is nothing for an agent that performed nothing', async () => {
      expect(await reads().tally(FRESH, at(END), null)).toEqual({
        overall: tallied([], at(END)),
        byType: [],
        since: null,
      });
      expect(await reads().verdicts(FRESH)).toEqual({ accepted: 0, rejected: 0 });
      expect(await reads().drift(FRESH, driftWindow(7, at(END)))).toEqual({
        overall: both([], driftWindow(7, at(END))),
        byType: [],
      });
    });

    it('drifts by the moment of each thing, overall and by type, whatever the window', async () => {
      for (const [days, to] of [
        [7, END],
        [7, 250 * HOUR],
        [1, 200 * HOUR],
        [3, 100 * HOUR + 1],
        [365, END],
      ] as const) {
        const window = driftWindow(days, at(to));
        const drift = await reads().drift(BUSY, window);
        expect(drift.overall).toEqual(both(by(BUSY), window));
        for (const { type, ...periods } of drift.byType)
          expect({ type, ...periods }).toEqual({
            type,
            ...both(
              by(BUSY).filter((work) => typeOf(work) === type),
              window,
            ),
          });
        expect(drift.byType.map(({ type }) => type)).toEqual(
          typesIn(by(BUSY).filter(({ record }) => record.updatedAt > window.baselineFrom)),
        );
      }
    });

    it('a moment on the edge of two periods belongs to one of them', async () => {
      const { record } = by(BUSY)[10]!;
      const one = await reads().drift(BUSY, driftWindow(1, record.createdAt));
      const other = await reads().drift(
        BUSY,
        driftWindow(1, new Date(Date.parse(record.createdAt) + 86_400_000).toISOString()),
      );
      expect(other.overall.baseline).toEqual(one.overall.current);
    });

    it('lists the drift of an org: its active agents and those with activity, by id, page by page', async () => {
      const window = driftWindow(7, at(END));
      const due = [BUSY, GONE, FRESH].sort();
      const seen: string[] = [];
      let after: string | null = null;
      for (;;) {
        const page = await reads().driftOfOrg(ORG.id, window, { limit: 1, after });
        expect(page.total).toBe(3);
        for (const { agentId, displayName, ...periods } of page.rows) {
          expect(displayName).toBe(AGENTS.find(({ id }) => id === agentId)?.displayName);
          expect(periods).toEqual(both(by(agentId), window));
          seen.push(agentId);
        }
        if (!page.hasMore) break;
        after = seen.at(-1)!;
      }
      expect(seen).toEqual(due);
      expect(seen).not.toContain(IDLE);
      const before = await reads().driftOfOrg(ORG.id, driftWindow(1, at(END + 30 * 24 * HOUR)), {
        limit: 9,
        after: null,
      });
      expect(before.rows.map(({ agentId }) => agentId)).toEqual([BUSY, FRESH].sort());
      expect(await reads().driftOfOrg(uuid(), window, { limit: 9, after: null })).toEqual({
        rows: [],
        total: 0,
        hasMore: false,
      });
    });

    const walk = async (filter: HistoryFilter, limit: number) => {
      const rows = [];
      let after: Keyset | null = null;
      do {
        const slice = await reads().history(filter, { limit, after });
        rows.push(...slice.rows);
        expect(slice.total).toBe((await reads().history(filter, { limit: 1, after: null })).total);
        after = slice.next;
      } while (after);
      return rows;
    };

    it('is listed newest first with every member, each record once', async () => {
      const rows = await walk({ agentId: BUSY, reader: null }, 37);
      const order = (work: Performed): string => work.record.createdAt + work.record.id;
      const due = [...by(BUSY)].sort((a, b) => (order(a) < order(b) ? 1 : -1));
      expect(rows).toEqual(
        due.map((work) => {
          const last = work.completions.at(-1);
          const outcome = outcomeOf(work);
          return {
            recordId: work.record.id,
            orgId: work.record.orgId,
            type: typeOf(work),
            status: work.record.status,
            outcome,
            completionId: last?.id ?? null,
            evidenceHash: last?.evidenceHash ?? null,
            createdAt: work.record.createdAt,
            activatedAt: work.record.activatedAt,
            submittedAt: last?.submittedAt ?? null,
            decidedAt: ['accepted', 'rejected', 'overturned'].includes(outcome)
              ? work.record.terminalAt
              : null,
            completionMs: last ? elapsed(work, last) : null,
            expiresAt: work.record.expiresAt,
          };
        }),
      );
    });

    it('is filtered by type, outcome and creation, for every reader', async () => {
      const readers = {
        platform: null,
        itself: { agentId: BUSY },
        hirer: { agentId: HIRER },
        org: { orgId: ORG.id },
        other: { orgId: OTHER_ORG },
        stranger: { orgId: uuid() },
      } as const;
      const filters: readonly Partial<HistoryFilter>[] = [
        {},
        { type: 'order' },
        { from: at(50 * HOUR), to: at(90 * HOUR) },
        { type: 'report', outcome: 'accepted', from: at(HOUR) },
        ...OUTCOMES.map((outcome) => ({ outcome })),
      ];
      const sees = (reader: HistoryFilter['reader'], { record }: Performed): boolean =>
        reader === null ||
        ('agentId' in reader
          ? [record.performerAgentId, record.principalAgentId].includes(reader.agentId)
          : [record.performerOrgId, record.orgId].includes(reader.orgId));
      for (const reader of Object.values(readers)) {
        for (const filter of filters) {
          const due = by(BUSY).filter(
            (work) =>
              sees(reader, work) &&
              (filter.type ?? typeOf(work)) === typeOf(work) &&
              (filter.outcome ?? outcomeOf(work)) === outcomeOf(work) &&
              work.record.createdAt >= (filter.from ?? '') &&
              work.record.createdAt < (filter.to ?? '9'),
          );
          const rows = await walk({ agentId: BUSY, reader, ...filter }, 60);
          expect(rows.map(({ recordId }) => recordId).sort()).toEqual(
            due.map(({ record }) => record.id).sort(),
          );
          expect(
            (await reads().history({ agentId: BUSY, reader, ...filter }, { limit: 5, after: null }))
              .total,
          ).toBe(due.length);
        }
      }
    });
  });
};
