import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillOutbox } from '../support/databases/fill-outbox.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import {
  addAgent,
  Client,
  createWorld,
  ok,
  type Body,
  type World,
} from '../support/service/world.ts';

const MANY = Number(process.env['NOTARY_EVENTS'] ?? 1_000_000);
const FEW = 1_000;
/** Events of a kind that is rare, at the beginning of the log, where those who look from its end come last. */
const RARE = 7;
const ROUNDS = 8;
/** The count of a listing goes up to 10,000. */
const SLACK_MS = 100;

/** A service over so many events. Most are of one type, of one org and of one agent. */
class Filled {
  private readonly secrets = freshSecrets();
  private readonly service = new ServiceProcess(this.secrets);
  readonly since = new Date(Date.now() - 3_600_000).toISOString();
  private world!: World;
  quietAgent!: string;
  quietOrg!: string;
  readonly record = randomUUID();
  readonly count: number;

  constructor(count: number) {
    this.count = count;
  }

  async open(): Promise<this> {
    const { service } = this;
    const { apiKey } = await service.bootstrap();
    await service.start();
    this.world = await createWorld(service.url, apiKey);
    const { platform, orgId, principal } = this.world;
    this.quietOrg = String((await ok(platform.post('/v1/admin/orgs', { name: 'Quiet' })))['id']);
    this.quietAgent = (await addAgent(this.world.admin, orgId, 'quiet')).id;
    await service.stop();
    const foreign = randomUUID();
    fillOutbox({
      file: join(service.directory, 'data', 'notary.sqlite'),
      secretsKey: this.secrets.SECRETS_KEY,
      count: this.count,
      // The last hour has the last twenty of them.
      at: (n) =>
        new Date(
          Date.now() - (this.count - n > 20 ? 4_000_000 + this.count - n : 20),
        ).toISOString(),
      event: (n) => {
        const isRare = n < RARE;
        const isForeign = n >= RARE && n % 10 === 0;
        return {
          type: isRare ? 'agent.deactivated' : isForeign ? 'record.created' : 'record.recorded',
          orgId: isForeign ? foreign : orgId,
          counterpartyOrgId: isRare ? this.quietOrg : null,
          partyAgentId: isForeign ? this.quietAgent : principal.id,
          counterpartyAgentId: isRare ? this.quietAgent : null,
          agentId: isRare ? this.quietAgent : principal.id,
          recordId: isRare ? this.record : randomUUID(),
          recordType: 'note',
        };
      },
    });
    await service.start();
    return this;
  }

  client(role: Role): Client {
    const { admin, platform, principal } = this.world;
    const { key } = { admin, platform, agent: principal.client }[role];
    return new Client(this.service.url, key);
  }

  get orgId(): string {
    return this.world.orgId;
  }

  async close(): Promise<void> {
    await this.service.stop('SIGKILL');
    rmSync(this.service.directory, { recursive: true, force: true });
  }
}

type Role = 'platform' | 'admin' | 'agent';

const PAGES: readonly (readonly [Role, string, (of: Filled) => string])[] = (
  ['platform', 'admin', 'agent'] as const
).flatMap((role) =>
  (
    [
      ['a page', () => ''],
      ['the oldest', () => '&order=asc'],
      ['of the common type', () => '&type=record.recorded'],
      ['of a rare type', () => '&type=agent.deactivated'],
      ['of a type that there is not', () => '&type=schema.deleted'],
      ['the oldest of a rare type', () => '&type=agent.deactivated&order=asc'],
      ['of a record', (of) => `&recordId=${of.record}`],
      ['of an agent that acts seldom', (of) => `&agentId=${of.quietAgent}`],
      ['of nobody', () => `&agentId=${randomUUID()}`],
      ['of the last hour', (of) => `&since=${of.since}`],
      ...(role === 'platform'
        ? ([
            ['of an org', (of) => `&orgId=${of.orgId}`],
            ['of a quiet org', (of) => `&orgId=${of.quietOrg}`],
            ['of a rare type of an org', (of) => `&orgId=${of.orgId}&type=agent.deactivated`],
            ['of a type that an org has not', (of) => `&orgId=${of.orgId}&type=record.created`],
            ['of a seldom agent of an org', (of) => `&orgId=${of.orgId}&agentId=${of.quietAgent}`],
          ] as [string, (of: Filled) => string][])
        : []),
    ] as [string, (of: Filled) => string][]
  ).map(([what, query]) => [role, what, query] as const),
);

const STREAMS = (['platform', 'admin', 'agent'] as const).flatMap((role) =>
  (
    [
      ['the beginning', () => ''],
      ['the last hour', (of) => `&since=${of.since}`],
    ] as [string, (of: Filled) => string][]
  ).map(([what, query]) => [role, what, query] as const),
);

let few: Filled;
let many: Filled;

beforeAll(async () => {
  few = await new Filled(FEW).open();
  const began = performance.now();
  many = await new Filled(MANY).open();
  console.log(`${MANY} events in ${Math.round(performance.now() - began)} ms`);
}, 400_000);
afterAll(async () => {
  await few?.close();
  await many?.close();
});

/** The quickest of a few, ms. */
const timeOf = async (get: () => Promise<unknown>): Promise<number> => {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await get();
    best = Math.min(best, performance.now() - began);
  }
  return best;
};

const table: string[] = [];
afterAll(() => console.log(table.join('\n')));

const compared = async (name: string, get: (of: Filled) => Promise<unknown>): Promise<void> => {
  const [small, large] = [await timeOf(() => get(few)), await timeOf(() => get(many))];
  table.push(`${small.toFixed(1)} ms → ${large.toFixed(1)} ms: ${name}`);
  expect(large).toBeLessThan(small + SLACK_MS);
};

it.each(PAGES)('the listing for %s, %s, costs no more over a million events', (role, what, query) =>
  compared(`${role}, ${what}`, async (of) => {
    const { data } = await ok(of.client(role).get(`/v1/events?limit=50${query(of)}`));
    return data as Body[];
  }),
);

it.each(STREAMS)(
  'the stream for %s from %s costs no more over a million events',
  (role, what, query) =>
    compared(`stream, ${role}, ${what}`, async (of) => {
      const { url, key } = of.client(role);
      const page = await fetch(`${url}/v1/siem/stream?format=raw&limit=100${query(of)}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(page.status).toBe(200);
      expect((await page.text()).length).toBeGreaterThan(100);
    }),
);
