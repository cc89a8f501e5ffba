import type { JsonObject } from '../kernel/canonical-json.ts';
import {
  closed,
  COUNT,
  document,
  HASH,
  INSTANT,
  TEXT,
  UUID,
} from '../vault/predicate-schema-parts.ts';
import { STATUSES } from './record-status.ts';

/** @param actor the schema of the actor. */
export const tenantRead = (actor: JsonObject): JsonObject =>
  document(
    'tenant-read',
    closed({
      at: INSTANT,
      requestId: TEXT,
      actor,
      orgId: UUID,
      leafIndex: COUNT,
      previousHash: HASH,
      method: TEXT,
      path: TEXT,
      queryDigest: HASH,
    }),
  );

/** @param base the members that every predicate on a chain begins with. */
export const counterAttestation = (base: JsonObject): JsonObject =>
  document(
    'counter-attestation',
    closed({
      ...base,
      recordId: UUID,
      orgId: UUID,
      peerHubId: UUID,
      statementHash: HASH,
      verified: { type: 'boolean' },
    }),
  );

export const FEDERATION_PROJECTION = document(
  'federation-projection',
  closed({
    at: INSTANT,
    recordId: UUID,
    originHubId: UUID,
    toHubId: UUID,
    sequence: COUNT,
    state: { enum: STATUSES },
    principal: { type: 'object' },
    performer: { type: ['object', 'null'] },
    headHash: HASH,
  }),
);
