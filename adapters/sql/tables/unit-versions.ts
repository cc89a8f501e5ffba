import type { RowVersions, VersionLookup } from '../../../application/sealing/row-versions.port.ts';
import type { ChainStore } from '../../../domain/vault/chain-store.port.ts';

/** Which versions of rows the platform chain seals, as one unit of work sees the chain. */
export class UnitVersions {
  #seen: VersionLookup | null = null;

  constructor(
    private readonly chains: Pick<ChainStore, 'upFrom'>,
    /** Nobody but this unit adds to the chain while it holds its transaction. */
    private readonly isAlone: boolean,
  ) {}

  /** What an earlier look of this unit saw, which only the unit itself can have outdated; null where it has to look. */
  get seen(): VersionLookup | null {
    return this.#seen;
  }

  async look(versions: Pick<RowVersions, 'within'>): Promise<VersionLookup> {
    const seen = await versions.within(this.chains);
    if (this.isAlone) this.#seen = seen;
    return seen;
  }
}
