/** The secrets of the service that no database holds. */
export type SecretName = 'API_KEY_PEPPER' | 'SECRETS_KEY' | 'SIGNER_KEK';

/** Says which secret a database is used with, to whoever holds that secret, and nothing to others. */
export interface SecretCheck {
  readonly secret: SecretName;
  /** 1 for the secret of the first start; a rotation adds one. */
  readonly generation: number;
  /** 32 random bytes, so that two databases with one secret do not show it. */
  readonly salt: Uint8Array;
  /** 32 bytes. */
  readonly value: Uint8Array;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
}

/** Rows are only ever added. */
export interface SecretCheckStore {
  /** Whether a service has been started on this database. Writes nothing, also without tables. */
  isInUse(): Promise<boolean>;
  /** Oldest generation first; empty where the table is missing. Writes nothing. */
  load(): Promise<readonly SecretCheck[]>;
  /**
   * All or none.
   *
   * @returns false where one of the generations is there already: another process was faster.
   */
  add(checks: readonly SecretCheck[]): Promise<boolean>;
}

export interface SecretMac {
  salt(): Uint8Array;
  /** Depends on every argument; the secret cannot be told from it. */
  value(name: SecretName, secret: Uint8Array, salt: Uint8Array): Uint8Array;
  /** In a time that does not depend on the bytes. */
  isSame(a: Uint8Array, b: Uint8Array): boolean;
}
