/** Which key of which token. */
export interface TokenKeyName {
  /** Path of the PKCS#11 library. */
  readonly module: string;
  readonly token: string;
  readonly pin: string;
  /** CKA_LABEL of the private and of the public key. */
  readonly key: string;
}

/** To the thread. Without bytes: open the key and tell its public part. */
export interface TokenTask {
  readonly id: number;
  readonly bytes: Uint8Array | null;
}

/** From the thread: the SPKI of the key, or a signature as the token gives it, r‖s for P-256; or why there is none. */
export type TokenAnswer =
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly failure: string };
