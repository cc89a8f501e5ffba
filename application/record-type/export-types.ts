import type { CallContext } from '../call/call-context.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Keyset } from '../../domain/kernel/page.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import { nextAt } from '../../domain/vault/chain.ts';
import {
  MAX_BUNDLED,
  sealBundle,
  type SchemaBundle,
} from '../../domain/record-type/schema-bundle.ts';
import { governedOrg } from '../call/own-org.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import { activeSeal } from '../sealing/active-seal.ts';
import type { Vault } from '../sealing/vault.ts';
import type { VerifiedTypes } from './verified-types.ts';

export interface ExportTypesInput {
  readonly type?: string;
  readonly publisher?: string;
  readonly orgId?: Uuid;
}

const PAGE = 200;

/** The record types of an org, disabled ones too, as one signed document that other orgs can import. */
export class ExportTypes {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly recordTypes: RecordTypeReads,
    private readonly verifiedTypes: VerifiedTypes,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async execute(
    context: CallContext,
    { orgId: requested, ...filter }: ExportTypesInput,
  ): Promise<SchemaBundle> {
    const orgId = governedOrg(context.caller, requested);
    const rows = await this.all({ ...filter, orgId });
    // Only what rests on a signed entry is signed.
    for (const row of rows) await this.verifiedTypes.assert(row);
    const manifests = rows.map(({ manifest, manifestDigest }) => ({ manifest, manifestDigest }));
    return this.unitOfWork.transaction(async (stores) => {
      const seal = await activeSeal(stores, this.vault);
      const exportedAt = nextAt(this.clock.now(), null, seal);
      return sealBundle(seal, this.vault.hub.predicateBase, { orgId, exportedAt, manifests });
    }, context);
  }

  private async all(
    filter: Parameters<RecordTypeReads['list']>[0],
  ): Promise<readonly RecordType[]> {
    const rows: RecordType[] = [];
    let after: Keyset | null = null;
    do {
      const page: Awaited<ReturnType<RecordTypeReads['list']>> = await this.recordTypes.list(
        filter,
        { limit: PAGE, after },
      );
      rows.push(...page.rows);
      if (rows.length > MAX_BUNDLED)
        throw new NotaryError(
          'UNPROCESSABLE',
          `The bundle would hold more than ${MAX_BUNDLED} manifests.`,
          { suggestion: 'Export in parts: name a type or a publisher.' },
        );
      after = page.next;
    } while (after);
    return rows.sort(
      (a, b) =>
        compare(a.publisher, b.publisher) || compare(a.type, b.type) || a.version - b.version,
    );
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
