import type { OrgReads } from '../../domain/identity/identity-store.port.ts';
import type { Keyset } from '../../domain/kernel/page.ts';
import type { ReadClaim } from '../../domain/transparency/org-read.ts';
import type { OrgReadsLog } from './org-reads-log.ts';

/** Orgs in one page; their leaves are written at once, and share commits. */
const PAGE = 200;

/** Enters what shows the data of every org, such as a dump, in the log of each. */
export class LogEveryOrg {
  constructor(
    private readonly log: Pick<OrgReadsLog, 'append'>,
    private readonly orgs: Pick<OrgReads, 'list'>,
  ) {}

  /** Once it resolves every leaf is on the disk. What it rejects with, the read is refused with. */
  async enter(claim: ReadClaim): Promise<void> {
    let after: Keyset | null = null;
    do {
      const { rows, next } = await this.orgs.list({}, { limit: PAGE, after });
      await Promise.all(rows.map(({ id }) => this.log.append(id, claim)));
      after = next;
    } while (after);
  }
}
