import { Agent } from 'node:http';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { WAITING_AT_ONCE } from '../../application/sharing/await-home.ts';
import { PEER_PATHS } from '../../domain/federation/request-signature.ts';
import { FederatedStory } from '../support/hubs/federated-story.ts';
import { HubPair, type HubRuntime, type TestHub } from '../support/hubs/hub-pair.ts';
import { processorMs } from '../support/service/processor-time.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { GOAL, ok, type Body, type Client } from '../support/service/world.ts';
import { benchDatabase } from './bench-database.ts';
import type { Row } from './table.ts';

const QUEUED = 1_000;
/** So many callers act at once while processor time is measured: each of them waits for home. */
const AT_ONCE = WAITING_AT_ONCE;
/** And so many while a queue is filled: those beyond do not wait for a home that answers none. */
const FILLING = WAITING_AT_ONCE + 16;
const MEASURED = 200;
/** Messages a second at which a queue is to drain. */
const ASKED = 200;
/** Processor time that a federated transition may add on each side, ms. */
const LIMIT_MS = 15;

/**
 * Two hubs in processes of their own: how fast 1,000 transitions drain that waited for a suspended peer, and what a
 * transition costs each side beside the same one of a record that has no peer. The TLS of the connection ends in this
 * process, which takes its share of the same cores.
 */
export const measureFederation = async (
  name: string,
  mysqlUrl?: string,
): Promise<readonly Row[]> => {
  const databases: { drop(): Promise<void> }[] = [];
  const processes: ServiceProcess[] = [];
  const pair = await HubPair.open(
    (env, directory) => {
      const process = new ServiceProcess(env, directory);
      processes.push(process);
      return Promise.resolve(runtimeOf(process));
    },
    async () => {
      const database = mysqlUrl ? await benchDatabase(mysqlUrl) : null;
      if (database) databases.push(database);
      return { ...freshSecrets(), ...database?.env, RATE_LIMIT_PEER: '0', MAX_QUEUE_MS: '0' };
    },
  );
  const pids = (): readonly number[] => processes.map(({ pid }) => pid);
  // As a proxy does.
  for (const { door } of [pair.home, pair.far]) door.connections = new Agent({ keepAlive: true });
  try {
    await pair.peer();
    const stories = await opened(pair, QUEUED);
    // Home tells the mirror of each step that it applied.
    let steps = 0;
    await untilTaken(pair.far, QUEUED, async () => {
      steps = await drained(pair.far, pair.home, QUEUED, () =>
        inTurns(stories, (story) => story.onMirror('accept'), FILLING),
      );
    });
    const told = await drained(pair.home, pair.far, 2 * QUEUED, () =>
      inTurns(stories, (story) => story.atHome('cancel', { reason: 'Not needed.' })),
    );
    return [
      drainRow(
        `${name}: messages of home drain, ${QUEUED.toLocaleString('en')} cancellations, each with its signal`,
        told,
      ),
      drainRow(
        `${name}: messages of mirrors drain, ${QUEUED.toLocaleString('en')} acceptances, which home answers`,
        steps,
      ),
      ...(await costs(name, pair, pids)),
      await roundTrips(name, pair),
    ];
  } finally {
    await pair.close();
    for (const database of databases) await database.drop();
  }
};

const runtimeOf = (process: ServiceProcess): HubRuntime => ({
  start: async () => {
    await process.start();
    return process.url;
  },
  stop: async () => void (await process.stop()),
  kill: async () => void (await process.stop('SIGKILL')),
  bootstrap: async () => (await process.bootstrap()).apiKey,
});

/** Records of home that have come to the other hub. */
const opened = async (pair: HubPair, count: number): Promise<readonly FederatedStory[]> => {
  const stories = Array.from({ length: count }, () => new FederatedStory(pair));
  await untilTaken(pair.far, count, () => inTurns(stories, (story) => story.proposeUnder()));
  const mirrors = await mirrorsOf(stories, pair);
  for (const story of stories) story.mirrorId = mirrors.get(story.homeId)!;
  return stories;
};

/** Their ids by those of home. Delivery is at least once, so as many answers are not always as many records. */
const mirrorsOf = async (
  stories: readonly FederatedStory[],
  pair: HubPair,
): Promise<ReadonlyMap<string, string>> => {
  for (let tries = 0; tries < 60; tries++) {
    const known = new Map(
      (await listed(pair.far.world.performer.client)).map(({ id, federation }) => [
        String(federation?.recordId),
        String(id),
      ]),
    );
    if (stories.every(({ homeId }) => known.has(homeId))) return known;
    await sleep(500);
  }
  throw new Error('a record of home did not come to the other hub');
};

