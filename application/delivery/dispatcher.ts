import type { Listener, Waiting, WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { EventReads, EventRoute } from '../../domain/event/event-reads.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { EventNotice } from '../event/event-notice.port.ts';
import type { Log } from '../ports/log.port.ts';
import type { DeliverWebhook } from './deliver-webhook.ts';
import { LanePlaces } from './lane-places.ts';

/** How often it looks for events of other processes, and for what is due, ms. */
const EVERY_MS = 200;
/** How often it learns of subscriptions that other processes made, ms. */
const LISTENERS_MS = 1_000;
/** A subscription that somebody else holds is asked for again after so long, ms. */
const HELD_MS = 1_000;
/** Numbers in one look. */
const PAGE = 500;

/**
 * Learns which subscriptions have something to do, and lets them be worked on, many at once. Whom a number concerns it learns
 * from the one look that all share, so an event costs nothing to those whom it does not concern.
 */
export class Dispatcher {
  private listeners: readonly Listener[] = [];
  private readonly known = new Set<Uuid>();
  private listenersAt = -Infinity;
  private dueAt = -Infinity;
  private seen: number | null = null;
  /** Whether there are push configurations. */
  private arePushed = false;
  private hasCaughtUp = false;
  private readonly places = new LanePlaces();
  private readonly running = new Map<Uuid, Promise<void>>();
  private readonly wanted = new Map<Uuid, Waiting>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private deaf: (() => void) | null = null;
  private looking: Promise<void> | null = null;
  private again = false;
  private isFailing = false;

  constructor(
    private readonly webhooks: WebhookReads,
    private readonly events: Pick<EventReads, 'newest' | 'routes'>,
    private readonly notice: EventNotice,
    private readonly deliver: DeliverWebhook,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.look(), EVERY_MS).unref();
    this.deaf = this.notice.onNumbered(() => this.look());
  }

  /** Begins nothing more, and resolves when what is under way is done: a request that left gets its outcome. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.deaf?.();
    this.stopping.abort();
    this.places.endAll();
    await this.looking;
    await Promise.all(this.running.values());
  }

  private look(): void {
    this.again = true;
    this.looking ??= this.lookOn().finally(() => (this.looking = null));
  }

  /** Never rejects. */
  private async lookOn(): Promise<void> {
    while (this.again && !this.stopping.signal.aborted) {
      this.again = false;
      try {
        await this.learn();
        await this.route();
        await this.findDue();
        this.isFailing = false;
      } catch (error) {
        this.tell(error);
      }
      this.begin();
    }
  }

  private async learn(): Promise<void> {
    const now = performance.now();
    if (now - this.listenersAt < LISTENERS_MS) return;
    this.listeners = await this.webhooks.listeners();
    this.arePushed = await this.webhooks.hasPushConfigs();
    this.hasCaughtUp &&= this.arePushed;
    this.listenersAt = now;
    for (const one of this.listeners) if (!this.known.has(one.id)) this.want(one);
    this.known.clear();
    for (const { id } of this.listeners) this.known.add(id);
  }

  private async findDue(): Promise<void> {
    const now = performance.now();
    if (now - this.dueAt < EVERY_MS / 2) return;
    this.dueAt = now;
    const due = await this.webhooks.due(this.clock.now().toISOString(), PAGE);
    for (const one of due) this.want(one);
    // One that was just made, or resumed.
    if (due.some(({ id }) => !this.known.has(id))) this.listenersAt = -Infinity;
  }

  private async route(): Promise<void> {
    // Whoever comes later is looked at once in any case.
    if (this.listeners.length === 0 && !this.arePushed) {
      this.seen = null;
      return;
    }
    this.seen ??= await this.events.newest();
    // What happened while this process did not look: push configurations are too many to be looked at one by one.
    if (this.arePushed && !this.hasCaughtUp) {
      for (const one of await this.webhooks.pushBehind()) this.want(one);
      this.hasCaughtUp = true;
    }
    for (;;) {
      const routes = await this.events.routes(this.seen, PAGE);
      const concerned = concernedBy(routes);
      for (const one of this.listeners) if (concerned(one.viewer)) this.want(one);
      if (this.arePushed) await this.routePushes(routes);
      this.seen = routes.at(-1)?.sequence ?? this.seen;
      if (routes.length < PAGE) return;
    }
  }

  private async routePushes(routes: readonly EventRoute[]): Promise<void> {
    const records = new Set(routes.flatMap(({ recordId }) => recordId ?? []));
    for (const one of await this.webhooks.pushListeners([...records])) this.want(one);
  }

  private want(one: Waiting): void {
    this.wanted.set(one.id, one);
  }

  private begin(): void {
    const full = new Set<Uuid>();
    for (const one of this.wanted.values()) {
      if (this.stopping.signal.aborted) return;
      if (this.places.has(one.id) || full.has(one.orgId)) continue;
      if (this.places.isFull()) return this.places.makeRoom();
      if (this.places.isFullFor(one.orgId)) {
        full.add(one.orgId);
        this.places.makeRoom(one.orgId);
        continue;
      }
      this.wanted.delete(one.id);
      this.running.set(one.id, this.work(one));
    }
  }

  /** Never rejects. */
  private async work(one: Waiting): Promise<void> {
    const { id } = one;
    const place = this.places.take(one);
    try {
      if (!(await this.deliver.work(id, place))) this.later(one);
      // It may have more to do, behind those that wait.
      else if (place.aborted) this.want(one);
    } catch (error) {
      this.tell(error, id);
      this.later(one);
    } finally {
      this.places.leave(id);
      this.running.delete(id);
      this.begin();
    }
  }

  private later(one: Waiting): void {
    setTimeout(() => {
      this.want(one);
      this.begin();
    }, HELD_MS).unref();
  }

  /** It tries again by itself: an outage is told of once. */
  private tell(error: unknown, subscriptionId?: Uuid): void {
    if (!this.isFailing)
      this.log.error({ err: error, subscriptionId }, 'the delivery of webhooks failed; it goes on');
    this.isFailing = true;
  }
}

/** There may be thousands of both, so neither is looked through for each of the other. */
const concernedBy = (routes: readonly EventRoute[]): ((viewer: Listener['viewer']) => boolean) => {
  const orgs = new Set(routes.flatMap(({ orgIds }) => orgIds));
  const agents = new Set(routes.flatMap(({ agentIds }) => agentIds));
  return (viewer) => {
    if (viewer.kind === 'platform') return routes.length > 0;
    return viewer.kind === 'org' ? orgs.has(viewer.orgId) : agents.has(viewer.agentId);
  };
};
