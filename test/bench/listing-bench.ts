import { rmSync } from 'node:fs';
import { openSqlAdapter } from '../../adapters/sql/sql-adapter.ts';
import { sampleCompletion, sampleRecord, uuid } from '../contract/sql/samples.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, ok, type Client, type World } from '../support/service/world.ts';
import type { Row } from './table.ts';
import { ROW_KEYS } from '../support/databases/row-keys.ts';

const RECORDS = 100_000;
const PERFORMED = 50_000;
const PAGE = 100;

/** What reading costs over HTTP where there is much to read: a page far behind beside the first, and what an agent with 50,000 records did. */
export const measureListings = async (): Promise<readonly Row[]> => {
  const service = new ServiceProcess();
  try {
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    await fill(`sqlite://${service.directory}/data/notary.sqlite`, world);
    const { client, id } = world.performer;
    const [first, far] = await pages(world.admin, RECORDS / PAGE);
    const timed = async (what: string, path: string): Promise<Row> =>
      latency(`SQLite: ${what}`, await best(() => client.get(path)));
    return [
      latency(`SQLite: page 1 of ${RECORDS.toLocaleString('en')} records`, first),
      {
        ...latency(`SQLite: page ${(RECORDS / PAGE).toLocaleString('en')}`, far),
        ratio: far / first,
        of: 'page 1',
      },
      await timed(
        `reputation of an agent with ${PERFORMED.toLocaleString('en')} records`,
        `/v1/agents/${id}/reputation`,
      ),
      await timed('drift of that agent, 7 days', `/v1/agents/${id}/drift`),
      await timed('drift of that agent, a year', `/v1/agents/${id}/drift?window=365`),
      await timed('a page of its history', `/v1/agents/${id}/history`),
    ];
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
  }
};

/** Rows alone, without chains: a listing reads no chain. */
const fill = async (url: string, { orgId, principal, performer }: World): Promise<void> => {
  const adapter = openSqlAdapter({ url, rowKeys: ROW_KEYS });
  const begin = Date.now() - 86_400_000;
  for (let done = 0; done < RECORDS; done += 1_000)
    await adapter.unitOfWork.transaction(async (stores) => {
      for (let i = done; i < done + 1_000; i++) {
        const created = new Date(begin + i * 500).toISOString();
        const ended = new Date(begin + i * 500 + 60_000).toISOString();
        const isPerformed = i < PERFORMED;
        const completion = sampleCompletion(uuid(), {
          submittedAt: ended,
          evidence: { text: 'x'.repeat(200) },
          verdict: {
            verdict: i % 9 ? 'accept' : 'reject',
            reason: null,
            renderedBy: { kind: 'agent' },
            renderedAt: ended,
          },
        });
        await stores.records.insert(
          sampleRecord({
            id: completion.recordId,
            orgId,
            principalAgentId: principal.id,
            criteria: { text: 'x'.repeat(200) },
            createdAt: created,
            updatedAt: ended,
            terminalAt: ended,
            ...(isPerformed
              ? {
                  performerAgentId: performer.id,
                  performerOrgId: orgId,
                  status: i % 9 ? 'FULFILLED' : 'FAILED',
                  activatedAt: created,
                  latestCompletionId: completion.id,
                }
              : {}),
          }),
        );
        if (isPerformed) await stores.completions.insert(completion);
      }
    });
  await adapter.close();
};

/** Milliseconds of the first page and of the last one, each the best of three. */
const pages = async (client: Client, count: number): Promise<readonly [number, number]> => {
  const path = (cursor: string | null): string =>
    `/v1/records?limit=${PAGE}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
  const first = await best(() => client.get(path(null)));
  let cursor: string | null = null;
  for (let page = 1; page < count; page++)
    cursor = String((await ok(client.get(path(cursor))))['nextCursor']);
  return [first, await best(() => client.get(path(cursor)))];
};

const best = async (call: () => Promise<{ readonly status: number }>): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const begun = performance.now();
    const { status } = await call();
    if (status !== 200) throw new Error(`answered ${status}`);
    times.push(performance.now() - begun);
  }
  return Math.min(...times);
};

const latency = (what: string, milliseconds: number): Row => ({
  what,
  perSecond: 1000 / milliseconds,
  p50: milliseconds,
});
