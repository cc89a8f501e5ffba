import type { PlatformFacts } from '../../../domain/identity/platform-facts.ts';
import type { ChainFaults } from './scan-faults.ts';
import type { ScanSnapshot } from './scan-snapshot.port.ts';

/** Rows under a MAC hold, and each is in the version that the platform chain sealed last. */
export const compareSealedRows = async (
  snapshot: Pick<ScanSnapshot, 'sealedRows'>,
  facts: Pick<PlatformFacts, 'versionOf'>,
  faults: Pick<ChainFaults, 'drift'>,
  onPage: () => void,
): Promise<void> => {
  for await (const page of snapshot.sealedRows()) {
    for (const { table, id, holds, revision } of page) {
      const name = `${table} ${id ?? ''}`.trim();
      const sealed = revision && facts.versionOf(revision.id);
      if (!holds) faults.drift(`${name}: the row is not what the service wrote`);
      else if (revision && sealed !== revision.version)
        faults.drift(`${name}: version ${revision.version}, sealed is ${sealed}`);
    }
    onPage();
  }
};
