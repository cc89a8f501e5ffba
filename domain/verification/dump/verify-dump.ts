import { PLATFORM_CHAIN, chainKindOf } from '../../vault/chain-key.ts';
import { SignatureChecks } from '../../vault/signatures.ts';
import type { ChainRow } from '../chain-entry.ts';
import { NO_SUBJECT, type VerificationReport } from '../report.ts';
import { reported, type VerifyOptions } from '../reported.ts';
import { verifyChain, type ChainContext } from '../verify-chain.ts';
import { ChainCovers, WINDOW } from './chain-covers.ts';
import { CoverCheck } from './cover-check.ts';
import { StatementCopies, verifyDumpKeys } from './dump-keys.ts';
import type { DumpSource } from './dump-source.port.ts';
import { DumpTimestamps } from './dump-timestamps.ts';
import { readOrgReads } from './read-org-reads.ts';
import { dumpRows, type DumpRow } from './read-dump-rows.ts';
import { readCovers, verifyLog } from './verify-log.ts';

export interface VerifyDumpOptions extends Pick<
  VerifyOptions,
  'trust' | 'trustEmbedded' | 'agentKeys' | 'timestamps'
> {
  /** A root that the log of checkpoints must have had, lowercase hex: what an auditor wrote down before. */
  readonly expectRoot?: string | null;
  /** How many checkpoints are held in memory, at least. */
  readonly window?: number;
}

/**
 * Verifies a dump of the vault, offline: its keys, its log of checkpoints, then each chain as the log saw it. Memory does
 * not grow with the dump. Whatever it holds ends as a report.
 */
export const verifyDump = (
  source: DumpSource,
  options: VerifyDumpOptions,
): Promise<VerificationReport> =>
  reported(options, async (findings) => {
    const { trust, agentKeys = null, expectRoot = null, window = WINDOW } = options;
    const { outcome, statements } = await verifyDumpKeys(source, trust, findings);
    const signatures = new SignatureChecks();
    const context: ChainContext = { ring: outcome.ring, signatures, findings, agentKeys };
    const covers = new ChainCovers('', window);
    const stamps = new DumpTimestamps(options.timestamps ?? null, findings);
    const log = await verifyLog(source, outcome.hub, context, covers, { expectRoot, stamps });
    stamps.end();
    const copies = new StatementCopies(statements, findings);
    const chains = new Chains(source, outcome.hub, context, covers, copies, window);
    await chains.verify();
    copies.end();
    await readOrgReads(source, findings);
    await signatures.settled();
    const { entries, beyond } = chains;
    if (entries === 0 && log.size === 0 && statements.length === 0)
      findings.cannotTell('document', 'cannot tell: there is nothing in this dump');
    if (beyond > 0)
      findings.cannotTell(
        'completeness',
        `cannot tell: ${beyond} ${beyond === 1 ? 'entry is' : 'entries are'} newer than the newest checkpoint of ${beyond === 1 ? 'its chain' : 'their chains'}; nothing shows that none after them is missing`,
      );
    findings.looked('completeness', chains.count);
    return {
      subject: {
        ...NO_SUBJECT,
        kind: 'dump',
        entries,
        keyIds: [...outcome.ring.keys()],
        hubId: outcome.hub?.hubId ?? null,
        completeAsOf: beyond === 0 ? log.closedAt : null,
        evidence: { sealed: chains.evidence, present: 0, missing: [] },
        dump: { chains: chains.count, checkpoints: log.size, root: log.root },
      },
    };
  });

interface EntryMembers {
  readonly chain_key: string;
  readonly chain_position: number;
  readonly record_id: string | null;
  readonly entry_type: string;
  readonly signing_key_id: string;
  readonly previous_hash: string;
  readonly hash: string;
  readonly oidc_iss: string | null;
  readonly oidc_sub: string | null;
  readonly created_at: string;
}

