import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { verifyingKeyOf } from '../../domain/identity/agent-public-key.ts';
import type { AgentKeyReads } from '../../domain/identity/identity-store.port.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import { readStatement, StatementError } from '../../domain/transparency/scitt-statement.ts';
import type {
  LogLeaf,
  RegisteredStatement,
  StatementLogReads,
} from '../../domain/transparency/statement-log.port.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { ChainScan } from '../../domain/vault/chain-store.port.ts';
import { openEntry, readEntry } from '../../domain/vault/open-entry.ts';
import { verifySignature, VerifyingKeys } from '../../domain/vault/signatures.ts';
import type { Vault } from '../sealing/vault.ts';
import type { CheckpointLog, CoveredEntries } from '../sealing/covered-entries.ts';
import { orgLogBroken } from './org-log-broken.ts';

export interface LeafSources {
  readonly chains: Pick<ChainScan, 'entriesAt'>;
  readonly statementLogs: Pick<StatementLogReads, 'statement'>;
}

/** Compares leaves with the signed bytes that they are the hashes of. */
export class GenuineLeaves {
  private readonly keys = new VerifyingKeys();

  constructor(
    private readonly vault: Pick<Vault, 'keyOf'>,
    private readonly agentKeys: Pick<AgentKeyReads, 'signingKeys'>,
    private readonly chains: Pick<ChainScan, 'entriesAt'>,
    private readonly covered: Pick<CoveredEntries, 'holds'>,
    private readonly log: CheckpointLog,
  ) {}

  /**
   * The hashes of these leaves, each of which follows the one before it.
   *
   * @throws CONFLICT with reason log_broken.
   */
  async hashes(
    orgId: Uuid,
    firstIndex: number,
    leaves: readonly LogLeaf[],
    sources: LeafSources,
  ): Promise<readonly Uint8Array[]> {
    leaves.forEach(({ index }, at) => {
      if (index !== firstIndex + at) throw orgLogBroken(`the leaf ${firstIndex + at} is missing`);
    });
    const entries = await entriesOf(leaves, sources.chains);
    await Promise.all(
      leaves.map(async (leaf) => {
        const isGenuine = leaf.entry
          ? await this.isEntry(orgId, leaf, entries.get(leaf))
          : await this.isStatement(leaf, await sources.statementLogs.statement(orgId, leaf.hash));
        if (!isGenuine) throw orgLogBroken(`the leaf ${leaf.index} is not what it says`);
      }),
    );
    return leaves.map(({ hash }) => hash);
  }

  /** Whether an entry was signed by this hub, at its place, for this org, while the key was its own. */
  async isOfOrg(orgId: Uuid, entry: ChainEntry): Promise<boolean> {
    if ((await this.sealedOrg(entry)) !== orgId) return false;
    const keyId = readEntry(entry.coseSign1)?.header.kid;
    return keyId !== undefined && this.covered.holds(entry, keyId, this.log);
  }

  /** A settlement signal names no org; the first entry of its chain does. Undefined where an entry does not verify. */
  private async sealedOrg(entry: ChainEntry): Promise<unknown> {
    const { chainKey, position } = entry;
    const opened = await openEntry(entry.coseSign1, this.vault.keyOf);
    const claim = opened?.header.chain;
    if (claim?.chainKey !== chainKey || claim.position !== position) return undefined;
    const { orgId } = opened!.predicate;
    if (orgId !== undefined || position === 1) return orgId;
    const first = (await this.chains.entriesAt([{ chainKey, position: 1 }])).get(chainKey);
    return first && this.sealedOrg(first);
  }

  private async isEntry(
    orgId: Uuid,
    leaf: LogLeaf,
    entry: ChainEntry | undefined,
  ): Promise<boolean> {
    return (
      entry !== undefined &&
      bytesEqual(leafHash(entry.coseSign1), leaf.hash) &&
      (await this.isOfOrg(orgId, entry))
    );
  }

  private async isStatement(leaf: LogLeaf, row: RegisteredStatement | null): Promise<boolean> {
    if (!row || !bytesEqual(leafHash(row.coseSign1), leaf.hash)) return false;
    try {
      const statement = readStatement(row.coseSign1);
      const keys = (await this.agentKeys.signingKeys([row.agentId])).get(row.agentId) ?? [];
      for (const { key } of keys) {
        const verifying = this.keys.of(verifyingKeyOf(key));
        if (
          verifying.key.algorithm === statement.algorithm &&
          (await verifySignature(verifying, statement.signature, statement.signed, 'any')) ===
            'valid'
        )
          return true;
      }
      return false;
    } catch (error) {
      if (error instanceof StatementError) return false;
      throw error;
    }
  }
}

/** One read gives one entry a chain, so a chain that stands there more often takes more of them. */
const entriesOf = async (
  leaves: readonly LogLeaf[],
  chains: LeafSources['chains'],
): Promise<ReadonlyMap<LogLeaf, ChainEntry>> => {
  const found = new Map<LogLeaf, ChainEntry>();
  let left = leaves.filter(({ entry }) => entry !== null);
  while (left.length > 0) {
    const first = new Map(left.toReversed().map((leaf) => [leaf.entry!.chainKey, leaf]));
    const entries = await chains.entriesAt([...first.values()].map(({ entry }) => entry!));
    for (const [chainKey, leaf] of first) {
      const entry = entries.get(chainKey);
      if (entry) found.set(leaf, entry);
    }
    left = left.filter((leaf) => first.get(leaf.entry!.chainKey) !== leaf);
  }
  return found;
};
