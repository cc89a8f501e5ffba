import type { Signer } from './signer.port.ts';

/**
 * One key that a device or a key service holds, and that the configuration names. It was made there, and nothing here makes,
 * changes or erases it.
 *
 * `open` gives a signer of exactly that key, and rejects with HeldKeyError where there is none, or it cannot sign for this
 * service. It may be called again; the key is looked up once.
 */
export interface HeldKey {
  /** As the settings name it, for sentences to the operator, such as `pkcs11:notary-2026`. Holds no secret. */
  readonly name: string;
  open(): Promise<Signer>;
}

/** A key that the configuration names and that cannot be used. The message is written for the operator. */
export class HeldKeyError extends Error {
  override readonly name = 'HeldKeyError';
}