/** Walks the chains in the order of the file, with the checkpoints of each beside it. */
class Chains {
  entries = 0;
  count = 0;
  /** Entries beyond the newest checkpoint of their chain. */
  beyond = 0;
  /** Pieces of evidence that entries seal. A dump holds none of them. */
  evidence = 0;
  private lastKey: string | null = null;
  private next: DumpRow<EntryMembers> | null = null;
  private readonly rows: AsyncIterator<DumpRow<EntryMembers> | null>;

  constructor(
    private readonly source: DumpSource,
    private readonly hub: Parameters<typeof verifyLog>[1],
    private readonly context: ChainContext,
    private covers: ChainCovers,
    private readonly copies: StatementCopies,
    private readonly window: number,
  ) {
    this.rows = dumpRows<EntryMembers>(source, 'audit_vault', context.findings)[
      Symbol.asyncIterator
    ]();
  }

  async verify(): Promise<void> {
    await this.advance();
    while (this.next) {
      const { chain_key: chainKey } = this.next.members;
      if (this.lastKey !== null && chainKey <= this.lastKey) {
        this.outOfOrder(this.next);
        await this.advance();
        continue;
      }
      this.lastKey = chainKey;
      await this.coverUpTo(chainKey);
      await this.chain(chainKey);
    }
    await this.coverUpTo(null);
  }

  private async chain(chainKey: string): Promise<void> {
    this.count++;
    const chainKind = chainKindOf(chainKey);
    const check = new CoverCheck(chainKey, this.covers.take(chainKey), this.context);
    const outcome = await verifyChain(
      this.entriesOf(chainKey, check),
      { chainKey, chainKind, area: chainKind === 'admin' ? 'keys' : 'chain', hub: this.hub },
      { ...this.context, cover: check.byRetiredKeys },
    );
    this.entries += outcome.entries;
    this.evidence += outcome.evidence.sealed;
    this.beyond += check.end();
  }

  private async *entriesOf(chainKey: string, check: CoverCheck): AsyncIterable<ChainRow> {
    while (this.next?.members.chain_key === chainKey) {
      const row = chainRowOf(this.next);
      check.entry(row);
      if (chainKey === PLATFORM_CHAIN) this.copies.entry(row);
      yield row;
      await this.advance();
    }
  }

  /** Holds the checkpoints of this chain; of chains before it that are not there it says so. Null: of all that follow. */
  private async coverUpTo(chainKey: string | null): Promise<void> {
    for (;;) {
      const { end } = this.covers;
      if (end === null ? chainKey !== null : chainKey !== null && chainKey < end) return;
      this.missing();
      if (end === null) return;
      this.covers = await readCovers(this.source, new ChainCovers(end, this.window));
    }
  }

  /** The chains of checkpoints that are left over stand nowhere in the file. */
  private missing(): void {
    for (const [cover] of this.covers.rest())
      if (cover)
        this.context.findings.fail(
          'checkpoints',
          'checkpoints',
          'CHECKPOINT_CHAIN_MISSING',
          { chainKey: cover.chainKey, position: cover.position },
          'the log has a checkpoint of this chain, and the dump has no entry of it',
        );
  }

  private outOfOrder({ members, line }: DumpRow<EntryMembers>): void {
    this.context.findings.fail(
      'positions',
      'chain',
      'CHAIN_POSITION_GAP',
      { chainKey: members.chain_key, position: members.chain_position },
      `line ${line} of audit_vault.ndjson is out of order: the chains ascend by their keys, and each stands in one place`,
    );
  }

  /** To the next row that can be read. */
  private async advance(): Promise<void> {
    for (;;) {
      const { done, value } = await this.rows.next();
      this.next = done ? null : value;
      if (done || value) return;
    }
  }
}

const chainRowOf = ({ members, bytes }: DumpRow<EntryMembers>): ChainRow => ({
  position: members.chain_position,
  entryType: members.entry_type,
  createdAt: members.created_at,
  coseSign1: bytes,
  hash: members.hash,
  previousHash: members.previous_hash,
  signingKeyId: members.signing_key_id,
  recordId: members.record_id,
  oidcIss: members.oidc_iss,
  oidcSub: members.oidc_sub,
});
