import {
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../kernel/canonical-json.ts';
import { hashJson, hashText } from '../../kernel/digest.ts';
import { laterEvidenceHash } from '../../dispute/moves.ts';
import type { Action } from '../../record/actions.ts';

/** What an entry seals of the request behind it, as far as it is compared. Nobody has checked the form of either. */
interface Compared {
  readonly body: JsonObject;
  readonly entry: JsonObject;
  /** How long a record of the type lives where nobody says; null: for ever. Undefined where the file does not tell. */
  readonly defaultTtlSeconds?: number | null;
}

/** The names of what the entry seals otherwise than the request asked for it. */
export const departures = (action: Action, compared: Compared): readonly string[] =>
  Object.entries(SAID[action] ?? {})
    .filter(([, agrees]) => !agrees(compared))
    .map(([name]) => name);

type Agrees = (compared: Compared) => boolean;

const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  canonicalJson(a ?? null) === canonicalJson(b ?? null);

/** Ids in a body may be spelled in upper case. */
const sameId = (asked: JsonValue | undefined, sealed: JsonValue | undefined): boolean =>
  typeof asked === 'string' && asked.toLowerCase() === sealed;

const hashOf = (value: JsonValue | undefined): string | null =>
  value === undefined ? null : hashJson(value);

const text =
  (name: string, member = name): Agrees =>
  ({ body, entry }) =>
    same(body[name], entry[member]);

const hashed =
  (name: string, member: string): Agrees =>
  ({ body, entry }) =>
    hashOf(body[name]) === entry[member];

const message: Agrees = ({ body, entry }) =>
  typeof body['message'] === 'string'
    ? hashText(body['message']) === entry['messageHash']
    : entry['messageHash'] === undefined;

const agreedCriteria: Readonly<Record<string, Agrees>> = {
  criteriaHash: ({ body, entry }) =>
    body['criteriaHash'] === undefined || same(body['criteriaHash'], entry['criteriaHash']),
};

const reason = { reason: text('reason') };

/** By action, what its request says of the entry. An action that is not here says nothing but itself. */
const SAID: { readonly [A in Action]?: Readonly<Record<string, Agrees>> } = {
  create: {
    type: ({ body, entry }) => same(body['type'], memberOf(entry['schema'], 'type')),
    contractVersion: ({ body, entry }) =>
      body['contractVersion'] === undefined ||
      same(body['contractVersion'], memberOf(entry['schema'], 'version')),
    publisher: ({ body, entry }) =>
      body['publisher'] === undefined ||
      same(body['publisher'], memberOf(entry['schema'], 'publisher')),
    criteria: hashed('criteria', 'criteriaHash'),
    platform: ({ body, entry }) =>
      same(body['platform'] ?? 'api', memberOf(entry['terms'], 'platform')),
    platformRef: ({ body, entry }) =>
      same(body['platformRef'], memberOf(entry['terms'], 'platformRef')),
    principalAgentId: ({ body, entry }) =>
      body['principalAgentId'] === undefined
        ? entry['principalAgentId'] === memberOf(entry['actor'], 'agentId')
        : sameId(body['principalAgentId'], entry['principalAgentId']),
    performerAgentId: ({ body, entry }) =>
      body['performerAgentId'] === undefined
        ? entry['performerAgentId'] === null ||
          entry['performerAgentId'] === entry['principalAgentId']
        : sameId(body['performerAgentId'], entry['performerAgentId']),
    parentRecordId: ({ body, entry }) =>
      body['parentRecordId'] === undefined
        ? entry['parentRecordId'] === undefined
        : sameId(body['parentRecordId'], entry['parentRecordId']),
    autoActivate: ({ body, entry }) => {
      const to = memberOf(entry['transition'], 'to');
      return to === 'RECORDED' || (body['autoActivate'] === true) === (to === 'ACTIVE');
    },
    expiresAt: fitsExpiry,
    message,
    onBehalfOf: ({ body, entry }) => fitsSubject(body['onBehalfOf'], entry['onBehalfOf']),
  },
  delegate: {
    parentRecordId: ({ body, entry }) => sameId(body['parentRecordId'], entry['recordId']),
    autoActivate: ({ body, entry }) => {
      const [child] = Array.isArray(entry['children']) ? entry['children'] : [];
      const status = memberOf(child, 'status');
      return status === 'RECORDED' || (body['autoActivate'] === true) === (status === 'ACTIVE');
    },
  },
  propose: {
    performerAgentId: ({ body, entry }) =>
      sameId(body['performerAgentId'], entry['performerAgentId']),
  },
  accept: agreedCriteria,
  'accept-counter': agreedCriteria,
  reject: reason,
  'counter-propose': { criteria: hashed('criteria', 'criteriaHash'), message },
  'submit-completion': { evidence: hashed('evidence', 'evidenceHash') },
  'render-verdict': {
    verdict: text('verdict'),
    completionId: ({ body, entry }) => sameId(body['completionId'], entry['completionId']),
    ...reason,
    gateResults: ({ body, entry }) =>
      same(claimedResults(body['gateResults']), memberOf(entry['gate'], 'results')),
  },
  revision: reason,
  cancel: reason,
  'open-dispute': {
    content: ({ body, entry }) =>
      hashJson({
        grounds: body['grounds'] ?? 'OTHER',
        statement: body['statement'] ?? null,
        evidence: body['evidence'] ?? null,
      }) === memberOf(entry['dispute'], 'contentHash'),
  },
  'submit-dispute-evidence': {
    evidence: ({ body, entry }) =>
      isObject(body['evidence']) &&
      laterEvidenceHash(body['evidence']) === memberOf(entry['dispute'], 'contentHash'),
  },
  'escalate-dispute': reason,
  'resolve-dispute': {
    outcome: ({ body, entry }) => same(body['outcome'], memberOf(entry['dispute'], 'outcome')),
    resolution: text('resolution', 'reason'),
  },
  'add-reference': {
    reference: ({ body, entry }) =>
      ['kind', 'uri', 'digest', 'label'].every((name) =>
        same(body[name], memberOf(entry['reference'], name)),
      ),
  },
};

/** The results as they are sealed, where the request has any: a detail that is left out is none. */
const claimedResults = (results: JsonValue | undefined): JsonValue | undefined =>
  Array.isArray(results)
    ? results.map((result) => (isObject(result) ? { detail: null, ...result } : result))
    : results;

/** A child never outlives its parent, so it may expire earlier than was asked for. */
function fitsExpiry({ body, entry, defaultTtlSeconds }: Compared): boolean {
  const asked =
    askedExpiry(body, entry['at']) ??
    askedExpiry({ ttlSeconds: defaultTtlSeconds ?? null }, entry['at']);
  const sealed = entry['expiresAt'];
  const hasParent = entry['parentRecordId'] !== undefined;
  if (asked === undefined || memberOf(entry['transition'], 'to') === 'RECORDED')
    return sealed === null || hasParent || defaultTtlSeconds === undefined;
  if (typeof sealed !== 'string') return false;
  const difference = Date.parse(sealed) - asked;
  if (hasParent && difference < 0) return true;
  return body['expiresAt'] === undefined ? Math.abs(difference) <= TTL_SLACK_MS : difference === 0;
}

/** The time to live begins when the record is made, and what is sealed of that is when its chain was written. */
const TTL_SLACK_MS = 60_000;

const askedExpiry = (body: JsonObject, at: JsonValue | undefined): number | undefined => {
  if (typeof body['expiresAt'] === 'string') return Date.parse(body['expiresAt']);
  return typeof body['ttlSeconds'] === 'number' && typeof at === 'string'
    ? Date.parse(at) + body['ttlSeconds'] * 1000
    : undefined;
};

/** What a token proves is not in the body; what the caller only says is. */
const fitsSubject = (asked: JsonValue | undefined, sealed: JsonValue | undefined): boolean => {
  if (memberOf(sealed, 'validated') === true) return true;
  if (asked === undefined) return sealed === undefined;
  return (
    same(memberOf(asked, 'subject'), memberOf(sealed, 'subject')) &&
    same(memberOf(asked, 'act') ?? [], memberOf(sealed, 'act'))
  );
};
