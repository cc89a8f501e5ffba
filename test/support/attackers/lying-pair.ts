import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, vi } from 'vitest';
import { AwaitHome } from '../../../application/sharing/await-home.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { OutgoingMessage } from '../../../domain/federation/federation-store.port.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import type { DatabaseKind } from '../databases/databases.ts';
import { FederatedStory } from '../hubs/federated-story.ts';
import { HubDatabases } from '../hubs/hub-databases.ts';
import { verifiedExport } from './forged-bytes.ts';
import { HubPair, inProcess, until, type OpenRuntime, type TestHub } from '../hubs/hub-pair.ts';
import { LyingHub } from './lying-hub.ts';
import { chainOf, ok, type Body, type Client } from '../service/world.ts';

export interface LyingPairOptions {
  /** Each hub gets a database of this kind. The default is SQLite in the hub's data folder. */
  readonly kind?: DatabaseKind;
  readonly env?: (name: 'home' | 'far') => Readonly<Record<string, string>>;
}

/** Two peered hubs, either of which may lie, and a database of the performer's that somebody else writes. */
export class LyingPair {
  private constructor(
    readonly pair: HubPair,
    private readonly runtimes: readonly OpenRuntime[],
    /** Of home, and of the performer's hub. */
    readonly folders: readonly string[],
    private readonly databases: HubDatabases | null,
  ) {}

  static async open({ kind, env }: LyingPairOptions = {}): Promise<LyingPair> {
    const runtimes: OpenRuntime[] = [];
    const folders: string[] = [];
    const databases = kind ? new HubDatabases(kind) : null;
    const pair = await HubPair.open(
      async (settings, directory) => {
        const runtime = await inProcess(settings, directory);
        runtimes.push(runtime);
        folders.push(directory);
        return runtime;
      },
      async (name) => ({ ...(await databases?.env()), ...env?.(name) }),
    );
    await pair.peer();
    return new LyingPair(pair, runtimes, folders, databases);
  }

  get home(): readonly [OpenRuntime, TestHub] {
    return [this.runtimes[0]!, this.pair.home];
  }

  get far(): readonly [OpenRuntime, TestHub] {
    return [this.runtimes[1]!, this.pair.far];
  }

  get principal(): Client {
    return this.pair.home.world.principal.client;
  }

  get performer(): Client {
    return this.pair.far.world.performer.client;
  }

  async opened(extra: Body = {}): Promise<FederatedStory> {
    const story = new FederatedStory(this.pair);
    await story.propose(extra);
    await story.arrives();
    await until(async () => (await story.home())['federation'].recordId !== null);
    return story;
  }

  /** The performer accepted. */
  async accepted(extra: Body = {}): Promise<FederatedStory> {
    const story = await this.opened(extra);
    await ok(story.onMirror('accept'));
    await story.agree('ACTIVE');
    return story;
  }

  /** The performer submitted a completion, and the principal has not judged it. */
  async completed(extra: Body = {}): Promise<FederatedStory> {
    const story = await this.accepted(extra);
    await ok(story.onMirror('completions', { evidence: { score: 9 } }));
    await story.agree('ACTIVE', ({ latestCompletionId }) => latestCompletionId !== null);
    return story;
  }

  /** The principal rejected the completion. */
  async failed(): Promise<FederatedStory> {
    const story = await this.completed();
    const { latestCompletionId: completionId } = await story.home();
    await ok(story.atHome('verdict', { verdict: 'reject', reason: 'no', completionId }));
    await story.agree('FAILED');
    return story;
  }

  /** The performer disputed that verdict. */
  async disputed(): Promise<FederatedStory> {
    const story = await this.failed();
    await ok(story.onMirror('dispute', { grounds: 'QUALITY', statement: 'x' }));
    await story.agree('FAILED', ({ disputed }) => disputed === true);
    await this.settled(story);
    return story;
  }

  /** Each hub answered all messages of the other about this record. */
  settled({ homeId, mirrorId }: FederatedStory): Promise<void> {
    const sides = [
      [this.home, homeId],
      [this.far, mirrorId],
    ] as const;
    return until(async () => {
      const sent = await Promise.all(
        sides.map(([[runtime], id]) => runtime.part(TOKENS.federationReads).outgoingOf(id)),
      );
      return sent.flat().every(({ answer }) => answer !== null);
    }, 60_000);
  }

  /** An offer of home that is not delivered. Only for calls inside `whileFarIsUnreachable`. */
  async undelivered(): Promise<{
    readonly story: FederatedStory;
    readonly offer: OutgoingMessage;
    readonly body: JsonObject;
  }> {
    const story = new FederatedStory(this.pair);
    await story.propose();
    const [offer] = await this.home[0].part(TOKENS.federationReads).outgoingOf(story.homeId);
    const body = JSON.parse(Buffer.from(offer!.body).toString('utf8')) as JsonObject;
    return { story, offer: offer!, body };
  }

