import { ContainerModule } from 'inversify';
import { CryptoProbe } from '../../adapters/signer/crypto-probe.ts';
import { CRYPTO_PROVIDERS } from '../../adapters/signer/crypto-providers.ts';
import { SoftwareKeys } from '../../adapters/signer/software-keys.ts';
import { FirstKey } from '../../application/vault/first-key.ts';
import { ListVerificationKeys } from '../../application/vault/list-verification-keys.ts';
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
  provide(options, FirstKey, [t.unitOfWork, t.keySource, t.cryptoCapabilities, t.clock, t.ids]);
  provide(options, Vault, [
    FirstKey,
    t.vaultKeyReads,
    t.chainReads,
    t.sealedKeys,
    t.keySource,
    t.vaultOptions,
  ]);
  provide(options, ListVerificationKeys, [Vault]);
});
