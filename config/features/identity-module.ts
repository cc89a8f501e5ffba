import { ContainerModule } from 'inversify';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { AddAgentReference } from '../../application/identity/add-agent-reference.ts';
import { AddSigningKey } from '../../application/identity/add-signing-key.ts';
import { AgentProfiles } from '../../application/identity/agent-profiles.ts';
import { CreateAgent } from '../../application/identity/create-agent.ts';
import { CreateOrg } from '../../application/identity/create-org.ts';
import { DeactivateAgent } from '../../application/identity/deactivate-agent.ts';
import { DeclareCapabilities } from '../../application/identity/declare-capabilities.ts';
import { GetAgent } from '../../application/identity/get-agent.ts';
import { IssueKey } from '../../application/identity/issue-key.ts';
import { ListAgents } from '../../application/identity/list-agents.ts';
import { ListOrgs } from '../../application/identity/list-orgs.ts';
import { ReactivateAgent } from '../../application/identity/reactivate-agent.ts';
import { RevokeKeys } from '../../application/identity/revoke-keys.ts';
import { RevokeSigningKey } from '../../application/identity/revoke-signing-key.ts';
import { SetEncryptionKey } from '../../application/identity/set-encryption-key.ts';
import { UpdateOrg } from '../../application/identity/update-org.ts';
import { ExemptOwner } from '../../application/limits/exempt-owner.ts';
import { GetExemption } from '../../application/limits/get-exemption.ts';
import { RestoreLimits } from '../../application/limits/restore-limits.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Orgs and agents, what agents publish, and which of them no rate limit counts. */
export const identityModule = new ContainerModule((options) => {
  provide(options, CreateOrg, [
    IdempotentTransaction,
    SealPlatform,
    IssueKey,
    t.clock,
    t.ids,
    t.keyLifetimes,
    PlatformLedger,
  ]);
  provide(options, ListOrgs, [t.orgReads]);
  provide(options, UpdateOrg, [IdempotentTransaction, SealPlatform, t.changeNotice]);
  provide(options, GetExemption, [t.rateLimitExemptionReads]);
  provide(options, ExemptOwner, [
    IdempotentTransaction,
    SealPlatform,
    PlatformLedger,
    t.changeNotice,
    t.clock,
  ]);
  provide(options, RestoreLimits, [
    IdempotentTransaction,
    SealPlatform,
    PlatformLedger,
    t.changeNotice,
  ]);
  provide(options, AgentProfiles, [t.agentKeyReads, t.agentReferenceReads]);
  provide(options, CreateAgent, [IdempotentTransaction, SealPlatform, t.clock, t.ids]);
  provide(options, ListAgents, [t.agentReads, AgentProfiles]);
  provide(options, GetAgent, [t.agentReads, AgentProfiles, t.performanceReads]);
  provide(options, DeclareCapabilities, [IdempotentTransaction, SealPlatform, t.changeNotice]);
  provide(options, DeactivateAgent, [
    IdempotentTransaction,
    SealPlatform,
    RevokeKeys,
    t.changeNotice,
    t.eventReads,
    t.clock,
  ]);
  provide(options, ReactivateAgent, [
    IdempotentTransaction,
    SealPlatform,
    RevokeKeys,
    t.changeNotice,
    t.eventReads,
    t.clock,
  ]);
  provide(options, SetEncryptionKey, [IdempotentTransaction, SealPlatform]);
  provide(options, AddSigningKey, [IdempotentTransaction, SealPlatform, Vault]);
  provide(options, RevokeSigningKey, [IdempotentTransaction, SealPlatform]);
  provide(options, AddAgentReference, [IdempotentTransaction, SealPlatform, t.ids]);
});
