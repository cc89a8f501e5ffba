import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Container } from 'inversify';
import { ChangeNotices } from '../../adapters/cache/change-notices.ts';
import { PinoLog } from '../../adapters/system/pino-log.ts';
import { AuthenticateBearer } from '../../application/identity/authenticate-bearer.ts';
import { ListKeys } from '../../application/identity/list-keys.ts';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import { CreateRecord } from '../../application/record/create-record.ts';
import { startService } from '../../config/service.ts';
import { loadSettings } from '../../config/settings.ts';
import { TOKENS } from '../../config/tokens.ts';
import { formatApiKey } from '../../domain/identity/api-key-secret.ts';
import type { ApiKeyFilter } from '../../domain/identity/identity-store.port.ts';
import { sampleApiKey, uuid } from '../contract/sql/samples.ts';
import { NO_LIMITS, ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, type World } from '../support/service/world.ts';
import { loadInTurns, type Load } from './load.ts';
import type { Row } from './table.ts';

const CALLS = 20_000;
/** Of each key: what most deployments see in a second. */
const COLD_CALLS = 2_000;
const MANY = 100_000;
const LIMIT = 300;

/** What it costs to know who calls, and what somebody who guesses keys costs everybody else. */
export const measureAuthentication = async (seconds: number): Promise<readonly Row[]> => [
  ...(await costs()),
  ...(await guessing(seconds)),
];

const costs = async (): Promise<readonly Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-bench-'));
  const { settings } = loadSettings(
    {
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: join(directory, 'data'),
      KEYS_DIR: join(directory, 'keys'),
      ...NO_LIMITS,
    },
    { cwd: directory },
  );
  const service = await startService(settings, new PinoLog('silent', { write: () => undefined }));
  try {
    const { container } = service;
    const world = await createWorld(
      String(service.url),
      (await container.get(BootstrapPlatform).execute()).apiKey,
    );
    const authenticate = container.get(AuthenticateBearer);
    const input = {
      token: world.principal.client.key ?? undefined,
      address: '127.0.0.1',
      requestId: 'bench',
    };
    const notices = container.get(ChangeNotices);
    const cached = await cpuMicroseconds(CALLS, () => authenticate.authenticate(input));
    const uncached = await cpuMicroseconds(COLD_CALLS, () => {
      notices.changed('api-key');
      return authenticate.authenticate(input);
    });
    const admin = await authenticate.authenticate({
      ...input,
      token: world.admin.key ?? undefined,
    });
    const list = async (): Promise<number> => {
      let slowest = 0;
      for (const filter of LISTS)
        slowest = Math.max(
          slowest,
          await cpuMicroseconds(50, () =>
            container
              .get(ListKeys)
              .execute(
                { caller: admin, requestId: 'bench' },
                { ...filter, slice: { limit: 50, after: null } },
              ),
          ),
        );
      return slowest;
    };
    const fewLists = await list();
    await fill(container, MANY);
    const manyLists = await list();
    const uncachedAmongMany = await cpuMicroseconds(COLD_CALLS, () => {
      notices.changed('api-key');
      return authenticate.authenticate(input);
    });
    const caller = await authenticate.authenticate(input);
    const createRecord = container.get(CreateRecord);
    let requests = 0;
    const notarize = await cpuMicroseconds(COLD_CALLS, () =>
      createRecord.execute(
        { caller, requestId: `bench-${requests++}` },
        { type: 'note', criteria: { text: 'x'.repeat(960) } },
      ),
    );
    return [
      {
        what: 'notarize, one at a time, without HTTP',
        perSecond: 1e6 / notarize,
        p50: notarize / 1000,
      },
      {
        what: 'authenticate, key in the cache',
        perSecond: 1e6 / cached,
        p50: cached / 1000,
        ratio: cached / notarize,
        of: 'processor time of a notarize',
      },
      {
        what: 'authenticate, one indexed read',
        perSecond: 1e6 / uncached,
        p50: uncached / 1000,
        ratio: uncached / notarize,
        of: 'processor time of a notarize',
      },
      {
        what: `the same with ${MANY.toLocaleString('en')} keys in the table`,
        perSecond: 1e6 / uncachedAmongMany,
        p50: uncachedAmongMany / 1000,
        ratio: uncachedAmongMany / uncached,
        of: 'the time with few',
      },
      {
        what: `the slowest filter of the key list, with as many`,
        perSecond: 1e6 / manyLists,
        p50: manyLists / 1000,
        ratio: manyLists / fewLists,
        of: 'the time with few',
      },
    ];
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
};

