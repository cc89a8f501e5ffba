import type { NumberedEvent } from '../event/event.ts';
import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import { asciiOf, entityOf } from './ocsf-entity.ts';
import { OCSF_CATEGORY, OCSF_TABLE } from './ocsf-table.ts';

/** The service, as its lines name it. */
export interface SiemSource {
  readonly name: string;
  readonly hubId: string;
}

/**
 * An event as OCSF 1.4.0, of the class that its type has in the table. A function of the event and the hub alone: pulled or
 * pushed, today or in a year, it is the same. What is not known is left out, for OCSF knows no null.
 */
export const ocsfEvent = (event: NumberedEvent, source: SiemSource): JsonObject => {
  const { type, data } = event;
  const row = OCSF_TABLE[type];
  const activity = row.or?.holds(data) ? row.or.activity : row.activity;
  const requestId = textOf(data['requestId']);
  const subject = SUBJECTS[row.class](event, source);
  return {
    metadata: {
      version: '1.4.0',
      product: { name: source.name },
      uid: event.id,
      event_code: type,
      profiles: ['datetime'],
      ...(event.orgId === null ? {} : { tenant_uid: event.orgId }),
      ...(requestId === undefined ? {} : { correlation_uid: requestId }),
    },
    time: Date.parse(event.createdAt),
    time_dt: event.createdAt,
    severity_id: row.severity,
    category_uid: OCSF_CATEGORY,
    class_uid: row.class,
    type_uid: row.class * 100 + activity,
    activity_id: activity,
    ...(activity === 99 ? { activity_name: type.slice(type.indexOf('.') + 1) } : {}),
    status_id: row.status,
    message: messageOf(event),
    actor: actorOf(data, source),
    ...subject,
    unmapped: data,
  };
};

/** What each class needs beside the base. */
const SUBJECTS: {
  readonly [uid in 3001 | 3002 | 3004]: (event: NumberedEvent, source: SiemSource) => JsonObject;
} = {
  3001: ({ agentId }) => ({ user: userOf(agentId) }),
  3002: ({ type, agentId, data }, { name, hubId }) => ({
    user: userOf(agentId),
    service: { name, uid: hubId },
    ...(type === 'auth.refused' ? statusCodeOf(data) : {}),
    ...(Number.isSafeInteger(data['count']) ? { count: data['count']! } : {}),
    ...endpointOf(data),
  }),
  3004: (event, { hubId }) => ({ entity: { ...entityOf(event, hubId) } }),
};

const userOf = (agentId: string | null): JsonObject =>
  agentId === null ? { name: 'unknown' } : { uid: agentId };

const statusCodeOf = ({ reason }: JsonObject): JsonObject => {
  const code = textOf(reason);
  return code === undefined ? {} : { status_code: asciiOf(code, MAX_CODE) };
};

/** Reasons are machine codes. */
const MAX_CODE = 64;

/** Refusals are counted by block: of a block its first address is shown. */
const endpointOf = (data: JsonObject): JsonObject => {
  const text = textOf(data['address']) ?? textOf(data['ip']) ?? textOf(data['addressBlock']);
  const ip = text?.replace(/\/\d+$/, '');
  return ip !== undefined && IP.test(ip) ? { src_endpoint: { ip } } : {};
};

const IP = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=.{2,39}$)[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})$/i;

const actorOf = ({ actor }: JsonObject, { name, hubId }: SiemSource): JsonObject => {
  const { kind, agentId } = isObject(actor) ? actor : {};
  const uid = textOf(agentId);
  if (uid === undefined) return { app_name: name, app_uid: hubId };
  // A caption of OCSF has a type_id of its own; every other text goes with 99.
  const type: JsonObject =
    kind === 'admin' ? { type_id: 2, type: 'Admin' } : { type_id: 99, ...typeOf(kind) };
  return { user: { uid, ...type } };
};

const typeOf = (kind: JsonValue | undefined): JsonObject => {
  const type = textOf(kind);
  return type === undefined ? {} : { type };
};

const messageOf = ({ type, recordId, agentId, data }: NumberedEvent): string => {
  const about = recordId === null ? '' : ` of record ${recordId}`;
  const by = agentId === null ? '' : `, agent ${agentId}`;
  const reason = textOf(data['reason']);
  return `${type}${about}${by}${reason === undefined ? '' : `: ${reason}`}`;
};

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
