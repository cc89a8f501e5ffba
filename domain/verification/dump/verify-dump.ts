import { PLATFORM_CHAIN, chainKindOf } from '../../vault/chain-key.ts';
import { SignatureChecks } from '../../vault/signatures.ts';
import type { ChainRow } from '../chain-entry.ts';
import { CoSignatureLedger } from '../co-signature-ledger.ts';
import { NO_SUBJECT, type VerificationReport } from '../report.ts';
import { reported, type VerifyOptions } from '../reported.ts';
import { verifyChain, type ChainContext } from '../verify-chain.ts';
import type { AcknowledgedLosses } from '../acknowledged-losses.ts';
import { Certificates } from './certificates.ts';
import { ChainCovers, WINDOW } from './chain-covers.ts';
import { CoverCheck } from './cover-check.ts';
import { holdKeptInDump } from './kept-in-dump.ts';
import { NamedWitnesses } from './named-witnesses.ts';
import { StatementCopies, verifyDumpKeys } from './dump-keys.ts';
import type { DumpSource } from './dump-source.port.ts';
import { readLosses } from './read-losses.ts';
import type { DumpRow } from './read-dump-rows.ts';
import { RowCursor } from './row-cursor.ts';
import { DumpTimestamps } from './dump-timestamps.ts';
import { ToldChildren } from './told-children.ts';
import { readCovers, verifyLog } from './verify-log.ts';
import { verifyReadsLogs } from './verify-reads-logs.ts';

export interface VerifyDumpOptions extends Pick<
  VerifyOptions,
  'trust' | 'trustEmbedded' | 'agentKeys' | 'timestamps' | 'kept'
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
    const { trust, agentKeys = null, expectRoot = null, window = WINDOW, kept = [] } = options;
    const { outcome, statements } = await verifyDumpKeys(source, trust, findings);
    const signatures = new SignatureChecks();
    const context: ChainContext = {
      ring: outcome.ring,
      signatures,
      findings,
      agentKeys,
      coSignatures: new CoSignatureLedger(),
    };
    const covers = new ChainCovers('', window);
    const stamps = new DumpTimestamps(options.timestamps ?? null, findings);
    const log = await verifyLog(source, outcome.hub, context, covers, { expectRoot, stamps });
    stamps.end();
    const copies = new StatementCopies(statements, findings);
    const losses = await readLosses(source, findings);
    const certificates = new Certificates(losses, log.closedAt);
    const witnesses = new NamedWitnesses();
    const platform = [copies, witnesses];
    const judged = { ...context, certificates };
    const chains = new Chains(source, outcome.hub, judged, covers, platform, losses, window);
    await chains.verify();
    copies.end();
    const reads = await verifyReadsLogs(source, { ...context, hub: outcome.hub, witnesses });
    await signatures.settled();
    const { entries, beyond } = chains;
    if (entries === 0 && log.size === 0 && statements.length === 0)
      findings.cannotTell('document', 'cannot tell: there is nothing in this dump');
    if (beyond > 0)
      findings.cannotTell(
        'completeness',
        `cannot tell: ${beyond} ${beyond === 1 ? 'entry is' : 'entries are'} newer than the newest checkpoint of ${beyond === 1 ? 'its chain' : 'their chains'}; nothing shows that none after them is missing`,
      );
    if (reads.beyond > 0)
      findings.cannotTell(
        'orgReads',
        `cannot tell: ${reads.beyond} ${reads.beyond === 1 ? 'read is' : 'reads are'} newer than the newest checkpoint of ${reads.beyond === 1 ? 'its log' : 'their logs'}; nothing shows that none after them is missing`,
      );
    findings.looked('completeness', chains.count);
    return {
      kept: await holdKeptInDump(kept, source, outcome, losses, findings),
      subject: {
        ...NO_SUBJECT,
        kind: 'dump',
        entries,
        keyIds: [...outcome.ring.keys()],
        hubId: outcome.hub?.hubId ?? null,
        completeAsOf: beyond === 0 ? log.closedAt : null,
        evidence: { sealed: chains.evidence, present: 0, missing: [] },
        dump: {
          chains: chains.count,
          checkpoints: log.size,
          reads: reads.leaves,
          root: log.root,
        },
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
  private readonly rows: RowCursor<EntryMembers>;
  private readonly children: ToldChildren;

  constructor(
    private readonly source: DumpSource,
    private readonly hub: Parameters<typeof verifyLog>[1],
    private readonly context: ChainContext,
    private covers: ChainCovers,
    /** Shown each entry of the platform chain. */
    private readonly platform: readonly (StatementCopies | NamedWitnesses)[],
    private readonly losses: AcknowledgedLosses,
    private readonly window: number,
  ) {
    this.rows = new RowCursor(source, 'audit_vault', context.findings);
    this.children = new ToldChildren(losses, context.findings);
  }

  async verify(): Promise<void> {
    const { rows } = this;
    await rows.advance();
    while (rows.next) {
      const { chain_key: chainKey } = rows.next.members;
      if (this.lastKey !== null && chainKey <= this.lastKey) {
        this.outOfOrder(rows.next);
        await rows.advance();
        continue;
      }
      this.lastKey = chainKey;
      await this.coverUpTo(chainKey);
      await this.chain(chainKey);
    }
    await this.coverUpTo(null);
    await this.children.end(this.source);
  }

  private async chain(chainKey: string): Promise<void> {
    this.count++;
    const chainKind = chainKindOf(chainKey);
    const check = new CoverCheck(chainKey, this.covers.take(chainKey), this.losses, this.context);
    const outcome = await verifyChain(
      this.entriesOf(chainKey, check),
      { chainKey, chainKind, area: chainKind === 'admin' ? 'keys' : 'chain', hub: this.hub },
      { ...this.context, cover: check.byRetiredKeys, reader: this.children },
    );
    this.entries += outcome.entries;
    this.evidence += outcome.evidence.sealed;
    this.children.endChain(chainKey, check.newestAt);
    this.beyond += check.end();
  }

  private async *entriesOf(chainKey: string, check: CoverCheck): AsyncIterable<ChainRow> {
    const { rows } = this;
    while (rows.next?.members.chain_key === chainKey) {
      const row = chainRowOf(rows.next);
      check.entry(row);
      if (chainKey === PLATFORM_CHAIN) for (const reader of this.platform) reader.entry(row);
      yield row;
      await rows.advance();
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
    for (const covers of this.covers.rest()) {
      const cover = covers.find(
        ({ chainKey, position, at }) => !this.losses.isLost(chainKey, position, at),
      );
      if (cover)
        this.context.findings.fail(
          'checkpoints',
          'checkpoints',
          'CHECKPOINT_CHAIN_MISSING',
          { chainKey: cover.chainKey, position: cover.position },
          'the log has a checkpoint of this chain, and the dump has no entry of it',
        );
    }
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