/** Does something that sends so many messages to a hub, signals among them. @returns when the last of them was answered. */
const untilTaken = async (
  { door }: TestHub,
  messages: number,
  work: () => Promise<unknown>,
): Promise<number> => {
  let taken = 0;
  const all = new Promise<number>((resolve) => {
    door.onAnswer = ({ path }, { status }) => {
      if (path === PEER_PATHS.handshake || status !== 200) return;
      if (++taken === messages) resolve(performance.now());
    };
  });
  await work();
  const at = await all;
  door.onAnswer = () => undefined;
  return at;
};

const listed = async (client: Client): Promise<readonly Body[]> => {
  const found: Body[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Body = await ok(
      client.get(`/v1/records?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`),
    );
    found.push(...(page['data'] as Body[]));
    cursor = page['nextCursor'] as string | null;
  }
  return found;
};

/** Messages a second that one hub takes which were queued while the other one held them back. */
const drained = async (
  sender: TestHub,
  receiver: TestHub,
  messages: number,
  fill: () => Promise<unknown>,
): Promise<number> => {
  const peer = `/v1/admin/federation/peers/${receiver.hubId}`;
  await ok(sender.world.platform.post(`${peer}/suspend`, {}));
  await fill();
  const began = performance.now();
  const ended = await untilTaken(receiver, messages, () =>
    ok(sender.world.platform.post(`${peer}/resume`, {})),
  );
  const seconds = (ended - began) / 1_000;
  return messages / seconds;
};

const drainRow = (what: string, perSecond: number): Row => ({
  what,
  perSecond,
  ratio: perSecond / ASKED,
  of: `${ASKED} a second; at least 1; ${availableParallelism()} cores for all`,
});

/** Two transitions of each record, one by either side, beside the same two of records without a peer. */
const costs = async (
  name: string,
  pair: HubPair,
  pids: () => readonly number[],
): Promise<readonly Row[]> => {
  const { principal, performer } = pair.home.world;
  const transitions = 2 * MEASURED;
  const locals = await Promise.all(
    Array.from({ length: MEASURED }, async () => {
      const asked = { type: 'job', criteria: GOAL, performerAgentId: performer.id };
      return String((await ok(principal.client.post('/v1/records', asked)))['id']);
    }),
  );
  const local = await taken(pids, () =>
    inTurns(locals, async (id) => {
      await ok(performer.client.post(`/v1/records/${id}/accept`, {}));
      return principal.client.post(`/v1/records/${id}/cancel`, { reason: 'Not needed.' });
    }),
  );
  const stories = await opened(pair, MEASURED);
  // Home tells the mirror of both of them, and of the signal of the second.
  const shared = await taken(pids, () =>
    untilTaken(pair.far, 3 * MEASURED, () =>
      inTurns(stories, async (story) => {
        await ok(story.onMirror('accept'));
        return story.atHome('cancel', { reason: 'Not needed.' });
      }),
    ),
  );
  const each = (ms: number): number => ms / transitions;
  return ['home', 'the mirror'].map((side, at) => {
    const added = each(shared[at]! - local[0]!);
    return {
      what: `${name}: a federated transition takes ${each(shared[at]!).toFixed(1)} ms of a processor at ${side}, a local one ${each(local[0]!).toFixed(1)} ms`,
      perSecond: 0,
      ratio: added / LIMIT_MS,
      of: `${LIMIT_MS} ms more; at most 1`,
    };
  });
};

const taken = async (
  pids: () => readonly number[],
  work: () => Promise<unknown>,
): Promise<readonly number[]> => {
  const before = pids().map(processorMs);
  await work();
  return pids().map((pid, at) => processorMs(pid) - before[at]!);
};

/** Requests between the hubs that a caller waits for. */
const roundTrips = async (name: string, pair: HubPair): Promise<Row> => {
  const stories = await opened(pair, 20);
  let requests = 0;
  const waits: number[] = [];
  for (const story of stories) {
    const before = pair.home.door.passed.length;
    const began = performance.now();
    await ok(story.onMirror('accept'));
    waits.push(performance.now() - began);
    requests += pair.home.door.passed.length - before;
  }
  waits.sort((a, b) => a - b);
  return {
    what: `${name}: round trips to home that a step waits for`,
    perSecond: 0,
    p50: waits[Math.floor(waits.length / 2)]!,
    p99: waits.at(-1)!,
    ratio: requests / stories.length,
    of: 'one; at most 1',
  };
};

const inTurns = async <T>(
  all: readonly T[],
  act: (one: T) => Promise<{ readonly status: number; readonly body: Body }>,
  atOnce = AT_ONCE,
): Promise<void> => {
  const left = [...all];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift())
        await ok(act(one) as never);
    }),
  );
};