/** Each filter of the list. */
const LISTS: readonly ApiKeyFilter[] = [
  {},
  { isActive: false },
  { role: 'admin' },
  { lastUsedBefore: '2020-01-01T00:00:00.000Z' },
  { neverUsed: true, createdBefore: '2020-01-01T00:00:00.000Z' },
  { neverExpires: true },
];

/** Keys of a hundred other orgs. */
const fill = async (container: Container, count: number): Promise<void> => {
  const { unitOfWork } = container.get(TOKENS.sql);
  const orgs = Array.from({ length: 100 }, () => uuid());
  for (let done = 0; done < count; done += 1_000)
    await unitOfWork.transaction(async (stores) => {
      for (let n = done; n < done + 1_000; n++)
        await stores.apiKeys.insert(
          sampleApiKey({
            orgId: orgs[n % 100]!,
            createdAt: new Date(Date.now() - n * 1000).toISOString(),
            isActive: n % 7 !== 0,
            lastUsedAt: n % 5 ? new Date().toISOString() : null,
          }),
        );
    });
};

/** Processor time of the whole process, so that work of its threads counts. */
const cpuMicroseconds = async (calls: number, call: () => Promise<unknown>): Promise<number> => {
  for (let warm = 0; warm < calls / 10; warm++) await call();
  const start = process.cpuUsage();
  for (let n = 0; n < calls; n++) await call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / calls;
};

const guessing = async (seconds: number): Promise<readonly Row[]> => {
  const service = new ServiceProcess({
    RATE_LIMIT_ANONYMOUS: String(LIMIT),
    TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
  });
  try {
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    await paced(world, seconds / 4);
    const alone = await paced(world, seconds);
    const [meanwhile, guesses] = await Promise.all([
      paced(world, seconds),
      guess(world.url, seconds),
    ]);
    return [
      {
        what: 'notarize at an even rate, nobody else',
        perSecond: alone.perSecond,
        p50: alone.p50,
        p99: alone.p99,
      },
      {
        what: 'the same while one address guesses keys at full rate',
        perSecond: meanwhile.perSecond,
        p50: meanwhile.p50,
        p99: meanwhile.p99,
        ratio: meanwhile.perSecond / alone.perSecond,
        of: 'the rate with nobody else',
      },
      {
        what: 'guesses refused',
        perSecond: guesses.perSecond,
        p50: guesses.p50,
        p99: guesses.p99,
        note: guesses.note,
      },
    ];
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
  }
};

/** The callers: as many as keep the service busy for a good part of the time, and no more. */
const paced = (world: World, seconds: number): Promise<Load> =>
  loadInTurns(
    {
      url: `${world.url}/v1/records`,
      duration: seconds,
      connections: 8,
      overallRate: 400,
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.principal.client.key}`,
        'x-forwarded-for': '198.51.100.1',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ type: 'note', criteria: { text: 'x'.repeat(960) } }),
    },
    1,
  );

/** Well-formed keys, each another one, over and over from one address. */
const guess = async (url: string, seconds: number): Promise<Row & { readonly note: string }> => {
  const end = performance.now() + seconds * 1000;
  const statuses = new Map<number, number>();
  const times: number[] = [];
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const begun = performance.now();
      const { status } = await fetch(`${url}/v1/auth/me`, {
        headers: {
          authorization: `Bearer ${formatApiKey('agent', crypto.getRandomValues(new Uint8Array(32)))}`,
          'x-forwarded-for': '203.0.113.66',
        },
      });
      times.push(performance.now() - begun);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 4 }, one));
  times.sort((a, b) => a - b);
  return {
    what: '',
    perSecond: times.length / seconds,
    p50: times[times.length >> 1]!,
    p99: times[Math.floor(times.length * 0.99)]!,
    note: [...statuses].map(([status, count]) => `${count} x ${status}`).join(', '),
  };
};
