import { ContainerModule } from 'inversify';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { AddWitness } from '../../application/identity/add-witness.ts';
import { ListWitnesses } from '../../application/identity/list-witnesses.ts';
import { RemoveWitness } from '../../application/identity/remove-witness.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { CheckReadsLogs } from '../../application/transparency/check-reads-logs.ts';
import { CosignCheckpoint } from '../../application/transparency/cosign-checkpoint.ts';
import { ProveOrgRead } from '../../application/transparency/prove-org-read.ts';
import { GetOrgReadsCheckpoint } from '../../application/transparency/get-org-reads-checkpoint.ts';
import { ListOrgReadsCheckpoints } from '../../application/transparency/list-org-reads-checkpoints.ts';
import { SealOrgReads } from '../../application/transparency/seal-org-reads.ts';
import { LogEveryOrg } from '../../application/transparency/log-every-org.ts';
import { OrgReadsLog } from '../../application/transparency/org-reads-log.ts';
import { OrgReadsRound } from '../../application/transparency/org-reads-round.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** The logs of what administrators and operators read. */
export const orgReadsModule = new ContainerModule((options) => {
  provide(options, OrgReadsLog, [t.unitOfWork, t.orgReadsLogs, Vault, PlatformLedger, t.clock]);
  provide(options, CheckReadsLogs, [t.orgReadsLogs, PlatformLedger]);
  provide(options, LogEveryOrg, [OrgReadsLog, t.orgReads]);
  provide(options, ListOrgReadsCheckpoints, [t.orgReadsLogs]);
  provide(options, GetOrgReadsCheckpoint, [t.orgReadsLogs]);
  provide(options, ProveOrgRead, [t.orgReadsLogs, t.treeReads, Vault]);
  provide(options, CosignCheckpoint, [
    IdempotentTransaction,
    t.orgReadsLogs,
    t.witnessReads,
    Vault,
    t.clock,
  ]);
  provide(options, AddWitness, [IdempotentTransaction, SealPlatform, t.clock, t.ids]);
  provide(options, RemoveWitness, [IdempotentTransaction, SealPlatform]);
  provide(options, ListWitnesses, [t.witnessReads]);
  provideBy(
    options,
    OrgReadsRound,
    (unitOfWork, orgReads, trees, ...parts) =>
      new OrgReadsRound(unitOfWork, { orgReads, trees }, ...parts),
    [
      t.unitOfWork,
      t.orgReadsLogs,
      t.treeReads,
      SealOrgReads,
      PlatformLedger,
      SealPlatform,
      Vault,
      t.clock,
      t.ids,
    ],
  );
});
