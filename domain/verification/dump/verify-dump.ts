import { SignatureChecks } from '../../vault/signatures.ts';
import { CoSignatureLedger } from '../co-signature/co-signature-ledger.ts';
import { AcknowledgedLosses } from '../report/acknowledged-losses.ts';
import type { ChainKey } from '../../vault/chain-key.ts';
import { NO_SUBJECT, type VerificationReport } from '../report/report.ts';
import { reported, type VerifyOptions } from '../formats/reported.ts';
import { judgeRetiredSince } from '../formats/retired-since.ts';
import { ChainCovers, WINDOW } from './chain-covers.ts';
import { CoSignatureReplay } from './deferred-co-signatures.ts';
import { StatementCopies, verifyDumpKeys } from './dump-keys.ts';
import type { DumpSource } from './rows/dump-source.port.ts';
import { DumpTimestamps } from './dump-timestamps.ts';
import { holdKeptInDump } from './kept-in-dump.ts';
import type { OpenLanes } from './lane.port.ts';
import { laneKeysOf, oneLane } from './lane-work.ts';
import { Lanes } from './lanes.ts';
import { NamedWitnesses } from './named-witnesses.ts';
import { secondsOf, PlatformRegistry } from './registry/platform-registry.ts';
import { readPlatform } from './read-platform.ts';
import { RegisteredTypes } from './registry/registered-types.ts';
import { SealedReads } from './sealed-reads.ts';
import { ToldChildren } from './told-children.ts';
import { verifyChains } from './verify-chains.ts';
import { verifyLog } from './verify-log.ts';
import { verifyReadsLogs } from './verify-reads-logs.ts';

export interface VerifyDumpOptions extends Pick<
  VerifyOptions,
  'trust' | 'trustEmbedded' | 'agentKeys' | 'timestamps' | 'kept' | 'now'
> {
  /** A root that the log of checkpoints must have had, lowercase hex: what an auditor wrote down before. */
  readonly expectRoot?: string | null;
  /** How many checkpoints are held in memory, at least. */
  readonly window?: number;
  /** Where the parts of the log and the chains are verified; without it, here. */
  readonly lanes?: OpenLanes | undefined;
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
    const { ring, hub } = outcome;
    const { losses, registry } = await readPlatform(source);
    const lost = new AcknowledgedLosses(losses);
    const covers = new ChainCovers('', window);
    const stamps = new DumpTimestamps(options.timestamps ?? null, findings);
    const copies = new StatementCopies(statements, findings);
    const witnesses = new NamedWitnesses();
    const sealed = new SealedReads(findings);
    const opened = (options.lanes ?? oneLane(null))({
      keys: laneKeysOf(ring),
      hub,
      agentKeys,
      losses,
      registry,
    });
    const lanes = new Lanes(opened);
    const { log, chains } = await (async () => {
      try {
        const context = { ring, findings };
        const log = await verifyLog(source, lanes, context, covers, { expectRoot, stamps });
        stamps.end();
        judgeRetiredSince(outcome, stamps.stampedAt(log.size), findings);
        for (const loss of losses) findings.lost(loss);
        const { closedBy, closedAt, heads } = log;
        const ends = {
          closedAt: secondsOf(closedAt ?? undefined),
          newestOf: (chainKey: ChainKey) => heads.newestOf(chainKey),
        };
        const chains = await verifyChains(source, lanes, { covers, window, closedBy }, findings, {
          platform: [copies, witnesses, sealed],
          children: new ToldChildren(lost, findings),
          types: new RegisteredTypes(lost, ends, findings),
          coSignatures: new CoSignatureReplay(new CoSignatureLedger(), findings),
        });
        return { log, chains };
      } finally {
        await opened.end();
      }
    })();
    copies.end();
    const signatures = new SignatureChecks();
    const context = {
      ring,
      signatures,
      findings,
      hub,
      witnesses,
      sealed,
      registry: registry && PlatformRegistry.of(registry),
    };
    const reads = await verifyReadsLogs(source, context);
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
    for (const { keyId, retirement } of ring.values())
      if (retirement && retirement.uncovered > 0)
        findings.cannotTell(
          'completeness',
          `cannot tell: the retirement of the key ${keyId} says that ${retirement.uncovered} ${retirement.uncovered === 1 ? 'chain or log' : 'chains or logs'} could not be covered; nothing shows which, and what they held may be missing`,
        );
    findings.looked('completeness', chains.count);
    return {
      kept: await holdKeptInDump(kept, source, outcome, lost, findings),
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
