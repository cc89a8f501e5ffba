import { until, type HubPair } from './hub-pair.ts';
import { GOAL, ok, type Answer, type Body, type Client } from '../service/world.ts';

/** One record that two hubs share, and what its two sides do. */
export class FederatedStory {
  homeId = '';
  mirrorId = '';

  constructor(private readonly pair: HubPair) {}

  private get principal(): Client {
    return this.pair.home.world.principal.client;
  }
  private get performer(): Client {
    return this.pair.far.world.performer.client;
  }

  propose(extra: Body = {}): Promise<Body> {
    return ok(this.proposeUnder(undefined, extra));
  }

  /** @param key under which it is asked for again where a call broke off. */
  async proposeUnder(key?: string, extra: Body = {}): Promise<Answer<Body>> {
    const { far } = this.pair;
    const federation = { peerHubId: far.hubId, performerAgentId: far.world.performer.id };
    const asked = { type: 'job', criteria: GOAL, federation, ...extra };
    const answer = await this.principal.post('/v1/records', asked, keyed(key));
    this.homeId = String(answer.body['id']);
    return answer;
  }

  /** The performer finds the record of home by itself. */
  async arrives(): Promise<Body> {
    let found: Body | undefined;
    await until(async () => {
      const { data } = await ok(this.performer.get('/v1/records?limit=200'));
      found = (data as Body[]).find(({ federation }) => federation?.recordId === this.homeId);
      return found !== undefined;
    });
    this.mirrorId = String(found!['id']);
    return found!;
  }

  /** What the principal does at home. */
  atHome(step: string, body: Body = {}, key?: string): Promise<Answer<Body>> {
    return this.principal.post(`/v1/records/${this.homeId}/${step}`, body, keyed(key));
  }

  /** What the performer does on the mirror. */
  onMirror(step: string, body: Body = {}, key?: string): Promise<Answer<Body>> {
    return this.performer.post(`/v1/records/${this.mirrorId}/${step}`, body, keyed(key));
  }

  home(): Promise<Body> {
    return ok(this.principal.get(`/v1/records/${this.homeId}`));
  }

  mirror(): Promise<Body> {
    return ok(this.performer.get(`/v1/records/${this.mirrorId}`));
  }

  /** Both sides show the same state, and no step waits. */
  async agree(
    status: string,
    more: (record: Body) => boolean = () => true,
    withinMs = 60_000,
  ): Promise<void> {
    let shown: readonly Body[] = [];
    const met = async (): Promise<boolean> => {
      shown = [await this.home(), await this.mirror()];
      return shown.every(
        (record) =>
          record['status'] === status && record['federation'].pendingStep === null && more(record),
      );
    };
    await until(met, withinMs).catch(() => {
      throw new Error(
        `no agreement on ${status}: ${JSON.stringify(shown.map(({ status: now, federation, awaiting }) => ({ now, federation, awaiting })))}`,
      );
    });
  }

  /** Everything that either side wants the other to know was answered. */
  async isQuiet(): Promise<boolean> {
    const { home, far } = this.pair;
    const letters = await Promise.all(
      [home, far].map(({ world }) => ok(world.platform.get('/federation/v1/admin/dlq'))),
    );
    return letters.every(({ total }) => total === 0);
  }
}

const keyed = (key?: string): Readonly<Record<string, string>> =>
  key === undefined ? {} : { 'idempotency-key': key };

/** The transitions that a chain tells, without what one side alone seals. */
export const transitionsOf = (entries: readonly Body[]): readonly string[] =>
  entries.flatMap(({ entryType, statement }) => {
    const { transition } = statement.predicate as Body;
    const isBeside = /^(STEP_|PEER_|RECORD_DETACHED|SIGNAL_)/.test(String(entryType));
    return isBeside || !transition
      ? []
      : [`${transition.action}: ${transition.from}→${transition.to}`];
  });
