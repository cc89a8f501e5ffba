import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { SecretCheck, SecretCheckStore, SecretMac, SecretName } from './secret-checks.port.ts';

/** Newest first. */
export type SecretValues = { readonly [name in SecretName]: readonly Uint8Array[] };

export interface SecretFault {
  readonly name: SecretName;
  /** `other`: it is not the one in use; `unchecked`: the database is in use, and does not say with which; `needed`: rows are under an older one. */
  readonly fault: 'other' | 'unchecked' | 'needed';
}

/**
 * Tells at the start whether the secrets are those that the database is used with. With another
 * pepper, every API key would be refused by a service that calls itself ready.
 */
export class KnownSecrets {
  constructor(
    private readonly store: SecretCheckStore,
    private readonly mac: SecretMac,
    private readonly clock: Clock,
  ) {}

  /** Writes nothing. An empty list: the secrets are right, or the database is new. */
  async faults(values: SecretValues): Promise<readonly SecretFault[]> {
    const isInUse = await this.store.isInUse();
    const checks = await this.store.load();
    return NAMES.flatMap((name): readonly SecretFault[] => {
      const newest = newestOf(checks, name);
      if (!newest) return isInUse ? [{ name, fault: 'unchecked' }] : [];
      const isKnown = values[name].some((value) => this.fits(newest, value));
      return isKnown ? [] : [{ name, fault: 'other' }];
    });
  }

  /**
   * Notes the secrets that are now used to write, which are the first of their lists. Only after
   * `faults` found none.
   *
   * @returns what `faults` says once another process was faster to note its own.
   */
  async remember(values: SecretValues): Promise<readonly SecretFault[]> {
    const checks = await this.store.load();
    const added = NAMES.flatMap((name): readonly SecretCheck[] => {
      const newest = newestOf(checks, name);
      const value = values[name][0];
      if (!value || (newest && this.fits(newest, value))) return [];
      const salt = this.mac.salt();
      return [
        {
          secret: name,
          generation: (newest?.generation ?? 0) + 1,
          salt,
          value: this.mac.value(name, value, salt),
          createdAt: this.clock.now().toISOString(),
        },
      ];
    });
    if (added.length === 0 || (await this.store.add(added))) return [];
    return this.faults(values);
  }

  private fits({ secret, salt, value }: SecretCheck, candidate: Uint8Array): boolean {
    return this.mac.isSame(this.mac.value(secret, candidate, salt), value);
  }
}

const NAMES: readonly SecretName[] = ['API_KEY_PEPPER', 'SECRETS_KEY', 'SIGNER_KEK'];

const newestOf = (checks: readonly SecretCheck[], name: SecretName): SecretCheck | undefined =>
  checks.filter(({ secret }) => secret === name).at(-1);
