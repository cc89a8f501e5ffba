import { ContainerModule } from 'inversify';
import { CryptoProbe } from '../../adapters/signer/crypto-probe.ts';
import { CRYPTO_PROVIDERS } from '../../adapters/signer/crypto-providers.ts';
import { Rehearsals } from '../../adapters/signer/outside/rehearsals.ts';
import { SignOutside } from '../../adapters/signer/outside/sign-outside.ts';
import { SoftwareKeys } from '../../adapters/signer/software-keys.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import { Rfc3161Authority } from '../../adapters/tsa/rfc3161-authority.ts';
import { Rfc3161Checker } from '../../adapters/tsa/rfc3161-checker.ts';
import { ChainWriter } from '../../application/sealing/chain-writer.ts';
import { EventOutbox } from '../../application/sealing/event-outbox.ts';
import { SealCheckpoint } from '../../application/sealing/seal-checkpoint.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { SealRotation } from '../../application/vault/seal-rotation.ts';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { RewindGuard } from '../../application/sealing/rewind-guard.ts';
import { LogEveryOrg } from '../../application/transparency/log-every-org.ts';
import { OrgReadsRound } from '../../application/transparency/org-reads-round.ts';
import { CoverLogs } from '../../application/transparency/cover-logs.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { CoverInTurns } from '../../application/vault/cover-in-turns.ts';
import { CurrentKeyWork } from '../../application/sealing/current-key-work.ts';
import { RotateSigningKey } from '../../application/vault/rotate-signing-key.ts';
import { StampRounds } from '../../application/vault/stamp-rounds.ts';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { FirstKey } from '../../application/sealing/first-key.ts';
import { ListCoseKeys } from '../../application/vault/list-cose-keys.ts';
import { ListVerificationKeys } from '../../application/vault/list-verification-keys.ts';
import { VaultDeliverySigner } from '../../application/delivery/vault-delivery-signer.ts';
import { SignDocument } from '../../application/sealing/sign-document.ts';
import { SigningKeys } from '../../application/sealing/signing-keys.ts';
import { GetScan } from '../../application/vault/scan/get-scan.ts';
import { RunScan } from '../../application/vault/scan/run-scan.ts';
import { ScanOnHost } from '../../application/vault/scan/scan-on-host.ts';
import { ScanRequests } from '../../application/vault/scan/scan-requests.ts';
import { StartScan } from '../../application/vault/scan/start-scan.ts';
import { TakeDump } from '../../application/vault/take-dump.ts';
import { IntegrateEntries } from '../../application/transparency/integrate-entries.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { SignerWatch } from '../../application/operations/signer-watch.ts';
import { keyChoice, SIGNING_LIMIT_MS, watchedKeys } from '../held-keys.ts';
import { isAway } from '../signer-choice.ts';
import { TracedWork } from '../../adapters/telemetry/traced-work.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** The signing key and the keys that verify. */
export const vaultModule = new ContainerModule((options) => {
  provideBy(
    options,
    t.keySource,
    (settings, secrets, clock, watch) =>
      watchedKeys(
        new SoftwareKeys(secrets.signerKek, CRYPTO_PROVIDERS[settings.SIGNER_CRYPTO], clock),
        watch,
      ),
    [t.settings, t.secrets, t.clock, SignerWatch],
  );
  // The runtime always verifies, even where another provider signs.
  provideBy(
    options,
    t.cryptoCapabilities,
    () => new CryptoProbe(() => Promise.resolve(globalThis.crypto)),
    [],
  );
  provideBy(
    options,
    t.vaultOptions,
    (settings) => ({
      algorithm: settings.VAULT_ALGORITHM,
      canonicalization: settings.VAULT_CANONICALIZATION,
      predicateBase: settings.PREDICATE_BASE,
    }),
    [t.settings],
  );
  provide(options, Rehearsals, []);
  options.bind(t.lockedSigning).toService(Rehearsals);
  provideBy(options, t.keyChoice, keyChoice, [t.settings, Rehearsals, SignerWatch]);
  provide(options, SigningKeys, [t.keyChoice, t.sealedKeys, t.keySource]);
  provideBy(
    options,
    t.signingWork,
    (settings, sql, rehearsals) =>
      isAway(settings)
        ? new SignOutside(sql.unitOfWork, rehearsals, new SystemClock(), SIGNING_LIMIT_MS)
        : sql.unitOfWork,
    [t.settings, t.sql, Rehearsals],
  );
  provide(options, CurrentKeyWork, [t.signingWork, Vault]);
  provideBy(
    options,
    t.unitOfWork,
    (work, tracer, { DATABASE_URL }) => {
      const database = DATABASE_URL.startsWith('mysql:') ? 'mysql' : 'sqlite';
      return tracer ? new TracedWork(work, database) : work;
    },
    [CurrentKeyWork, t.tracer, t.settings],
  );
  // The vault cannot be open before this unit of work, so nothing has to be read anew.
  provide(options, FirstKey, [t.signingWork, SigningKeys, t.cryptoCapabilities, t.clock, t.ids]);
  provide(options, Vault, [FirstKey, t.vaultKeyReads, t.chainReads, SigningKeys, t.vaultOptions]);
  provide(options, ListVerificationKeys, [Vault]);
  provide(options, ListCoseKeys, [Vault]);
  provideBy(
    options,
    CheckpointRound,
    (unitOfWork, chains, checkpoints, trees, statementLogs, ...parts) =>
      new CheckpointRound(unitOfWork, { chains, checkpoints, trees, statementLogs }, ...parts),
    [
      t.unitOfWork,
      t.chainReads,
      t.checkpointReads,
      t.treeReads,
      t.statementLogReads,
      ChainWriter,
      SealCheckpoint,
      CoverLogs,
      IntegrateEntries,
      Vault,
      t.clock,
      RewindGuard,
    ],
  );
  provideBy(options, t.timestampChecker, () => Rfc3161Checker.withoutRoots(), []);
  provideBy(
    options,
    t.timestampAuthority,
    ({ TSA_URL: url, EGRESS_CA: ca }) =>
      url === '' ? null : new Rfc3161Authority({ url, ca: ca || null }),
    [t.settings],
  );
  provide(options, StampRounds, [
    t.unitOfWork,
    t.timestampReads,
    t.timestampAuthority,
    Vault,
    t.clock,
    t.log,
  ]);
  provideBy(options, t.jobLeases, (sql) => sql.jobLeases, [t.sql]);
  provideBy(options, t.vaultSnapshots, (sql) => sql.vaultSnapshots, [t.sql]);
  provideBy(options, t.vaultScans, (sql) => sql.reads.vaultScans, [t.sql]);
  provideBy(options, t.vaultScanner, (sql) => sql.vaultScanner, [t.sql]);
  provide(options, ScanRequests, [t.vaultScans, t.clock, t.ids]);
  provide(options, StartScan, [IdempotentTransaction, ScanRequests]);
  provide(options, GetScan, [t.vaultScans]);
  provide(options, RunScan, [
    t.unitOfWork,
    t.vaultScans,
    t.vaultScanner,
    t.jobLeases,
    EventOutbox,
    Vault,
    t.clock,
  ]);
  provide(options, ScanOnHost, [t.unitOfWork, ScanRequests, RunScan, t.vaultScans, t.jobLeases]);
  provide(options, TakeDump, [
    t.unitOfWork,
    SealPlatform,
    CheckpointRound,
    OrgReadsRound,
    LogEveryOrg,
    StampRounds,
    t.vaultSnapshots,
    Vault,
    t.ids,
  ]);
  provide(options, CoverInTurns, [
    t.unitOfWork,
    t.chainReads,
    ChainWriter,
    SealCheckpoint,
    CoverLogs,
    t.lockedSigning,
    Vault,
    t.clock,
  ]);
  provide(options, RotateSigningKey, [
    t.unitOfWork,
    IdempotentTransaction,
    t.jobLeases,
    SigningKeys,
    t.cryptoCapabilities,
    Vault,
    t.vaultOptions,
    CheckpointRound,
    CoverInTurns,
    SealRotation,
    AnchorSweep,
    OrgReadsRound,
    t.webhookReads,
  ]);
  provide(options, SignDocument, [t.unitOfWork, Vault]);
  provideBy(options, t.signDelivery, (vault) => new VaultDeliverySigner(vault), [Vault]);
});
