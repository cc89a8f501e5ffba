import { ContainerModule } from 'inversify';
import { ChainWriter } from '../../application/sealing/chain-writer.ts';
import { EventOutbox } from '../../application/sealing/event-outbox.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { RecordChains } from '../../application/sealing/record-chains.ts';
import { RewindGuard } from '../../application/sealing/rewind-guard.ts';
import { RewindSigns } from '../../application/sealing/rewind-signs.ts';
import { SchemaLedger } from '../../application/sealing/schema-ledger.ts';
import { SealCheckpoint } from '../../application/sealing/seal-checkpoint.ts';
import { SealOrgReads } from '../../application/transparency/seal-org-reads.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { SealRecord } from '../../application/sealing/seal-record.ts';
import { SealRotation } from '../../application/vault/seal-rotation.ts';
import { SealSchema } from '../../application/sealing/seal-schema.ts';
import { SealSignal } from '../../application/sealing/seal-signal.ts';
import { OrgReadsRound } from '../../application/transparency/org-reads-round.ts';
import { CoverLogs } from '../../application/transparency/cover-logs.ts';
import { CoveredEntries } from '../../application/sealing/covered-entries.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Chain entries and events, by what is sealed. */
export const sealingModule = new ContainerModule((options) => {
  provide(options, CoveredEntries, [Vault]);
  provideBy(
    options,
    ChainWriter,
    (vault, clock, rewinds, covered, measures) =>
      new ChainWriter(vault, clock, rewinds, covered, measures),
    [Vault, t.clock, RewindSigns, CoveredEntries, t.measures],
  );
  provide(options, PlatformLedger, [t.chainReads, Vault]);
  provide(options, SchemaLedger, [t.chainReads, Vault]);
  provide(options, RewindGuard, []);
  provide(options, RewindSigns, [RewindGuard, PlatformLedger, Vault, t.clock]);
  provide(options, EventOutbox, [t.ids]);
  provide(options, RecordChains, [ChainWriter]);
  provide(options, SealSignal, [ChainWriter, EventOutbox]);
  provide(options, SealRecord, [ChainWriter, EventOutbox, SealSignal]);
  provide(options, SealPlatform, [ChainWriter, EventOutbox]);
  provide(options, SealSchema, [ChainWriter, EventOutbox]);
  provide(options, SealCheckpoint, [Vault, t.ids, RewindGuard]);
  provide(options, SealRotation, [
    Vault,
    ChainWriter,
    SealCheckpoint,
    EventOutbox,
    OrgReadsRound,
    CoverLogs,
    t.lockedSigning,
  ]);
  provide(options, SealOrgReads, [Vault, PlatformLedger, t.ids]);
});
