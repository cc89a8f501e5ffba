export { CRYPTO_PROVIDERS } from '../../../adapters/signer/crypto-providers.ts';
export { SoftwareKeys } from '../../../adapters/signer/software-keys.ts';
export { SystemClock } from '../../../adapters/system/system-clock.ts';
export { LogPaths } from '../../../application/transparency/log-paths.ts';
export { signReceipt } from '../../../domain/transparency/receipt.ts';
export { GrowingTree } from '../../../domain/transparency/rfc9162-tree.ts';
