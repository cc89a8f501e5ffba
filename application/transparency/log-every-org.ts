import type { OrgReads } from '../../domain/identity/identity-store.port.ts';
import type { Keyset } from '../../domain/kernel/page.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ReadClaim } from '../../domain/transparency/org-read.ts';
import type { OrgReadsLog } from './org-reads-log.ts';
import { isReadsBroken } from './reads-broken.ts';

/** Orgs in one page; their leaves are written at once, and share commits. */
const PAGE = 200;

/** Enters what shows the data of every org, such as a dump, in the log of each. */
export class LogEveryOrg {
  constructor(
    private readonly log: Pick<OrgReadsLog, 'append'>,
    private readonly orgs: Pick<OrgReads, 'list'>,
  ) {}

  /**
   * Once it resolves every leaf is on the disk. What it rejects with, the read is refused with.
   *
   * @returns the orgs whose log was changed behind the service, so that no leaf can be added to it. The caller seals
   *   elsewhere that they were read.
   */
  async enter(claim: ReadClaim): Promise<readonly Uuid[]> {
    const broken: Uuid[] = [];
    let after: Keyset | null = null;
    do {
      const { rows, next } = await this.orgs.list({}, { limit: PAGE, after });
      const entered = await Promise.all(
        rows.map(({ id }) => isWritten(() => this.log.append(id, claim))),
      );
      broken.push(...rows.filter((_, at) => !entered[at]).map(({ id }) => id));
      after = next;
    } while (after);
    return broken;
  }
}

const isWritten = async (append: () => Promise<void>): Promise<boolean> => {
  try {
    await append();
    return true;
  } catch (error) {
    if (isReadsBroken(error)) return false;
    throw error;
  }
};
