import type {
  TimestampChecker,
  TimestampReading,
} from '../../domain/vault/timestamp-checker.port.ts';

/** Loads what it takes to read a token with the first one: most processes never see any. */
export class Rfc3161Checker implements TimestampChecker {
  private constructor(private readonly roots: readonly Uint8Array[] | null) {}

  /** Believes whatever certificate is in a token, as long as it is one for time stamps. */
  static withoutRoots(): Rfc3161Checker {
    return new Rfc3161Checker(null);
  }

  /**
   * Believes tokens whose certificate leads to one of these.
   *
   * @param pem certificates, each between its lines.
   * @throws TimestampRootsError where there is none, or one cannot be read.
   */
  static async under(pem: string): Promise<Rfc3161Checker> {
    const { rootsIn } = await import('./roots.ts');
    return new Rfc3161Checker(rootsIn(pem));
  }

  async read(token: Uint8Array): Promise<TimestampReading> {
    const { readToken } = await import('./read-token.ts');
    return readToken(token, this.roots);
  }
}
