import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until, type TestHub } from '../../../support/hubs/hub-pair.ts';
import { ok, type Answer, type Body, type Client } from '../../../support/service/world.ts';
import type { LaneClock } from './hurry.ts';

export interface Place {
  readonly hub: TestHub;
  readonly lanes: LaneClock;
}

/** What `fetch` throws where nobody listens, or where the connection ends before the answer. */
const unlessUnreachable = (error: unknown): null => {
  if (error instanceof TypeError) return null;
  throw error;
};

/** A hub that is being started again is asked again. */
const seen = async (ask: () => Promise<Answer<Body>>): Promise<Body> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await ok(ask());
    } catch (error) {
      if (attempt === 300 || !(error instanceof TypeError)) throw error;
      await sleep(100);
    }
};

/** One record of a walk: its home, and the hub of its mirror. */
export class SharedRecord {
  homeId = '';
  mirrorId: string | null = null;
  /** The gates of an auto-job decide, at home. */
  type: 'job' | 'auto-job' = 'job';

  constructor(
    readonly home: Place,
    readonly far: Place,
  ) {}

  get principal(): Client {
    return this.home.hub.world.principal.client;
  }

  get performer(): Client {
    return this.far.hub.world.performer.client;
  }

  /** An operator may have stopped the hub, or suspended its peer, for a moment: it is asked again. */
  async propose(extra: Body = {}): Promise<void> {
    const platformRef = `walk ${randomUUID()}`;
    // A refusal is kept under its key, so whoever was refused asks under another one.
    let idempotencyKey = randomUUID();
    for (let tries = 1; ; tries++) {
      const answered = await this.principal
        .post(
          '/v1/records',
          {
            type: this.type,
            criteria: { goal: 'g', threshold: 5 },
            platformRef,
            federation: {
              peerHubId: this.far.hub.hubId,
              performerAgentId: this.far.hub.world.performer.id,
            },
            ...extra,
          },
          { 'idempotency-key': idempotencyKey },
        )
        .catch(unlessUnreachable);
      if (answered && (tries === 100 || ![422, 503].includes(answered.status))) {
        this.homeId = String((await ok(Promise.resolve(answered)))['id']);
        return;
      }
      if (answered) idempotencyKey = randomUUID();
      if (tries === 100) throw new Error('home cannot be reached');
      await sleep(200);
    }
  }

  atHome(): Promise<Body> {
    return seen(() => this.principal.get(`/v1/records/${this.homeId}`));
  }

  /** Null while the offer has not come. */
  async atMirror(): Promise<Body | null> {
    this.mirrorId ??= await this.mirrorOf();
    return this.mirrorId === null
      ? null
      : seen(() => this.performer.get(`/v1/records/${this.mirrorId}`));
  }

  /** Every message of both sides has its answer, however often the hubs had to try. */
  async comesToRest(withinMs = 180_000): Promise<void> {
    let last = '';
    await until(async () => {
      const mirror = await this.atMirror().catch(() => undefined);
      if (mirror === undefined) return false;
      const waiting = await this.home.lanes.waiting(this.homeId);
      const back = this.mirrorId === null ? 0 : await this.far.lanes.waiting(this.mirrorId);
      const step = mirror?.['federation'].pendingStep ?? null;
      last = `${waiting} from home, ${back} from the mirror, pending ${JSON.stringify(step)}`;
      return waiting === 0 && back === 0 && step === null;
    }, withinMs).catch(() => {
      throw new Error(`it does not come to rest: ${last}`);
    });
  }

  /** Both sides, for whoever reads a fault. */
  async told(): Promise<string> {
    const home = await this.home.lanes.told(this.homeId);
    const mirror = this.mirrorId === null ? 'none' : await this.far.lanes.told(this.mirrorId);
    return `home: ${home}\nmirror: ${mirror}`;
  }

  private async mirrorOf(): Promise<string | null> {
    for (let cursor = ''; ;) {
      const from = cursor;
      const { data, nextCursor } = await seen(() =>
        this.performer.get(`/v1/records?limit=200${from && `&cursor=${from}`}`),
      );
      const found = (data as Body[]).find((one) => one['federation']?.recordId === this.homeId);
      if (found) return String(found['id']);
      if (!nextCursor) return null;
      cursor = encodeURIComponent(String(nextCursor));
    }
  }
}
