import type { PeerClaim } from '../../domain/federation/peer.ts';
import {
  assertPeerBaseUrl,
  hubKeyOfJwk,
  hubKeyThumbprint,
} from '../../domain/federation/peer-claim.ts';
import { decodeBase64Strict } from '../../domain/kernel/base64.ts';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isUuid, type Uuid } from '../../domain/kernel/ids.ts';
import { PROTOCOL_VERSIONS } from './hub-identity.ts';

/** What a hub says of itself. */
export interface Handshake extends PeerClaim {
  readonly toHubId: Uuid;
  /** The best version that both hubs speak. */
  readonly protocolVersion: string;
  /** The signature of the key of this body, which follows the one that signs the request; null without a roll-over. */
  readonly succession: Uint8Array | null;
}

const MEMBERS = [
  'hubId',
  'toHubId',
  'baseUrl',
  'publicKeyJwk',
  'vaultRoot',
  'protocolVersions',
  'succession',
];

/**
 * The body of a handshake, checked member by member.
 *
 * @throws VALIDATION_ERROR for another shape; UNPROCESSABLE for a key or an origin that cannot be taken, or where the hubs
 *   share no version of the protocol.
 */
export const readHandshake = (body: JsonValue): Handshake => {
  if (!isObject(body)) throw invalid('', 'type', 'must be an object');
  const unknown = Object.keys(body).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw invalid(`/${unknown}`, 'additionalProperties', 'is unknown');
  const publicKeyJwk = body['publicKeyJwk'];
  if (!isObject(publicKeyJwk)) throw invalid('/publicKeyJwk', 'type', 'must be a JWK');
  const publicKey = hubKeyOfJwk(publicKeyJwk);
  return {
    hubId: uuid(body, 'hubId'),
    toHubId: uuid(body, 'toHubId'),
    baseUrl: assertPeerBaseUrl(text(body, 'baseUrl', /^.{1,256}$/s)),
    publicKey,
    publicKeyThumbprint: hubKeyThumbprint(publicKey),
    vaultRoot: text(body, 'vaultRoot', /^[0-9a-f]{64}$/),
    protocolVersion: sharedVersion(body['protocolVersions']),
    succession: body['succession'] === undefined ? null : signature(body['succession']),
  };
};

const text = (body: JsonObject, name: string, form: RegExp): string => {
  const value = body[name];
  if (typeof value !== 'string' || !form.test(value))
    throw invalid(`/${name}`, 'pattern', `must match ${form.source}`);
  return value;
};

const uuid = (body: JsonObject, name: string): Uuid => {
  const value = body[name];
  if (typeof value !== 'string' || !isUuid(value))
    throw invalid(`/${name}`, 'format', 'must be a UUID in lowercase');
  return value;
};

const signature = (value: JsonValue): Uint8Array => {
  const bytes = typeof value === 'string' ? decodeBase64Strict(value) : null;
  if (bytes?.length !== 64)
    throw invalid('/succession', 'contentEncoding', 'must be 64 bytes in base64');
  return bytes;
};

const sharedVersion = (value: JsonValue | undefined): string => {
  if (!Array.isArray(value)) throw invalid('/protocolVersions', 'type', 'must be an array');
  const shared = PROTOCOL_VERSIONS.find((version) => value.includes(version));
  if (shared === undefined)
    throw new NotaryError('UNPROCESSABLE', 'The hubs share no version of the protocol.', {
      errors: [{ path: '/protocolVersions', keyword: 'contains', message: 'none is known here' }],
      allowedValues: [...PROTOCOL_VERSIONS],
    });
  return shared;
};

const invalid = (path: string, keyword: string, message: string): NotaryError =>
  new NotaryError('VALIDATION_ERROR', `The handshake is not valid: ${path} ${message}.`, {
    errors: [{ path, keyword, message }],
  });
