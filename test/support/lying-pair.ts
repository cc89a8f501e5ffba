import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { VerificationReport } from '../../domain/verification/report.ts';
import { FederatedStory } from './federated-story.ts';
import { verifiedExport } from './forged-bytes.ts';
import { HubPair, inProcess, until, type OpenRuntime, type TestHub } from './hub-pair.ts';
import { LyingHub } from './lying-hub.ts';
import { chainOf, ok, type Body, type Client } from './world.ts';

/** Two peered hubs, either of which may lie, and a database of the performer's that somebody else writes. */
export class LyingPair {
  private constructor(
    readonly pair: HubPair,
    private readonly runtimes: readonly OpenRuntime[],
    /** Of home, and of the performer's hub. */
    readonly folders: readonly string[],
  ) {}

  static async open(): Promise<LyingPair> {
    const runtimes: OpenRuntime[] = [];
    const folders: string[] = [];
    const pair = await HubPair.open(async (env, directory) => {
      const runtime = await inProcess(env, directory);
      runtimes.push(runtime);
      folders.push(directory);
      return runtime;
    });
    await pair.peer();
    return new LyingPair(pair, runtimes, folders);
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

  close(): Promise<void> {
    return this.pair.close();
  }
}

const bytesOf = ({ coseSign1 }: Body): Buffer => Buffer.from(String(coseSign1), 'base64');
