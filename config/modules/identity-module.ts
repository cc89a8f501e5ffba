import { ContainerModule } from 'inversify';
import { AddAgentReference } from '../../application/identity/add-agent-reference.ts';
import { AddSigningKey } from '../../application/identity/add-signing-key.ts';
import { AgentProfiles } from '../../application/identity/agent-profiles.ts';
import { Authenticate } from '../../application/identity/authenticate.ts';
import { BulkRevokeKeys } from '../../application/identity/bulk-revoke-keys.ts';
import { CreateAgent } from '../../application/identity/create-agent.ts';
import { CreateOrg } from '../../application/identity/create-org.ts';
import { DeactivateAgent } from '../../application/identity/deactivate-agent.ts';
import { DeclareCapabilities } from '../../application/identity/declare-capabilities.ts';
import { GetAgent } from '../../application/identity/get-agent.ts';
import { IssueKey } from '../../application/identity/issue-key.ts';
import { ListAgents } from '../../application/identity/list-agents.ts';
import { ListKeys } from '../../application/identity/list-keys.ts';
import { ListOrgs } from '../../application/identity/list-orgs.ts';
import { MintKey } from '../../application/identity/mint-key.ts';
import { ReactivateAgent } from '../../application/identity/reactivate-agent.ts';
import { RevokeKeys } from '../../application/identity/revoke-keys.ts';
import { RevokeSigningKey } from '../../application/identity/revoke-signing-key.ts';
import { MoveToNewestPepper } from '../../application/identity/move-to-newest-pepper.ts';
import { RotateKey } from '../../application/identity/rotate-key.ts';
import { SetEncryptionKey } from '../../application/identity/set-encryption-key.ts';
import { UpdateKey } from '../../application/identity/update-key.ts';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import { GetDrift } from '../../application/reputation/get-drift.ts';
import { GetReputation } from '../../application/reputation/get-reputation.ts';
import { ListDrift } from '../../application/reputation/list-drift.ts';
import { ListHistory } from '../../application/reputation/list-history.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS } from '../tokens.ts';

/** Orgs, agents and the keys they act with. */
export const identityModule = new ContainerModule((options) => {
  const t = TOKENS;
  provideBy(
    options,
    t.keyLifetimes,
    (settings) => ({
      defaultSeconds: settings.API_KEY_DEFAULT_LIFETIME_SECONDS,
      maxSeconds: settings.API_KEY_MAX_LIFETIME_SECONDS,
    }),
    [t.settings],
  );
  provideBy(
    options,
    t.issueKey,
    (keyVault, ids, settings) => new IssueKey(keyVault, ids, settings.ENVIRONMENT),
    [t.keyVault, t.ids, t.settings],
  );
  provide(options, t.newestPepper, MoveToNewestPepper, [t.unitOfWork, t.keyVault, t.log]);
  provide(options, t.authenticate, Authenticate, [
    t.apiKeyReads,
    t.keyVault,
    t.keyUseLog,
    t.newestPepper,
    t.eventLog,
    t.clock,
    t.ids,
    t.log,
  ]);
  provide(options, t.createOrg, CreateOrg, [
    t.runOnce,
    t.sealEvents,
    t.issueKey,
    t.clock,
    t.ids,
    t.keyLifetimes,
  ]);
  provide(options, t.listOrgs, ListOrgs, [t.orgReads]);
  provide(options, t.createAgent, CreateAgent, [t.runOnce, t.sealEvents, t.clock, t.ids]);
  provide(options, t.listAgents, ListAgents, [t.agentReads, t.agentProfiles]);
  provide(options, t.getAgent, GetAgent, [t.agentReads, t.agentProfiles, t.performanceReads]);
  provide(options, t.declareCapabilities, DeclareCapabilities, [
    t.runOnce,
    t.sealEvents,
    t.changeNotice,
  ]);
  provide(options, t.agentProfiles, AgentProfiles, [t.agentKeyReads, t.agentReferenceReads]);
  provide(options, t.setEncryptionKey, SetEncryptionKey, [t.runOnce, t.sealEvents]);
  provide(options, t.addSigningKey, AddSigningKey, [t.runOnce, t.sealEvents]);
  provide(options, t.revokeSigningKey, RevokeSigningKey, [t.runOnce, t.sealEvents]);
  provide(options, t.addAgentReference, AddAgentReference, [t.runOnce, t.sealEvents, t.ids]);
  provide(options, t.getReputation, GetReputation, [t.agentReads, t.performanceReads, t.clock]);
  provide(options, t.listHistory, ListHistory, [
    t.agentReads,
    t.performanceReads,
    t.actOnRecord,
    t.clock,
  ]);
  provide(options, t.getDrift, GetDrift, [t.agentReads, t.performanceReads, t.clock]);
  provide(options, t.listDrift, ListDrift, [t.performanceReads, t.clock]);
  provide(options, t.mintKey, MintKey, [
    t.runOnce,
    t.sealEvents,
    t.issueKey,
    t.clock,
    t.keyLifetimes,
  ]);
  provide(options, t.listKeys, ListKeys, [t.apiKeyReads]);
  provide(options, t.revokeKeys, RevokeKeys, [t.unitOfWork, t.sealEvents, t.clock]);
  provide(options, t.updateKey, UpdateKey, [t.runOnce, t.sealEvents, t.revokeKeys, t.changeNotice]);
  provide(options, t.bulkRevokeKeys, BulkRevokeKeys, [
    t.runOnce,
    t.unitOfWork,
    t.apiKeyReads,
    t.revokeKeys,
    t.changeNotice,
    t.clock,
  ]);
  provide(options, t.deactivateAgent, DeactivateAgent, [
    t.runOnce,
    t.sealEvents,
    t.revokeKeys,
    t.changeNotice,
    t.clock,
  ]);
  provide(options, t.reactivateAgent, ReactivateAgent, [
    t.runOnce,
    t.sealEvents,
    t.revokeKeys,
    t.changeNotice,
  ]);
  provideBy(
    options,
    t.rotateKey,
    (runOnce, sealing, issueKey, notice, clock, lifetimes, settings) =>
      new RotateKey(
        runOnce,
        sealing,
        issueKey,
        notice,
        clock,
        lifetimes,
        settings.KEY_ROTATION_MAX_GRACE_SECONDS,
      ),
    [t.runOnce, t.sealEvents, t.issueKey, t.changeNotice, t.clock, t.keyLifetimes, t.settings],
  );
  provide(options, t.bootstrapPlatform, BootstrapPlatform, [
    t.unitOfWork,
    t.sealEvents,
    t.issueKey,
    t.clock,
    t.ids,
  ]);
});
