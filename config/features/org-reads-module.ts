import { ContainerModule } from 'inversify';
import { SealOrgReads } from '../../application/sealing/seal-org-reads.ts';
import { OrgReadsLog } from '../../application/transparency/org-reads-log.ts';
import { OrgReadsRound } from '../../application/transparency/org-reads-round.ts';
import { Vault } from '../../application/vault/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** The logs of what administrators and operators read. */
export const orgReadsModule = new ContainerModule((options) => {
  provide(options, OrgReadsLog, [t.unitOfWork, t.orgReadsLogs, Vault, t.clock]);
  provideBy(
    options,
    OrgReadsRound,
    (unitOfWork, orgReads, trees, ...parts) =>
      new OrgReadsRound(unitOfWork, { orgReads, trees }, ...parts),
    [t.unitOfWork, t.orgReadsLogs, t.treeReads, SealOrgReads, Vault, t.clock],
  );
});
