/** Keys and key statements as a file shows them. */
export interface KeyMaterial {
  readonly keys: readonly KeyRow[];
  readonly keyStatements: readonly KeyStatementRow[];
  /** The text that all of the above was read from: the same text, the same outcome. */
  readonly text: string;
}

/** A key statement as a file shows it: a copy of a KEY_ACTIVATED or KEY_RETIRED entry of the platform chain. */
export interface KeyStatementRow {
  readonly keyId: string;
  readonly statement: 'activated' | 'retired';
  readonly position: number;
  readonly coseSign1: Uint8Array;
}

/** A row of the key listing. It is compared with the statements and never believed. */
export interface KeyRow {
  readonly keyId: string;
  readonly algorithm: string;
  readonly coseAlgorithm: number;
  readonly publicKey: Uint8Array;
  /** Left out where a file has no member for it. */
  readonly publicKeyRaw?: Uint8Array;
  readonly status: string;
  readonly activatedAt: string;
  readonly retiredAt: string | null;
}
