import type { Uuid } from '../../domain/kernel/ids.ts';

/** Secrets of subscriptions, which the database holds encrypted. */
export interface WebhookSecrets {
  /** A new one: `whsec_` and 43 base62 characters. */
  make(): string;
  /** Bound to the subscription: what is moved to another one cannot be opened. */
  seal(secret: string, subscriptionId: Uuid): Uint8Array;
  /** Null where no key that is there opens it, or somebody changed it. */
  open(sealed: Uint8Array, subscriptionId: Uuid): string | null;
  /** Whether it was encrypted under an older SECRETS_KEY than the newest. */
  isOld(sealed: Uint8Array): boolean;
}
