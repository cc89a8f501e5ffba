import { ContainerModule } from 'inversify';
import { CryptoProbe } from '../../adapters/signer/crypto-probe.ts';
import { CRYPTO_PROVIDERS } from '../../adapters/signer/crypto-providers.ts';
import { SoftwareKeys } from '../../adapters/signer/software-keys.ts';
import { ChainWriter } from '../../application/sealing/chain-writer.ts';
import { EventOutbox } from '../../application/sealing/event-outbox.ts';
import { SealCheckpoint } from '../../application/sealing/seal-checkpoint.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { SealRotation } from '../../application/sealing/seal-rotation.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { CurrentKeyWork } from '../../application/vault/current-key-work.ts';
import { RotateSigningKey } from '../../application/vault/rotate-signing-key.ts';
import { IdempotentTransaction } from '../../application/idempotency/idempotent-transaction.ts';
import { FirstKey } from '../../application/vault/first-key.ts';
import { ListVerificationKeys } from '../../application/vault/list-verification-keys.ts';
import { GetScan } from '../../application/vault/scan/get-scan.ts';
import { RunScan } from '../../application/vault/scan/run-scan.ts';
import { ScanOnHost } from '../../application/vault/scan/scan-on-host.ts';
import { ScanRequests } from '../../application/vault/scan/scan-requests.ts';
import { StartScan } from '../../application/vault/scan/start-scan.ts';
import { TakeDump } from '../../application/vault/take-dump.ts';
import { Vault } from '../../application/vault/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** The signing key and the keys that verify. */
export const vaultModule = new ContainerModule((options) => {
  provideBy(
    options,
    t.keySource,
    (settings, secrets, clock) =>
      new SoftwareKeys(secrets.signerKek, CRYPTO_PROVIDERS[settings.SIGNER_CRYPTO], clock),
    [t.settings, t.secrets, t.clock],
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
  provideBy(options, t.unitOfWork, (sql, vault) => new CurrentKeyWork(sql.unitOfWork, vault), [
    t.sql,
    Vault,
  ]);
  // The vault cannot be open before this unit of work, so nothing has to be read anew.
  provideBy(options, FirstKey, (sql, ...parts) => new FirstKey(sql.unitOfWork, ...parts), [
    t.sql,
    t.keySource,
    t.cryptoCapabilities,
    t.clock,
    t.ids,
  ]);
  provide(options, Vault, [
    FirstKey,
    t.vaultKeyReads,
    t.chainReads,
    t.sealedKeys,
    t.keySource,
    t.vaultOptions,
  ]);
  provide(options, ListVerificationKeys, [Vault]);
  provideBy(
    options,
    CheckpointRound,
    (unitOfWork, chains, checkpoints, trees, ...parts) =>
      new CheckpointRound(unitOfWork, { chains, checkpoints, trees }, ...parts),
    [
      t.unitOfWork,
      t.chainReads,
      t.checkpointReads,
      t.treeReads,
      ChainWriter,
      SealCheckpoint,
      Vault,
      t.clock,
    ],
  );
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
    t.vaultSnapshots,
    Vault,
    t.ids,
  ]);
  provide(options, RotateSigningKey, [
    t.unitOfWork,
    IdempotentTransaction,
    t.jobLeases,
    t.keySource,
    t.cryptoCapabilities,
    Vault,
    t.vaultOptions,
    CheckpointRound,
    SealRotation,
  ]);
});
