import { beforeAll, describe, expect, it } from 'vitest';
import { driftWindow } from '../../../domain/reputation/drift.ts';
import { databases } from '../../support/databases/databases.ts';
import { longestGap } from '../../support/service/event-loop-gap.ts';
import { at, sampleAgent, sampleCompletion, sampleOrg, sampleRecord, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

describe('an agent with 50,000 records on the embedded database', () => {
  const database = useDatabase(databases()[0]!);
  const org = sampleOrg();
  const performer = sampleAgent(org.id);
  const agent = performer.id;

  beforeAll(async () => {
    await database().adapter.unitOfWork.transaction(async (stores) => {
      await stores.orgs.insert(org);
      await stores.agents.insert(performer);
    });
    const text = 'x'.repeat(500);
    for (let done = 0; done < 50_000; done += 1000)
      await database().adapter.unitOfWork.transaction(async (stores) => {
        for (let i = done; i < done + 1000; i++) {
          const completion = sampleCompletion(uuid(), {
            evidence: { text },
            submittedAt: at(i * 20_000 + 1000 + ((i * 7919) % 50_000)),
            verdict: {
              verdict: i % 9 ? 'accept' : 'reject',
              reason: null,
              renderedBy: { kind: 'agent' },
              renderedAt: at(i * 20_000 + 60_000),
            },
          });
          await stores.records.insert(
            sampleRecord({
              id: completion.recordId,
              orgId: org.id,
              performerOrgId: org.id,
              performerAgentId: agent,
              status: i % 9 ? 'FULFILLED' : 'FAILED',
              schema: { ...sampleRecord().schema, type: `type-${i % 7}` },
              criteria: { text },
              createdAt: at(i * 20_000),
              activatedAt: at(i * 20_000 + 500),
              terminalAt: at(i * 20_000 + 60_000),
              updatedAt: at(i * 20_000 + 60_000),
              latestCompletionId: completion.id,
            }),
          );
          await stores.completions.insert(completion);
        }
      });
  });

  /** The best of three, because what else the machine does is not measured. */
  const fastest = async (what: string, ask: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      const begun = performance.now();
      await ask();
      times.push(performance.now() - begun);
    }
    console.log(`50,000 records, ${what}: ${times.map((time) => time.toFixed(0)).join(', ')} ms`);
    return Math.min(...times);
  };

  it('answers reputation, drift and a page of history sooner than it could read the records', async () => {
    const { performance: reads } = database().adapter.reads;
    const now = at(50_000 * 20_000);
    expect((await reads.tally(agent, now, null)).overall).toMatchObject({
      records: 50_000,
      completions: 50_000,
    });
    const reading = await fastest('reading them', () => database().raw('SELECT * FROM records'));
    for (const [what, ask] of [
      ['reputation', () => reads.tally(agent, now, null)],
      ['summary', () => reads.verdicts(agent)],
      ['drift over 7 days', () => reads.drift(agent, driftWindow(7, now))],
      ['drift over a year', () => reads.drift(agent, driftWindow(365, now))],
      [
        'history',
        () => reads.history({ agentId: agent, reader: null }, { limit: 50, after: null }),
      ],
    ] as const)
      expect(await fastest(what, ask)).toBeLessThan(reading);
  });

  it('holds nobody up meanwhile', async () => {
    const { performance: reads } = database().adapter.reads;
    const window = driftWindow(365, at(50_010 * 20_000));
    const work = async (): Promise<void> => {
      const own = await reads.drift(agent, window);
      const page = await reads.driftOfOrg(org.id, window, { limit: 9, after: null });
      expect(page.rows.map(({ current }) => current)).toEqual([own.overall.current]);
      const { accepted, rejected } = own.overall.current;
      expect(await reads.verdicts(agent)).toEqual({ accepted, rejected });
      expect((await reads.tally(agent, window.currentTo, null)).overall.accepted).toBe(accepted);
    };
    const own = await longestGap(work);
    console.log(`50,000 records, longest gap: ${own.toFixed(0)} ms`);
    expect(own).toBeLessThan(60);
  });
});
