import { isMirror } from '../record/federated-record.ts';
import type { Caller } from '../identity/caller.ts';
import type { Dispute, DisputeHead, DisputeOutcome } from './dispute.ts';
import type { Side } from '../record/record-state.ts';
import { otherSide, sidesOf, type Parties, type Speaker } from '../record/sides.ts';

/** As far as it tells one from another. */
type Identified = Pick<Caller, 'agentId' | 'apiKeyId' | 'oidc' | 'peerHubId'> & {
  readonly cert: Pick<NonNullable<Caller['cert']>, 'id'> | null;
};

/** How a caller would end a dispute. Conceding takes disputes:write, deciding takes disputes:manage. */
export type Resolving = 'conceding' | 'deciding';

/**
 * Whether this caller opened the dispute: with the same credential, with any key of its agent, or as the same subject
 * of an identity provider.
 */
export const isOpener = (
  { apiKeyId, agentId, cert, oidc, peerHubId }: Identified,
  { initiatedBy: by }: Pick<DisputeHead, 'initiatedBy'>,
): boolean =>
  (peerHubId !== undefined && peerHubId === by.peerHubId) ||
  (apiKeyId !== null && apiKeyId === by.apiKeyId) ||
  (agentId !== null && agentId === by.agentId) ||
  (cert !== null && cert.id === by.certId) ||
  (oidc !== null && oidc.iss === by.oidc?.iss && oidc.sub === by.oidc.sub);

export const initiatorRoleOf = ({ role }: Caller, side: Side): Dispute['initiatorRole'] =>
  role === 'agent' ? side : role;

/** The side for which a caller submits evidence. A caller that speaks for both sides speaks for the disputing one. */
export const evidenceSide = (sides: ReadonlySet<Side>, disputing: Side): Side =>
  sides.has(disputing) ? disputing : otherSide(disputing);

/** The initiator, an admin of the org that its side belongs to, or platform. */
export const mayWithdraw = (
  caller: Speaker & Identified,
  record: Parties,
  dispute: Pick<DisputeHead, 'initiatedBy' | 'side'>,
): boolean => {
  const sides = sidesOf(caller, record);
  // What home tells of a dispute does not say whose key opened it.
  if (isMirror(record)) return sides.has(dispute.side);
  return (
    isOpener(caller, dispute) ||
    caller.role === 'platform' ||
    (caller.role === 'admin' && sides.has(dispute.side))
  );
};

/**
 * The other side may concede in any phase; the second tier is an admin's of the principal's org, every tier the
 * platform's. Nobody decides on what they opened themselves. Null: this caller may not.
 */
export const resolvingAs = (
  caller: Speaker & Identified,
  record: Parties,
  dispute: Pick<DisputeHead, 'initiatedBy' | 'side' | 'phase'>,
  outcome: DisputeOutcome,
): Resolving | null => {
  const sides = sidesOf(caller, record);
  if (isMirror(record))
    return outcome === 'OVERTURNED' && sides.has(otherSide(dispute.side)) ? 'conceding' : null;
  if (isOpener(caller, dispute)) return null;
  if (caller.role === 'platform') return 'deciding';
  if (outcome === 'OVERTURNED' && sides.has(otherSide(dispute.side))) return 'conceding';
  return dispute.phase === 'TIER_2_REVIEW' && caller.role === 'admin' && sides.has('principal')
    ? 'deciding'
    : null;
};

/** Who may decide for this outcome now, by name, for `allowedActors`. */
export const resolvers = (
  { phase, side }: DisputeHead,
  outcome: DisputeOutcome,
): readonly string[] => [
  ...(outcome === 'OVERTURNED' ? [otherSide(side)] : []),
  ...(phase === 'TIER_2_REVIEW' ? ['admin'] : []),
  'platform',
];
