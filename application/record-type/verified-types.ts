import type { Uuid } from '../../domain/kernel/ids.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { manifestDigest, type RecordType } from '../../domain/record-type/manifest.ts';
import type { SchemaFacts } from '../../domain/record-type/schema-facts.ts';
import type { SchemaLedger } from '../sealing/schema-ledger.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/** As long as a row is remembered: a version that is registered since then is in the chain that was read with its row. */
const MAX_AGE_MS = 1_000;

/**
 * Proves that a stored version is the one that its org registered or imported and did not delete, by the signed entries of
 * the schema chain. A manifest that was edited in the database does not pass, even if its digest was edited with it.
 */
export class VerifiedTypes {
  /** Rows come from a short cache, so one proof serves everybody who uses the row meanwhile. */
  private readonly proven = new WeakSet<RecordType>();

  constructor(private readonly ledger: SchemaLedger) {}

  /** @throws CONFLICT with reason payload_drift */
  async assert(recordType: RecordType): Promise<void> {
    if (this.proven.has(recordType)) return;
    const { orgId } = recordType;
    if (!isSealed(recordType, await this.ledger.recent(orgId, MAX_AGE_MS)))
      assertSealed(recordType, await this.ledger.now(orgId));
    this.proven.add(recordType);
  }

  /**
   * The same for rows of one org that a unit of work has read.
   *
   * @returns the rows with the status that the chain says.
   */
  async within(
    stores: Stores,
    orgId: Uuid,
    rows: readonly RecordType[],
  ): Promise<readonly RecordType[]> {
    const facts = await this.factsWithin(stores, orgId);
    return rows.map((row) => {
      assertSealed(row, facts);
      return { ...row, status: facts.versionOf(row)!.status };
    });
  }

  factsWithin({ chains }: Stores, orgId: Uuid): Promise<SchemaFacts> {
    return this.ledger.within(chains, orgId);
  }
}

const isSealed = (row: RecordType, facts: SchemaFacts): boolean =>
  facts.versionOf(row)?.manifestDigest === row.manifestDigest &&
  manifestDigest(row.manifest) === row.manifestDigest;

const assertSealed = (row: RecordType, facts: SchemaFacts): void => {
  if (!isSealed(row, facts)) throw manifestDrift(row);
};

export const manifestDrift = ({
  type,
  version,
}: {
  readonly type: string;
  readonly version: number;
}): NotaryError =>
  new NotaryError(
    'CONFLICT',
    `The stored manifest of ${type} version ${version} is not the one that was registered; nothing is signed on it.`,
    {
      reason: 'payload_drift',
      suggestion:
        'Tell the operator: the database was changed behind the service. The schema chain still holds what was signed.',
    },
  );
