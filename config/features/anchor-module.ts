import { ContainerModule } from 'inversify';
import { FilesystemAnchors } from '../../adapters/anchor/filesystem/filesystem-anchors.ts';
import { S3Anchors } from '../../adapters/anchor/s3/s3-anchors.ts';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { EventOutbox } from '../../application/sealing/event-outbox.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { RewindGuard } from '../../application/sealing/rewind-guard.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { DetachRecord } from '../../application/federation/detach-record.ts';
import { AcknowledgeRewind } from '../../application/vault/acknowledge-rewind.ts';
import { AnchorMatches } from '../../application/vault/anchor-matches.ts';
import { AnchoredSuccession } from '../../application/vault/anchored-succession.ts';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { ListAnchors } from '../../application/vault/list-anchors.ts';
import { ListRewinds } from '../../application/vault/list-rewinds.ts';
import { LostRevocations } from '../../application/vault/lost-revocations.ts';
import { ReconcileAnchors } from '../../application/vault/reconcile-anchors.ts';
import { RestoredChains } from '../../application/vault/restored-chains.ts';
import { RewindCheck } from '../../application/vault/rewind-check.ts';
import { RewindWatch } from '../../application/vault/rewind-watch.ts';
import { UnprovenAnchors } from '../../application/vault/unproven-anchors.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { VerifyAnchorsOnHost } from '../../application/vault/verify-anchors-on-host.ts';
import { VerifyAnchors } from '../../application/vault/verify-anchors.ts';
import type { AnchorStore } from '../../domain/vault/anchor.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { provide, provideBy } from '../provide.ts';
import type { Settings } from '../settings-table.ts';
import { TOKENS as t } from '../tokens.ts';

/** Copies of checkpoints outside of the database, and what they show of it. */
export const anchorModule = new ContainerModule((options) => {
  provideBy(options, t.anchorStore, anchorStoreOf, [t.settings, t.clock]);
  provide(options, AnchorMatches, [t.anchorStore, t.checkpointReads, Vault]);
  provide(options, UnprovenAnchors, [t.log]);
  provide(options, AnchoredSuccession, [Vault, UnprovenAnchors]);
  provide(options, RewindCheck, [
    t.anchorStore,
    t.chainReads,
    t.checkpointReads,
    Vault,
    PlatformLedger,
    RewindGuard,
    AnchoredSuccession,
    UnprovenAnchors,
    t.clock,
  ]);
  provide(options, RestoredChains, [t.chainReads]);
  provide(options, LostRevocations, [
    t.anchorStore,
    t.unitOfWork,
    t.chainReads,
    Vault,
    PlatformLedger,
    AnchoredSuccession,
    UnprovenAnchors,
    RewindGuard,
    t.clock,
    t.log,
  ]);
  provide(options, RewindWatch, [
    t.unitOfWork,
    t.rewindReads,
    RewindCheck,
    PlatformLedger,
    RewindGuard,
    RestoredChains,
    LostRevocations,
    EventOutbox,
    t.clock,
    t.ids,
    t.log,
  ]);
  provide(options, AnchorSweep, [
    t.anchorStore,
    t.anchorLog,
    t.checkpointReads,
    AnchorMatches,
    AnchoredSuccession,
    LostRevocations,
    UnprovenAnchors,
    RewindCheck,
    RewindWatch,
    RewindGuard,
    Vault,
    t.clock,
    t.log,
  ]);
  provide(options, ListAnchors, [t.anchorStore]);
  provide(options, VerifyAnchors, [
    IdempotentTransaction,
    t.anchorStore,
    t.anchorLog,
    AnchorMatches,
    UnprovenAnchors,
  ]);
  provide(options, VerifyAnchorsOnHost, [t.anchorLog, AnchorMatches]);
  provide(options, ReconcileAnchors, [
    IdempotentTransaction,
    t.anchorStore,
    RewindCheck,
    RewindWatch,
    RewindGuard,
  ]);
  provide(options, ListRewinds, [t.rewindReads]);
  provide(options, AcknowledgeRewind, [
    IdempotentTransaction,
    RewindGuard,
    RewindWatch,
    SealPlatform,
    DetachRecord,
    LostRevocations,
  ]);
});

export const anchorStoreOf = (settings: Settings, clock: Clock): AnchorStore | null => {
  if (settings.ANCHOR === 'none') return null;
  if (settings.ANCHOR === 'filesystem') return new FilesystemAnchors(settings.ANCHOR_PATH);
  const {
    ANCHOR_S3_LOCK: mode,
    ANCHOR_S3_LOCK_DAYS: days,
    ANCHOR_S3_ACCESS_KEY_ID: accessKeyId,
    ANCHOR_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings;
  return new S3Anchors(
    {
      bucket: settings.ANCHOR_S3_BUCKET,
      region: settings.ANCHOR_S3_REGION,
      endpoint: settings.ANCHOR_S3_ENDPOINT || null,
      credentials: accessKeyId ? { accessKeyId, secretAccessKey } : null,
      ca: settings.EGRESS_CA || null,
      lock: mode === 'none' ? null : { mode: LOCKS[mode], days },
    },
    () => clock.now(),
  );
};

const LOCKS = { compliance: 'COMPLIANCE', governance: 'GOVERNANCE' } as const;
