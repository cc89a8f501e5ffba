import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../config/service.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { settingsIn } from '../support/service/settings-in.ts';
import { startWatched } from '../support/service/watched-service.ts';
import { createWorld, ok, type Body, type Client, type World } from '../support/service/world.ts';

const mysql = databases().find(({ name }) => name === 'mysql');

/** What the service does beside any call: it numbers events, and adds entries to logs. */
const BESIDE = /event_counter|outbox SET|scitt_leaves|log_nodes|vault_checkpoints/;

interface Message {
  readonly connection: object;
  readonly text: string;
}

type Send = (this: object, ...given: unknown[]) => unknown;

/** Every message to the server, in the order in which they are sent. */
class Messages {
  readonly #all: Message[] = [];
  readonly #prototype = (
    createRequire(import.meta.url)('mysql2') as {
      Connection: { prototype: Record<'query' | 'execute', Send> };
    }
  ).Connection.prototype;
  readonly #own = { query: this.#prototype.query, execute: this.#prototype.execute };

  start(): void {
    const all = this.#all;
    for (const method of ['query', 'execute'] as const) {
      const send = this.#own[method];
      this.#prototype[method] = function (...given) {
        const [first] = given as [string | { readonly sql: string }];
        all.push({ connection: this, text: typeof first === 'string' ? first : first.sql });
        return send.apply(this, given);
      };
    }
  }

  stop(): void {
    Object.assign(this.#prototype, this.#own);
  }

  /** Those of a call, whose answer names its record: transactions that are about it, and single statements. */
  async during(call: () => Promise<Body>): Promise<readonly string[]> {
    const from = this.#all.length;
    const answer = await call();
    const id = String(answer['recordId'] ?? answer['id']);
    const names = [id.replaceAll('-', ''), Buffer.from(id).toString('hex')];
    return inTransactions(this.#all.slice(from))
      .filter(
        (texts) =>
          texts.some((text) => names.some((name) => text.includes(name))) &&
          !texts.some((text) => BESIDE.test(text)) &&
          // An action reads chains under its locks; a log looks for new entries without any.
          (texts.length > 1 || !/FROM chain_/.test(texts[0]!)),
      )
      .flat();
  }

  /** Commits of entries. */
  async commitsDuring(calls: () => Promise<unknown>): Promise<number> {
    const from = this.#all.length;
    await calls();
    return inTransactions(this.#all.slice(from)).filter((texts) =>
      texts.some((text) => text.includes('INSERT INTO chain_entries')),
    ).length;
  }
}

/** The messages of each transaction, and each of the others by itself. */
const inTransactions = (messages: readonly Message[]): readonly (readonly string[])[] => {
  const open = new Map<object, string[]>();
  const all: string[][] = [];
  for (const { connection, text } of messages) {
    let texts = open.get(connection);
    if (!texts) {
      all.push((texts = []));
      if (text.startsWith('START')) open.set(connection, texts);
    }
    texts.push(text);
    if (/\b(COMMIT|ROLLBACK)$/.test(text)) open.delete(connection);
  }
  return all;
};

describe.skipIf(!mysql)('round trips to MySQL', () => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-trips-'));
  const messages = new Messages();
  let service: RunningService;
  let database: TestDatabase;
  let world: World;

  beforeAll(async () => {
    messages.start();
    database = await mysql!.open({ migrated: false });
    const settings = settingsIn(directory, { DATABASE_URL: database.url, ...freshSecrets() });
    service = await startWatched(settings);
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    world = await createWorld(String(service.url), apiKey);
    await gated((_name, call) => call());
  });
  afterAll(async () => {
    messages.stop();
    await service?.stop();
    await database?.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  const post = (client: Client, path: string, body: Body): Promise<Body> =>
    ok(client.post(path, body));

  /** A record from the proposal to the verdict, call by call. */
  const gated = async (
    step: (name: string, call: () => Promise<Body>) => Promise<unknown>,
  ): Promise<void> => {
    const answers: Body[] = [];
    const make = async (
      name: string,
      client: Client,
      path: () => string,
      body: () => Body,
    ): Promise<void> => {
      await step(name, async () => {
        const answer = await post(client, path(), body());
        answers.push(answer);
        return answer;
      });
    };
    const record = (): string => `/v1/records/${answers[0]!['id']}`;
    const { principal, performer } = world;
    await make(
      'create',
      principal.client,
      () => '/v1/records',
      () => ({
        type: 'job',
        criteria: { goal: 'paint', threshold: 1 },
        performerAgentId: performer.id,
      }),
    );
    await make(
      'accept',
      performer.client,
      () => `${record()}/accept`,
      () => ({}),
    );
    await make(
      'complete',
      performer.client,
      () => `${record()}/completions`,
      () => ({
        evidence: { score: 3 },
      }),
    );
    await make(
      'revise',
      principal.client,
      () => `${record()}/revision`,
      () => ({}),
    );
    await make(
      'complete again',
      performer.client,
      () => `${record()}/completions`,
      () => ({
        evidence: { score: 4 },
      }),
    );
    await make(
      'judge',
      principal.client,
      () => `${record()}/verdict`,
      () => ({
        verdict: 'accept',
        completionId: answers.at(-1)!['id'] as string,
      }),
    );
  };

  it('of an action are at most four, and its writes are in one message with the commit', async () => {
    const trips: Record<string, number> = {};
    await gated(async (name, call) => {
      const sent = await messages.during(call);
      trips[name] = sent.length;
      const writing = sent.filter((text) => /INSERT INTO chain_entries/.test(text));
      expect(writing, name).toHaveLength(1);
      if (name !== 'create') expect(writing[0], name).toMatch(/;\nCOMMIT$/);
    });
    expect(trips).toEqual({
      create: 2,
      accept: 4,
      complete: 3,
      revise: 2,
      'complete again': 3,
      judge: 3,
    });
  });

  it('are shared by actions on different records', async () => {
    const { principal, performer } = world;
    const records = await Promise.all(
      Array.from({ length: 16 }, () =>
        post(principal.client, '/v1/records', {
          type: 'job',
          criteria: { goal: 'paint', threshold: 1 },
          performerAgentId: performer.id,
        }),
      ),
    );
    const commits = await messages.commitsDuring(() =>
      Promise.all(records.map(({ id }) => post(performer.client, `/v1/records/${id}/accept`, {}))),
    );
    expect(commits).toBeGreaterThan(0);
    expect(commits).toBeLessThanOrEqual(records.length / 2);
  });

  it('of a notarized record are two', async () => {
    const sent = await messages.during(() =>
      post(world.principal.client, '/v1/records', { type: 'note', criteria: { text: 'a note' } }),
    );
    expect(sent.map((text) => text.replace(/ .*/s, ''))).toEqual(['START', 'COMMIT']);
  });
});
