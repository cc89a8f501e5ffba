import type { JsonObject } from '../kernel/canonical-json.ts';

export const REVOCABLE_KINDS = [
  'api_key',
  'agent',
  'certificate',
  'signing_key',
  'issuer',
  'peer',
  'witness',
] as const;
export type RevocableKind = (typeof REVOCABLE_KINDS)[number];

/** What an entry of the platform chain says of whether something may be used. */
export interface Revocation {
  readonly kind: RevocableKind;
  /** The id of the row; of a signing key `agentId/thumbprint`. */
  readonly id: string;
  readonly entryType: string;
  /** False if the entry makes it usable. */
  readonly isRevoked: boolean;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
}

type Ids = (predicate: JsonObject) => unknown;
/** `made`: it came into being. `valid` and `revoked`: whether it may be used was changed. */
type Act = readonly [kind: RevocableKind, says: 'made' | 'valid' | 'revoked', ids: Ids];

const member =
  (name: string): Ids =>
  (predicate) =>
    predicate[name];
const apiKey = member('apiKeyId');
const agent = member('agentId');
const issuer = member('issuerId');
const peer = member('peerHubId');
const witness = member('witnessKeyId');
const signingKey: Ids = ({ agentId, thumbprint }) => `${String(agentId)}/${String(thumbprint)}`;

const ACTS: Readonly<Record<string, readonly Act[]>> = {
  API_KEY_MINTED: [['api_key', 'made', apiKey]],
  API_KEY_ROTATED: [
    ['api_key', 'made', apiKey],
    ['api_key', 'revoked', member('previousApiKeyId')],
  ],
  API_KEY_REVOKED: [['api_key', 'revoked', apiKey]],
  API_KEY_REENABLED: [['api_key', 'valid', apiKey]],
  AGENT_CREATED: [['agent', 'made', agent]],
  AGENT_DEACTIVATED: [['agent', 'revoked', agent]],
  AGENT_REACTIVATED: [['agent', 'valid', agent]],
  CERT_ISSUED: [['certificate', 'made', member('certId')]],
  CERT_REVOKED: [['certificate', 'revoked', member('certIds')]],
  SIGNING_KEY_ADDED: [['signing_key', 'made', signingKey]],
  SIGNING_KEY_REVOKED: [['signing_key', 'revoked', signingKey]],
  ISSUER_CREATED: [['issuer', 'made', issuer]],
  ISSUER_DELETED: [['issuer', 'revoked', issuer]],
  PEER_REGISTERED: [['peer', 'valid', peer]],
  PEER_APPROVED: [['peer', 'valid', peer]],
  PEER_RESUMED: [['peer', 'valid', peer]],
  PEER_SUSPENDED: [['peer', 'revoked', peer]],
  PEER_REVOKED: [['peer', 'revoked', peer]],
  WITNESS_ADDED: [['witness', 'made', witness]],
  WITNESS_REMOVED: [['witness', 'revoked', witness]],
};

const ISSUER_DISABLED: readonly Act[] = [['issuer', 'revoked', issuer]];
const ISSUER_ENABLED: readonly Act[] = [['issuer', 'valid', issuer]];

const actsOf = (predicate: JsonObject): readonly Act[] =>
  predicate['entryType'] === 'ISSUER_UPDATED'
    ? predicate['enabled'] === false
      ? ISSUER_DISABLED
      : ISSUER_ENABLED
    : (ACTS[String(predicate['entryType'])] ?? []);

/** Each revocation, and each act that undoes one, in an entry of the platform chain. */
export const revocationsIn = (predicate: JsonObject): readonly Revocation[] =>
  actsOf(predicate).flatMap(([kind, says, ids]) =>
    says === 'made'
      ? []
      : idsIn(ids(predicate)).map((id) => ({
          kind,
          id,
          entryType: String(predicate['entryType']),
          isRevoked: says === 'revoked',
          at: String(predicate['at']),
        })),
  );

/** The names of everything that the entry makes, revokes or makes usable. */
export const revocablesIn = (predicate: JsonObject): readonly string[] =>
  actsOf(predicate).flatMap(([kind, , ids]) =>
    idsIn(ids(predicate)).map((id) => revocableName({ kind, id })),
  );

export const revocableName = ({ kind, id }: Pick<Revocation, 'kind' | 'id'>): string =>
  `${kind}/${id}`;

const idsIn = (ids: unknown): readonly string[] =>
  (Array.isArray(ids) ? ids : [ids]).filter((id): id is string => typeof id === 'string');
