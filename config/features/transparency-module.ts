import { ContainerModule } from 'inversify';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { ChainWriter } from '../../application/sealing/chain-writer.ts';
import { SealCheckpoint } from '../../application/sealing/seal-checkpoint.ts';
import { AppendLeaves } from '../../application/transparency/append-leaves.ts';
import { CoverLogs } from '../../application/transparency/cover-logs.ts';
import { EntryReceipts } from '../../application/transparency/entry-receipts.ts';
import { GenuineLeaves } from '../../application/transparency/genuine-leaves.ts';
import { GetConsistency } from '../../application/transparency/get-consistency.ts';
import { GetLogHead } from '../../application/transparency/get-log-head.ts';
import { GetStatement } from '../../application/transparency/get-statement.ts';
import { IntegrateEntries } from '../../application/transparency/integrate-entries.ts';
import { LogPaths } from '../../application/transparency/log-paths.ts';
import { MakeReceipt } from '../../application/transparency/make-receipt.ts';
import { OrgLogs, type LogSources } from '../../application/transparency/org-logs.ts';
import { RegisterStatement } from '../../application/transparency/register-statement.ts';
import { UnloggedChains } from '../../application/transparency/unlogged-chains.ts';
import { CoveredEntries } from '../../application/sealing/covered-entries.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

const SOURCES = [t.chainReads, t.checkpointReads, t.treeReads, t.statementLogReads] as const;

const committed = (
  chains: LogSources['chains'],
  checkpoints: LogSources['checkpoints'],
  trees: LogSources['trees'],
  statementLogs: LogSources['statementLogs'],
): LogSources => ({ chains, checkpoints, trees, statementLogs });

/** The log of each org: registered statements and chain entries, receipts and proofs. */
export const transparencyModule = new ContainerModule((options) => {
  provideBy(
    options,
    GenuineLeaves,
    (vault, agentKeys, chains, covered, checkpoints, trees) =>
      new GenuineLeaves(vault, agentKeys, chains, covered, { checkpoints, trees }),
    [Vault, t.agentKeyReads, t.chainReads, CoveredEntries, t.checkpointReads, t.treeReads],
  );
  provideBy(
    options,
    OrgLogs,
    (vault, genuine, ...sources) => new OrgLogs(vault, genuine, committed(...sources)),
    [Vault, GenuineLeaves, ...SOURCES],
  );
  provide(options, LogPaths, [t.treeReads]);
  provide(options, AppendLeaves, [OrgLogs]);
  provide(options, UnloggedChains, [t.statementLogReads, t.clock]);
  provideBy(
    options,
    CoverLogs,
    (writer, logs, ...sources) => new CoverLogs(writer, logs, committed(...sources)),
    [ChainWriter, OrgLogs, ...SOURCES],
  );
  provide(options, MakeReceipt, [OrgLogs, LogPaths, Vault]);
  provideBy(
    options,
    IntegrateEntries,
    (unitOfWork, chains, checkpoints, statementLogs, ...parts) =>
      new IntegrateEntries(unitOfWork, { chains, checkpoints, statementLogs }, ...parts),
    [
      t.unitOfWork,
      t.chainReads,
      t.checkpointReads,
      t.statementLogReads,
      UnloggedChains,
      ChainWriter,
      AppendLeaves,
      OrgLogs,
      GenuineLeaves,
      t.log,
    ],
  );
  provide(options, EntryReceipts, [
    t.statementLogReads,
    GenuineLeaves,
    IntegrateEntries,
    MakeReceipt,
  ]);
  provideBy(
    options,
    RegisterStatement,
    (unitOfWork, idempotent, agents, agentKeys, statementLogs, ...parts) =>
      new RegisterStatement(unitOfWork, idempotent, { agents, agentKeys, statementLogs }, ...parts),
    [
      t.unitOfWork,
      IdempotentTransaction,
      t.agentReads,
      t.agentKeyReads,
      t.statementLogReads,
      AppendLeaves,
      OrgLogs,
      MakeReceipt,
      t.clock,
      Vault,
    ],
  );
  provideBy(
    options,
    GetStatement,
    (chains, records, statementLogs, receipts) =>
      new GetStatement({ chains, records, statementLogs }, receipts),
    [t.chainReads, t.recordReads, t.statementLogReads, MakeReceipt],
  );
  provide(options, GetConsistency, [OrgLogs, LogPaths]);
  provide(options, GetLogHead, [
    t.unitOfWork,
    t.checkpointReads,
    CoverLogs,
    OrgLogs,
    SealCheckpoint,
    Vault,
    t.clock,
  ]);
});