  /** While `act` runs, no message reaches the performer's hub. */
  async whileFarIsUnreachable<T>(act: () => Promise<T>): Promise<T> {
    this.pair.far.door.isShut = true;
    try {
      return await act();
    } finally {
      this.pair.far.door.isShut = false;
    }
  }

  /** While `act` runs, no message reaches home, and a call of the performer does not wait for an answer of home. */
  async whileHomeIsUnreachable<T>(act: () => Promise<T>): Promise<T> {
    const wait = vi.spyOn(this.far[0].part(AwaitHome), 'until').mockResolvedValue(false);
    this.pair.home.door.isShut = true;
    try {
      return await act();
    } finally {
      this.pair.home.door.isShut = false;
      wait.mockRestore();
    }
  }

  /** The operator of home, on its true chain so far. */
  async lyingHome(story: FederatedStory): Promise<LyingHub> {
    const liar = await LyingHub.on(this.home, this.far, story.homeId);
    const stored = await chainOf(this.principal, story.homeId);
    for (const entry of stored.slice(liar.told.length)) liar.untell(bytesOf(entry));
    return liar;
  }

  /** The operator of the mirror, which offered no step yet. */
  async lyingMirror(story: FederatedStory): Promise<LyingHub> {
    const { first } = await LyingHub.on(this.home, this.far, story.homeId);
    const { hubId, world } = this.pair.far;
    const liar = await LyingHub.on(this.far, this.home, story.mirrorId, {
      ...first,
      projection: {
        ...first.projection,
        originHubId: hubId,
        toHubId: this.pair.home.hubId,
        performer: { hubId, orgId: world.orgId, agentId: world.performer.id },
        ack: 1,
      },
    });
    for (const entry of await chainOf(this.performer, story.mirrorId)) liar.untell(bytesOf(entry));
    return liar;
  }

  /** The same of a mirror whose own side offered steps before: it goes on from them. */
  async lyingMirrorAfter(story: FederatedStory): Promise<LyingHub> {
    const genuine = await LyingHub.on(this.far, this.home, story.mirrorId);
    const whole = await this.lyingMirror(story);
    const { projection } = whole.first;
    const liar = await LyingHub.on(this.far, this.home, story.mirrorId, {
      ...whole.first,
      projection: { ...projection, ack: genuine.first.projection.ack },
    });
    const stored = await chainOf(this.performer, story.mirrorId);
    for (const entry of stored.slice(liar.told.length)) liar.untell(bytesOf(entry));
    return liar;
  }

  get performerActor(): JsonObject {
    const { orgId, performer } = this.pair.far.world;
    return { kind: 'agent', orgId, agentId: performer.id, apiKeyId: randomUUID() };
  }

  async typesAt(client: Client, id: string): Promise<readonly string[]> {
    return (await chainOf(client, id)).map(({ entryType }) => String(entryType));
  }

  async mirrorsOf(homeId: string): Promise<readonly Body[]> {
    const { data } = await ok(this.performer.get('/v1/records?limit=200'));
    return (data as Body[]).filter(({ federation }) => federation?.recordId === homeId);
  }

  /** What an auditor finds who pins the performer's hub. */
  verifiedMirror({ mirrorId }: FederatedStory): Promise<VerificationReport> {
    return verifiedExport(this.performer, mirrorId, this.pair.far);
  }

  /** Another connection to the database of the performer's hub. */
  edit(statement: string, ...ids: readonly string[]): void {
    const folder = join(this.folders[1]!, 'data');
    const file = readdirSync(folder).find((name) => /\.(db|sqlite3?)$/.test(name))!;
    const database = new DatabaseSync(join(folder, file));
    database.exec('PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = 5000');
    try {
      const { changes } = database
        .prepare(statement)
        .run(...ids.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex')));
      if (changes !== 1) throw new Error(`${String(changes)} rows were edited`);
    } finally {
      database.close();
    }
  }

  async close(): Promise<void> {
    await this.pair.close();
    await this.databases?.drop();
  }
}

/** Opens one pair for the suite that calls this. The getter works inside hooks and tests of the suite. */
export const useLyingPair = (options: LyingPairOptions = {}): (() => LyingPair) => {
  let pair: LyingPair | undefined;
  beforeAll(async () => {
    pair = await LyingPair.open(options);
  });
  afterAll(() => pair?.close());
  return () => pair!;
};

const bytesOf = ({ coseSign1 }: Body): Buffer => Buffer.from(String(coseSign1), 'base64');
