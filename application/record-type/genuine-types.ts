import { NotaryError } from '../../domain/kernel/errors.ts';
import { manifestDigest, type RecordType } from '../../domain/record-type/manifest.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import { openEntry } from '../../domain/vault/open-entry.ts';
import type { Vault } from '../vault/vault.ts';

/**
 * Whether a stored manifest is the one that its org registered: the signed entry on the schema chain says so. A
 * manifest and its digest edited together in the database do not pass.
 */
export class GenuineTypes {
  /** Rows come out of a short cache, so one proof serves all who use the row meanwhile. */
  private readonly proven = new WeakSet<RecordType>();

  constructor(
    private readonly chains: ChainReads,
    private readonly vault: Vault,
  ) {}

  /** @throws CONFLICT with reason payload_drift */
  async assert(recordType: RecordType): Promise<void> {
    if (this.proven.has(recordType)) return;
    if (manifestDigest(recordType.manifest) !== recordType.manifestDigest || !(await this.isRegistered(recordType))) throw manifestDrift(recordType);
    this.proven.add(recordType);
  }

  private async isRegistered({ orgId, publisher, type, version, manifestDigest: digest, entryPosition }: RecordType): Promise<boolean> {
    const chainKey = schemaChain(orgId);
    const [entry] = await this.chains.entries(chainKey, entryPosition, 1);
    const opened = entry && (await openEntry(entry.coseSign1, this.vault.keyOf));
    if (opened?.header.chain?.chainKey !== chainKey || opened.header.chain.position !== entryPosition) return false;
    const sealed = opened.predicate;
    return sealed['entryType'] === 'SCHEMA_REGISTERED' && sealed['orgId'] === orgId && sealed['publisher'] === publisher && sealed['type'] === type && sealed['version'] === version && sealed['manifestDigest'] === digest;
  }
}

export const manifestDrift = ({ type, version }: { readonly type: string; readonly version: number }): NotaryError =>
  new NotaryError('CONFLICT', `The stored manifest of ${type} version ${version} is not the one that was registered; nothing is signed on it.`, {
    reason: 'payload_drift',
    suggestion: 'Tell the operator: the database was changed behind the service. The schema chain still holds what was signed.',
  });
