import { ContainerModule } from 'inversify';
import { CRYPTO_PROVIDERS } from '../../adapters/signer/crypto-providers.ts';
import { CryptoProbe } from '../../adapters/signer/crypto-probe.ts';
import { SoftwareKeys } from '../../adapters/signer/software-keys.ts';
import { RunOnce } from '../../application/idempotency/run-once.ts';
import { SealEvents } from '../../application/sealing/seal-events.ts';
import { ListVerificationKeys } from '../../application/vault/list-verification-keys.ts';
import { Vault } from '../../application/vault/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS } from '../tokens.ts';

/** The signing key and everything that is sealed with it. */
export const vaultModule = new ContainerModule((options) => {
  provideBy(
    options,
    TOKENS.keySource,
    (settings, secrets, clock) =>
      new SoftwareKeys(secrets.signerKek, CRYPTO_PROVIDERS[settings.SIGNER_CRYPTO], clock),
    [TOKENS.settings, TOKENS.secrets, TOKENS.clock],
  );
  // What verifies is the runtime's; what signs may be another provider.
  provideBy(
    options,
    TOKENS.cryptoCapabilities,
    () => new CryptoProbe(() => Promise.resolve(globalThis.crypto)),
    [],
  );
  provideBy(
    options,
    TOKENS.vault,
    (unitOfWork, keys, chains, sealedKeys, keySource, capabilities, clock, ids, settings) =>
      new Vault(unitOfWork, keys, chains, sealedKeys, keySource, capabilities, clock, ids, {
        algorithm: settings.VAULT_ALGORITHM,
        canonicalization: settings.VAULT_CANONICALIZATION,
        predicateBase: settings.PREDICATE_BASE.replace(/\/+$/, ''),
      }),
    [
      TOKENS.unitOfWork,
      TOKENS.vaultKeyReads,
      TOKENS.chainReads,
      TOKENS.sealedKeys,
      TOKENS.keySource,
      TOKENS.cryptoCapabilities,
      TOKENS.clock,
      TOKENS.ids,
      TOKENS.settings,
    ],
  );
  provide(options, TOKENS.sealEvents, SealEvents, [TOKENS.vault, TOKENS.clock, TOKENS.ids]);
  provide(options, TOKENS.runOnce, RunOnce, [
    TOKENS.unitOfWork,
    TOKENS.idempotencyReads,
    TOKENS.clock,
  ]);
  provide(options, TOKENS.listVerificationKeys, ListVerificationKeys, [
    TOKENS.vaultKeyReads,
    TOKENS.vault,
  ]);
});
