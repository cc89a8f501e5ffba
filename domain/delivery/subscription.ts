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

/** Every event is compared with each of them. A gap is forgotten when its subscription has read past it. */
export const MAX_GAPS = 500;

/**
 * A moment in the life of a subscription. The number decides which events came before it. The time is only shown, because
 * a clock may be set back.
 */
export interface Mark {
  /** ISO 8601. */
  readonly at: string;
  /** The newest number of an event at that moment. */
  readonly number: number;
}

/** A range of events that are never delivered to the subscription. */
export interface Gap {
  /** ISO 8601. */
  readonly from: string;
  /** ISO 8601; null while it lasts. */
  readonly to: string | null;
  /** Events up to this number came before the gap. */
  readonly after: number;
  /** Events beyond this number came after the gap; null while it lasts. */
  readonly through: number | null;
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
  /** Events up to this number came before it. */
  readonly startsAfter: number;
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

/** @throws UNPROCESSABLE if there are so many gaps that the subscription must read past some of them first. */
export const assertRoomForGap = ({ gaps }: Pick<Subscription, 'gaps'>): void => {
  if (gaps.length < MAX_GAPS) return;
  throw new NotaryError(
    'UNPROCESSABLE',
    `It was paused, or made inactive, ${MAX_GAPS} times since its receiver last caught up.`,
    {
      suggestion:
        'Try again when its receiver has caught up, or leave it as it is. It may be deleted at any time.',
    },
  );
};

/** The gaps with one that begins. One that lasts already is not begun twice. */
export const gapBegun = (gaps: readonly Gap[], kind: Gap['kind'], mark: Mark): readonly Gap[] =>
  isIn(gaps, kind)
    ? gaps
    : [...gaps, { from: mark.at, to: null, after: mark.number, through: null, kind }];

export const gapEnded = (gaps: readonly Gap[], kind: Gap['kind'], mark: Mark): readonly Gap[] =>
  gaps.map((gap) =>
    gap.kind === kind && gap.to === null ? { ...gap, to: mark.at, through: mark.number } : gap,
  );

/** A subscription of an agent is inactive while that is deactivated. @param owner null where no agent owns it. */
export const asOwned = <T extends Pick<Subscription, 'gaps'>>(
  subscription: T,
  owner: Pick<Agent, 'absences' | 'deactivatedAt'> | null,
): T => {
  if (owner === null || (owner.deactivatedAt === null && owner.absences.length === 0))
    return subscription;
  const away: readonly Gap[] = owner.absences.map((absence) => ({
    ...absence,
    kind: 'inactive',
  }));
  const gaps = [...subscription.gaps, ...away];
  const from = owner.deactivatedAt;
  // An agent that was imported as deactivated has no absence that lasts.
  const isNoted = from === null || away.some(({ to }) => to === null);
  return {
    ...subscription,
    gaps: isNoted ? gaps : [...gaps, { from, to: null, after: 0, through: null, kind: 'inactive' }],
  };
};

/** Whether the event with this number waited when the subscription became inactive, however late a worker reads it. */
export const waitedAtEnd = ({ gaps }: Pick<Subscription, 'gaps'>, sequence: number): boolean =>
  gaps.some(({ kind, after }) => kind === 'inactive' && sequence <= after);

/** The gaps that events beyond this number may still fall into. */
export const gapsBeyond = (gaps: readonly Gap[], position: number): readonly Gap[] =>
  gaps.filter(({ through }) => through === null || through > position);

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
 * Whether an event is for a subscription: its owner may get it, the filters take it, and its number is one that was given
 * while the subscription existed, was active and was not paused. No time is compared, because a clock may be set back.
 */
export const isFor = (
  subscription: Pick<
    Subscription,
    'ownerType' | 'ownerId' | 'eventTypes' | 'recordTypes' | 'recordId' | 'gaps' | 'startsAfter'
  >,
  event: NumberedEvent,
): boolean =>
  mayGet(subscription, event) &&
  (subscription.recordId === null ||
    (event.recordId === subscription.recordId && taskStatusIn(event) !== null)) &&
  takes(subscription.eventTypes, event.type) &&
  // Fails closed: the type of a record that is not listed is never told.
  (event.recordType === null || takes(subscription.recordTypes, event.recordType)) &&
  event.sequence > subscription.startsAfter &&
  !subscription.gaps.some(
    ({ after, through }) =>
      after < event.sequence && (through === null || event.sequence <= through),
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
