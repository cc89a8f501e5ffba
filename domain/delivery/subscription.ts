import type { Agent } from '../identity/agent.ts';
import type { NumberedEvent } from '../event/event.ts';
import type { EventViewer } from '../event/event-reads.port.ts';
import { NotaryError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { DeliveryFormat } from './delivery-body.ts';
import type { DeliveryScheme } from './delivery-signature.ts';
import { taskStatusIn } from './task-status.ts';

export const MAX_SUBSCRIPTIONS = 100;
export const MAX_EVENT_TYPES = 64;
export const MAX_URL = 2048;
/** Of the previous secret, seconds. */
export const SECRET_GRACE_SECONDS = 86_400;
export const ANY = '*';
/** Push configurations of one owner at one record. */
export const MAX_PUSH_CONFIGS = 10;

/** What makes a subscription a push configuration of A2A: it tells the changes of one task, in the form of one version. */
export interface PushConfig {
  /** Of the owner at this record. The caller may choose it. */
  readonly configId: string;
  /** Of the task: the root of the record, which never changes. */
  readonly contextId: Uuid;
  readonly version: '1.0' | '0.3';
  /** Of the Authorization header (RFC 9110 section 11.4); null without one. The credentials are kept as the secret. */
  readonly authScheme: string | null;
}

/** Every event is held against each of them. Old ones are forgotten, so only who pauses again and again has so many. */
export const MAX_GAPS = 500;

/** A time in which nothing is for the subscription: what happens then is never delivered. */
export interface Gap {
  /** ISO 8601. What happened up to then, that instant included, was before the gap. */
  readonly from: string;
  /** ISO 8601; null while it lasts. What happens from then on is after the gap. */
  readonly to: string | null;
  readonly kind: 'paused' | 'inactive';
}

/** What is told to whom. Everything here stands under the MAC of its row, and each change of it on the platform chain. */
export interface Subscription {
  readonly id: Uuid;
  /** The org that it belongs to; that of the operators gets everything. */
  readonly orgId: Uuid;
  /** Whose events it gets. */
  readonly ownerType: 'agent' | 'org' | 'platform';
  /** An agent, or an org. */
  readonly ownerId: Uuid;
  /** The operator whose keys reach it, where one made it; null otherwise. */
  readonly platformAgentId: Uuid | null;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly recordTypes: readonly string[];
  readonly format: DeliveryFormat;
  readonly scheme: DeliveryScheme;
  /** Encrypted; null of the asymmetric schemes. */
  readonly secret: Uint8Array | null;
  readonly previousSecret: Uint8Array | null;
  /** ISO 8601: until then both secrets sign. */
  readonly previousSecretUntil: string | null;
  readonly managedBy: 'provisioning' | null;
  /** The one record that it is about; null of a webhook. */
  readonly recordId: Uuid | null;
  /** Null of a webhook. */
  readonly push: PushConfig | null;
  readonly gaps: readonly Gap[];
  /** ISO 8601; a deleted one is never revived. */
  readonly deletedAt: string | null;
  readonly createdAt: string;
  readonly version: number;
}

export const isActive = ({ gaps }: Pick<Subscription, 'gaps'>): boolean => !isIn(gaps, 'inactive');
export const isPaused = ({ gaps }: Pick<Subscription, 'gaps'>): boolean => isIn(gaps, 'paused');

const isIn = (gaps: readonly Gap[], kind: Gap['kind']): boolean =>
  gaps.some((gap) => gap.kind === kind && gap.to === null);

/** @throws UNPROCESSABLE where there were so many that old ones must be forgotten before there is another one. */
export const assertRoomForGap = ({ gaps }: Pick<Subscription, 'gaps'>): void => {
  if (gaps.length < MAX_GAPS) return;
  throw new NotaryError(
    'UNPROCESSABLE',
    `It was paused, or made inactive, ${MAX_GAPS} times within an hour or since its receiver lags.`,
    { suggestion: 'Try again in an hour, or leave it as it is. It may be deleted at any time.' },
  );
};

/** The gaps with one that begins. One that lasts already is not begun twice. */
export const gapBegun = (gaps: readonly Gap[], kind: Gap['kind'], from: string): readonly Gap[] =>
  isIn(gaps, kind) ? gaps : [...gaps, { from, to: null, kind }];

export const gapEnded = (gaps: readonly Gap[], kind: Gap['kind'], to: string): readonly Gap[] =>
  gaps.map((gap) => (gap.kind === kind && gap.to === null ? { ...gap, to } : gap));

/** A subscription of an agent is inactive while that is deactivated. @param owner null where no agent owns it. */
export const asOwned = <T extends Pick<Subscription, 'gaps'>>(
  subscription: T,
  owner: Pick<Agent, 'absences' | 'deactivatedAt'> | null,
): T => {
  if (owner === null || (owner.deactivatedAt === null && owner.absences.length === 0))
    return subscription;
  const away: readonly Gap[] = owner.absences.map((absence) => ({ ...absence, kind: 'inactive' }));
  const gaps = [...subscription.gaps, ...away];
  const from = owner.deactivatedAt;
  return {
    ...subscription,
    gaps: from === null ? gaps : [...gaps, { from, to: null, kind: 'inactive' }],
  };
};

/** Whether an event waited when the subscription became inactive, however late somebody looks. @param createdAt ISO 8601. */
export const waitedAtEnd = ({ gaps }: Pick<Subscription, 'gaps'>, createdAt: string): boolean =>
  gaps.some(({ kind, from }) => kind === 'inactive' && createdAt <= from);

/** The gaps that events after this time may still fall into, ISO 8601. */
export const gapsSince = (gaps: readonly Gap[], at: string): readonly Gap[] =>
  gaps.filter(({ to }) => to === null || to > at);

/** Whose events it walks along. */
export const viewerOf = ({
  ownerType,
  ownerId,
}: Pick<Subscription, 'ownerType' | 'ownerId'>): EventViewer => {
  if (ownerType === 'platform') return { kind: 'platform' };
  return ownerType === 'org'
    ? { kind: 'org', orgId: ownerId }
    : { kind: 'agent', agentId: ownerId };
};

/** Whether its owner may get the event at all, as was fixed when the event was sealed. */
export const mayGet = (
  subscription: Pick<Subscription, 'ownerType' | 'ownerId'>,
  event: Pick<
    NumberedEvent,
    'orgId' | 'counterpartyOrgId' | 'partyAgentId' | 'counterpartyAgentId'
  >,
): boolean => {
  const { ownerType, ownerId } = subscription;
  if (ownerType === 'platform') return true;
  return ownerType === 'org'
    ? event.orgId === ownerId || event.counterpartyOrgId === ownerId
    : event.partyAgentId === ownerId || event.counterpartyAgentId === ownerId;
};

/**
 * Whether an event is for a subscription: its owner may get it, the filters take it, and it happened where the
 * subscription existed, was active and was not paused. When a worker looks does not matter.
 */
export const isFor = (
  subscription: Pick<
    Subscription,
    'ownerType' | 'ownerId' | 'eventTypes' | 'recordTypes' | 'recordId' | 'gaps' | 'createdAt'
  >,
  event: NumberedEvent,
): boolean =>
  mayGet(subscription, event) &&
  (subscription.recordId === null ||
    (event.recordId === subscription.recordId && taskStatusIn(event) !== null)) &&
  takes(subscription.eventTypes, event.type) &&
  // Fails closed: the type of a record that is not listed is never told.
  (event.recordType === null || takes(subscription.recordTypes, event.recordType)) &&
  event.createdAt >= subscription.createdAt &&
  !subscription.gaps.some(
    ({ from, to }) => from < event.createdAt && (to === null || event.createdAt < to),
  );

const takes = (filter: readonly string[], name: string): boolean =>
  filter.includes(ANY) || filter.includes(name);

/** By exact name: a subscription to everything is none to settlement. */
export const SETTLEMENT_EVENTS: readonly string[] = [
  'signal.emitted',
  'signal.received',
  'federation.settlement.signal',
];

export const listsSettlement = (eventTypes: readonly string[]): boolean =>
  eventTypes.some((type) => SETTLEMENT_EVENTS.includes(type));
