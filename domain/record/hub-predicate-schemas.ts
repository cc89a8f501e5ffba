import type { JsonObject } from '../kernel/canonical-json.ts';
import {
  closed,
  COUNT,
  document,
  HASH,
  INSTANT,
  POSITION,
  TEXT,
  UUID,
} from '../vault/predicate-schema-parts.ts';
import { ACTIONS } from './actions.ts';
import { STATUSES } from './record-status.ts';

/**
 * @param base the members that every predicate on a chain begins with; a read of an org's data has them too, though it
 *   is a leaf of a tree and on no chain.
 */
export const tenantRead = (base: JsonObject): JsonObject =>
  document(
    'tenant-read',
    closed(
      {
        ...base,
        orgId: UUID,
        leafIndex: COUNT,
        previousHash: HASH,
        operation: TEXT,
        target: TEXT,
        inputDigest: HASH,
        protocol: { enum: ['rest', 'a2a', 'grpc', 'mcp', 'cli'] },
      },
      ['target'],
    ),
  );

/** @param base the members that every predicate on a chain begins with. */
export const counterAttestation = (base: JsonObject): JsonObject =>
  document('counter-attestation', {
    ...closed(
      {
        ...base,
        recordId: UUID,
        orgId: UUID,
        peerHubId: UUID,
        sequence: POSITION,
        statementHash: HASH,
        outcome: { enum: ['applied', 'refused'] },
        code: TEXT,
        otherHash: HASH,
      },
      // Who refuses an offer has no record, and no org that it belongs to.
      ['orgId', 'code', 'otherHash'],
    ),
    // Two statements make an equivocation.
    if: { properties: { entryType: { const: 'PEER_EQUIVOCATION' } } },
    then: { required: ['otherHash'] },
    else: { properties: { otherHash: false } },
  });

export const FEDERATION_PROJECTION = document(
  'federation-projection',
  closed({
    at: INSTANT,
    recordId: UUID,
    originHubId: UUID,
    toHubId: UUID,
    sequence: POSITION,
    action: { enum: ACTIONS },
    state: { enum: STATUSES },
    principal: { type: 'object' },
    performer: { type: ['object', 'null'] },
    position: POSITION,
    headHash: HASH,
    ack: COUNT,
  }),
);
