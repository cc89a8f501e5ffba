import { bytesEqual } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { orgOfLog, statementLog } from '../../domain/transparency/statement-log.port.ts';
import { schemaChain, schemaChainOrg, type ChainKey } from '../../domain/vault/chain-key.ts';
import { GENESIS_HASH, type ChainHead } from '../../domain/vault/chain.ts';
import type { TreeHead } from '../../domain/vault/checkpoint.ts';
import type { ChainWriter } from '../sealing/chain-writer.ts';
import type { UncoveredChain } from '../sealing/grown-chains.ts';
import type { ToCover } from '../sealing/seal-checkpoint.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { LogPaths } from './log-paths.ts';
import { orgLogBroken } from './org-log-broken.ts';
import type { LogSources, OrgLogs } from './org-logs.ts';

/** What the checkpoint of a schema chain says: the head of the chain, and that of the log of its org. */
export class CoverLogs {
  constructor(
    private readonly writer: Pick<ChainWriter, 'lockVerified'>,
    private readonly logs: OrgLogs,
    /** What is committed. */
    private readonly reads: LogSources,
  ) {}

  /**
   * These heads, with the tree where one is of a schema chain.
   *
   * @param stores of a unit of work; null reads what is committed.
   * @param found is told of schema chains whose log is not the one that was signed; they are left out.
   */
  async withTrees(
    heads: readonly ChainHead[],
    stores: LogSources | null,
    found: (uncovered: UncoveredChain) => void,
  ): Promise<readonly ToCover[]> {
    const items: ToCover[] = [];
    for (const head of heads) {
      const orgId = schemaChainOrg(head.chainKey);
      const tree =
        orgId && (await this.unlessBroken(head.chainKey, found, () => this.tree(orgId, stores)));
      if (tree) items.push({ head, tree });
      else if (orgId === null) items.push({ head });
    }
    return items;
  }

  /** The head of the org's schema chain, locked and verified, at position 0 where it has no entry yet. */
  async ofOrg(stores: Stores, orgId: Uuid): Promise<ToCover & { readonly tree: TreeHead }> {
    const { head, at } = await this.writer.lockVerified(stores, schemaChain(orgId));
    const empty = { chainKey: schemaChain(orgId), position: 0, hash: GENESIS_HASH, at };
    return { head: head ?? empty, tree: await this.tree(orgId, stores) };
  }

  /** The orgs whose logs are longer than what was signed of them, each held against that. */
  async *grown(found: (uncovered: UncoveredChain) => void): AsyncGenerator<Uuid> {
    let after = '';
    for (;;) {
      const next = await this.reads.statementLogs.next(after);
      if (!next) return;
      after = next.log;
      const orgId = orgOfLog(next.log);
      const grows = await this.unlessBroken(schemaChain(orgId), found, async () => {
        const signed = await this.logs.signedHead(orgId, this.reads);
        if (signed && signed.size >= next.size) return false;
        await this.tree(orgId, null);
        return true;
      });
      if (grows) yield orgId;
    }
  }

  /** Reads every log that grew to its end, so that the units of work that follow find little in them that is new. */
  async readAhead(): Promise<void> {
    const grown = this.grown(() => undefined);
    while (!(await grown.next()).done);
  }

  private async unlessBroken<T>(
    chainKey: ChainKey,
    found: (uncovered: UncoveredChain) => void,
    work: () => Promise<T>,
  ): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotaryError) || error.members.reason !== 'log_broken') throw error;
      found({ chainKey, finding: 'payload_drift' });
      return null;
    }
  }

  /** The tree as it stands. Before it is signed it is held against the one that was signed last: it has to begin with it. */
  private async tree(orgId: Uuid, stores: LogSources | null): Promise<TreeHead> {
    const sources = stores ?? this.reads;
    const { size, root } = stores
      ? await this.logs.open(orgId, stores)
      : await this.logs.committed(orgId);
    const signed = await this.logs.signedHead(orgId, sources);
    if (!signed || signed.size === 0) return { size, root };
    const log = statementLog(orgId);
    if (signed.size > size)
      throw orgLogBroken(`it has ${size} leaves, and ${signed.size} were signed`);
    const proof = await new LogPaths(sources.trees).consistency(log, signed.size, size);
    if (!bytesEqual(proof.fromRoot, signed.root) || !bytesEqual(proof.toRoot, root))
      throw orgLogBroken(
        `its ${size} leaves do not begin with the ${signed.size} that were signed`,
      );
    return { size, root };
  }
}
