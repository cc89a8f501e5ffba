import { envelopeOf, type DeliveredEvent } from '../../domain/delivery/delivery-body.ts';
import type { PushConfig, Subscription } from '../../domain/delivery/subscription.ts';
import { taskStatusIn } from '../../domain/delivery/task-status.ts';
import {
  canonicalJsonBytes,
  type JsonObject,
  type JsonValue,
} from '../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordStatus } from '../../domain/record/record-status.ts';

/** One change of a task, as its event told it. */
export interface TaskUpdate {
  readonly version: PushConfig['version'];
  readonly taskId: Uuid;
  readonly contextId: Uuid;
  readonly status: RecordStatus;
  readonly awaiting: JsonValue;
  readonly principalAgentId: JsonValue;
  readonly performerAgentId: JsonValue;
  /** ISO 8601: when it happened. */
  readonly at: string;
  /** Who reads it; null for an org. */
  readonly readerAgentId: Uuid | null;
  readonly metadata: JsonObject;
}

/** Gives an update the form of the protocol. Pure: the same update has the same form in every process. */
export type TaskUpdateForm = (update: TaskUpdate) => JsonObject;

export type PushedEvent = DeliveredEvent;

/**
 * The bytes of a push notification: a function of the event, its place in the configuration, and the configuration. The
 * record is not read again, so that two attempts send the same, whatever happened to it between them; who wants all of
 * the task asks for it.
 *
 * @throws TypeError where the event tells no status: such a one is never queued.
 */
export const pushBody = (
  subscription: Pick<Subscription, 'id' | 'orgId' | 'ownerType' | 'ownerId' | 'url'> & {
    readonly recordId: Uuid;
    readonly push: PushConfig;
  },
  event: DeliveredEvent,
  eventSequence: number,
  form: TaskUpdateForm,
): Uint8Array => {
  const { id, orgId, url, ownerType, ownerId, recordId, push } = subscription;
  const status = taskStatusIn(event);
  if (status === null) throw new TypeError(`an event of the type ${event.type} tells no status`);
  const { data } = event;
  return canonicalJsonBytes(
    form({
      version: push.version,
      taskId: recordId,
      contextId: push.contextId,
      status,
      awaiting: data['awaiting'] ?? null,
      principalAgentId: data['principalAgentId'] ?? null,
      performerAgentId: data['performerAgentId'] ?? null,
      at: event.createdAt,
      readerAgentId: ownerType === 'agent' ? ownerId : null,
      metadata: {
        recordStatus: status,
        event: envelopeOf(event, { subscriptionId: id, orgId, url, eventSequence }),
      },
    }),
  );
};

export const PUSH_CONTENT_TYPES = {
  '1.0': 'application/a2a+json',
  '0.3': 'application/json',
} as const satisfies Record<PushConfig['version'], string>;

/** What a configuration tells its receiver about the sender. It is kept encrypted. */
export interface PushSecrets {
  readonly token?: string;
  readonly credentials?: string;
}

/** Of A2A 1.0 section 4.3.3, by the name that its libraries give it. */
const TOKEN_HEADER = 'X-A2A-Notification-Token';

export const pushHeaders = (
  { version, authScheme }: PushConfig,
  { token, credentials }: PushSecrets,
): Readonly<Record<string, string>> => ({
  'Content-Type': PUSH_CONTENT_TYPES[version],
  ...(token === undefined ? {} : { [TOKEN_HEADER]: token }),
  ...(authScheme === null || credentials === undefined
    ? {}
    : { Authorization: `${authScheme} ${credentials}` }),
});
