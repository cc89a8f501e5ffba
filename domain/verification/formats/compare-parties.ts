import type { AuditExportParty } from '../read/audit-export.ts';
import type { ReadAuditExport } from '../read/read-audit-export.ts';
import type { Findings } from '../report/report.ts';
import type { ChainOutcome } from '../chain/verify-chain.ts';

/** Agents and orgs, as far as a chain seals them. */
interface SealedParties {
  readonly principalAgentId: unknown;
  readonly orgId: unknown;
  readonly performerAgentId?: unknown;
  readonly performerOrgId?: unknown;
}

/**
 * Holds the parties that a file names against those that its chain seals: the same agents of the same orgs, in the same
 * order, none missing. What they are called is sealed nowhere, so nothing is said of it.
 */
export const compareParties = (
  { parties, chainKey }: ReadAuditExport,
  { facts, newest, federated }: ChainOutcome,
  findings: Findings,
): void => {
  if (!parties || !facts) return;
  findings.looked('payloadBinding');
  const sealed = partiesOf(
    // A chain names no org of a party on another hub but that of the performer, once it is known.
    federated?.claim.role === 'mirror'
      ? { ...facts, orgId: null, performerOrgId: facts.orgId }
      : facts,
  );
  const own = federated?.claim.role === 'mirror' ? 1 : 0;
  const isLocal = (index: number): boolean => !federated || index === own;
  if (parties.some((party, index) => isLocal(index) && !isNamed(party)))
    findings.fail(
      'document',
      'document',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey, position: null },
      'a party of this hub has no name, which only a party on another hub is without',
    );
  if (sealed.length === parties.length && sealed.every((id, index) => id === idOf(parties[index]!)))
    return;
  findings.fail(
    'payloadBinding',
    'chain',
    'CHAIN_PAYLOAD_BINDING_MISMATCH',
    { chainKey, position: newest?.position ?? null },
    'parties are not the agents and orgs that the chain seals',
  );
};

const isNamed = ({ orgId, name, orgName }: AuditExportParty): boolean =>
  orgId !== null && name !== null && orgName !== null;

const partiesOf = ({
  principalAgentId,
  orgId,
  performerAgentId,
  performerOrgId,
}: SealedParties): string[] => {
  const principal = idOf({ agentId: principalAgentId, orgId });
  const performer =
    typeof performerAgentId === 'string'
      ? idOf({ agentId: performerAgentId, orgId: performerOrgId })
      : principal;
  return performer === principal ? [principal] : [principal, performer];
};

const idOf = ({
  agentId,
  orgId,
}: Pick<AuditExportParty, 'agentId' | 'orgId'> | { agentId: unknown; orgId: unknown }): string =>
  JSON.stringify([agentId, orgId]);
