import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { PlatformFacts } from '../../../domain/identity/platform-facts.ts';
import {
  chainKindOf,
  PLATFORM_CHAIN,
  schemaChain,
  schemaChainOrg,
  type ChainKey,
} from '../../../domain/vault/chain-key.ts';
import { SignatureChecks } from '../../../domain/vault/signatures.ts';
import { AcknowledgedLosses } from '../../../domain/verification/report/acknowledged-losses.ts';
import { CoSignatureLedger } from '../../../domain/verification/co-signature/co-signature-ledger.ts';
import { ChainCovers, WINDOW } from '../../../domain/verification/dump/chain-covers.ts';
import { StatementCopies } from '../../../domain/verification/dump/dump-keys.ts';
import type { DumpSource } from '../../../domain/verification/dump/rows/dump-source.port.ts';
import { DumpTimestamps } from '../../../domain/verification/dump/dump-timestamps.ts';
import { SealedReads } from '../../../domain/verification/dump/sealed-reads.ts';
import { NamedWitnesses } from '../../../domain/verification/dump/named-witnesses.ts';
import { laneKeysOf, oneLane } from '../../../domain/verification/dump/lane-work.ts';
import { Lanes } from '../../../domain/verification/dump/lanes.ts';
import { coversIn, type Cover } from '../../../domain/verification/dump/rows/packed-cover.ts';
import { PlatformRegistry } from '../../../domain/verification/dump/registry/platform-registry.ts';
import { readPlatform } from '../../../domain/verification/dump/read-platform.ts';
import { RegistryCheck } from '../../../domain/verification/dump/registry/registry-check.ts';
import { TellingSteps } from '../../../domain/verification/dump/telling-step.ts';
import { ToldChildren } from '../../../domain/verification/dump/told-children.ts';
import { HeldCovers } from '../../../domain/verification/dump/verify-chains.ts';
import { verifyLog } from '../../../domain/verification/dump/verify-log.ts';
import { compareRounds } from './compare-rounds.ts';
import { compareSealedRows } from './compare-sealed-rows.ts';
import { scanKeys, type ScannedKeys } from './scan-keys.ts';
import { ScanFaults, type ChainFaults } from './scan-faults.ts';
import { compareNodes, logSource } from './scan-log.ts';
import type { ScanProgress, ScanResult } from '../../ports/scan-result.ts';
import type { ScanSnapshot } from './scan-snapshot.port.ts';
import { ScannedChain } from './scanned-chain.ts';
import { ScannedLeaves, type LoggedEntry } from './scanned-leaves.ts';
import { ScannedLogs } from './scanned-logs.ts';
import { ScannedReads } from './scanned-reads.ts';
import { ScannedRows } from './scanned-rows.ts';
import { ScannedTypes } from './scanned-types.ts';
import { WalkedFaults } from './walked-faults.ts';
import type { ScanOptions } from './vault-scanner.port.ts';

/**
 * Verifies every chain of one moment of the database as an auditor would, and compares the rows that decide something
 * with what the chains say. Whatever is wrong is listed, and the scan goes on. Memory grows
 * with the record types, the orgs and the rows that the platform chain tells of, by some 64 bytes for each delegated record
 * and each co-signed entry, and not with the chains.
 *
 * @throws the reason of `stopping`
 */
export const scanVault = async (
  snapshot: ScanSnapshot,
  { fingerprint, onProgress, stopping }: ScanOptions,
): Promise<ScanResult> => {
  const begun = performance.now();
  const faults = new ScanFaults();
  const scan = new VaultScan(snapshot, faults, { onProgress, stopping });
  await scan.run(fingerprint);
  const durationMs = Math.round(performance.now() - begun);
  return { ...faults.result, ...scan.progress, durationMs };
};

const PROGRESS_MS = 1_000;

class VaultScan {
  private entries = 0;
  private chains = 0;
  private toldAt = -Infinity;
  private readonly signatures = new SignatureChecks();
  private readonly types = new ScannedTypes();
  private readonly platformFacts = new PlatformFacts();
  private readonly platform: ChainFaults;
  private readonly schemas = new Map<ChainKey, ChainFaults>();
  private readonly rows: ScannedRows;
  private readonly source: DumpSource;
  private covers!: HeldCovers;
  private losses!: AcknowledgedLosses;
  private registry: PlatformRegistry | null = null;
  private readonly walked = new WalkedFaults();
  private children!: ToldChildren;
  private readonly steps = new TellingSteps();
  private readonly coSignatures = new CoSignatureLedger();
  private readonly witnesses = new NamedWitnesses();
  private readonly sealedReads: SealedReads;
  private leaves!: ScannedLeaves;
  private keys!: ScannedKeys;
  private copies!: StatementCopies;

  constructor(
    private readonly snapshot: ScanSnapshot,
    private readonly faults: ScanFaults,
    private readonly told: Pick<ScanOptions, 'onProgress' | 'stopping'>,
  ) {
    this.platform = faults.ofChain(PLATFORM_CHAIN);
    this.sealedReads = new SealedReads(this.platform);
    this.rows = new ScannedRows(snapshot, faults, this.types);
    this.source = logSource(snapshot);
  }

  get progress(): ScanProgress {
    return { entries: this.entries, chains: this.chains };
  }

  async run(fingerprint: string): Promise<void> {
    const { snapshot, platform, source } = this;
    this.keys = await scanKeys(snapshot, fingerprint, platform);
    const { ring, hub } = this.keys.outcome;
    this.copies = new StatementCopies(
      this.keys.statements.map((statement) => ({
        ...statement,
        position: statement.chainPosition,
      })),
      platform,
    );
    const lane = oneLane(null)({
      keys: laneKeysOf(ring),
      hub,
      agentKeys: null,
      losses: [],
      registry: null,
    });
    const lanes = new Lanes(lane);
    const covers = new ChainCovers('');
    await verifyLog(
      source,
      lanes,
      { ring, findings: platform },
      covers,
      // Time stamps are compared on their own: who the authorities are is not known here.
      { expectRoot: null, stamps: new DumpTimestamps(null, platform) },
    );
    this.covers = new HeldCovers(source, lanes, covers, WINDOW);
    const { losses, registry } = await readPlatform(source);
    this.losses = new AcknowledgedLosses(losses);
    this.registry = registry && PlatformRegistry.of(registry);
    this.children = new ToldChildren(this.losses, this.walked);
    this.leaves = new ScannedLeaves(snapshot.logs, this.losses, (chainKey) =>
      this.schemaFaults(chainKey),
    );
    await compareNodes(snapshot, platform);
    for await (const page of snapshot.recordTypes()) page.forEach((row) => this.types.take(row));
    await this.walk();
    this.copies.end();
    this.types.compare((orgId) => this.schemaFaults(schemaChain(orgId)));
    await compareSealedRows(snapshot, this.platformFacts, platform, () => this.tell());
    await this.compareLogs();
    platform.close();
    for (const schema of this.schemas.values()) schema.close();
  }

  private async walk(): Promise<void> {
    let open: ScannedChain | null = null;
    let closed: ScannedChain[] = [];
    for await (const page of this.snapshot.entries()) {
      const logged: LoggedEntry[] = [];
      for (const stored of page) {
        if (open?.chainKey !== stored.chainKey) {
          if (open) {
            this.endChain(open);
            closed.push(open);
          }
          open = await this.open(stored.chainKey);
        }
        this.entries++;
        open.entry(stored);
        this.children.show(this.steps.take());
        logged.push({
          ...stored,
          coseSign1: stored.entry?.coseSign1 ?? null,
          orgId: open.orgId,
        });
        if (this.signatures.full) await this.signatures.room();
      }
      await this.leaves.compare(logged);
      await this.finish(closed, closed.at(-1)?.chainKey ?? '');
      closed = [];
      this.tell();
    }
    if (open) this.endChain(open);
    await this.leaves.compare(null);
    await this.finish(open ? [open] : [], null);
    await this.coversOf(null);
    this.tell();
  }

  /** Before the next one is opened: what is found of children belongs to the chain that tells of them. */
  private endChain({ chainKey, coveredAt }: ScannedChain): void {
    this.steps.endChain(chainKey, coveredAt);
    this.children.show(this.steps.take());
  }

  private async open(chainKey: ChainKey): Promise<ScannedChain> {
    const covers = await this.coversOf(chainKey);
    this.chains++;
    const { ring, hub } = this.keys.outcome;
    const { signatures, losses, coSignatures, registry } = this;
    const faults = this.faultsOf(chainKey);
    this.walked.chain = faults;
    const context = {
      ring,
      hub,
      signatures,
      losses,
      coSignatures,
      // One moment of the database: whatever acted is on the platform chain of it.
      ...(registry
        ? { registry: new RegistryCheck(registry, chainKindOf(chainKey), () => true) }
        : {}),
      reader: this.steps,
      covers,
    };
    if (chainKey === PLATFORM_CHAIN)
      return new ScannedChain(
        chainKey,
        faults,
        context,
        (row) => {
          this.copies.entry(row);
          this.witnesses.entry(row);
          this.sealedReads.entry(row);
        },
        (predicate, position) => this.takePlatform(predicate, position),
      );
    const orgId = schemaChainOrg(chainKey);
    if (orgId !== null)
      return new ScannedChain(
        chainKey,
        faults,
        context,
        () => undefined,
        (predicate) => this.types.entry(orgId, predicate),
      );
    return new ScannedChain(chainKey, faults, context);
  }

  private faultsOf(chainKey: ChainKey): ChainFaults {
    const kind = chainKindOf(chainKey);
    if (kind === 'admin') return this.platform;
    return kind === 'schema' ? this.schemaFaults(chainKey) : this.faults.ofChain(chainKey);
  }

  private schemaFaults(chainKey: ChainKey): ChainFaults {
    const known = this.schemas.get(chainKey) ?? this.faults.ofChain(chainKey);
    this.schemas.set(chainKey, known);
    return known;
  }

  /** An entry of another form was reported, and says nothing of rows. */
  private takePlatform(predicate: JsonObject, position: number): void {
    try {
      this.platformFacts.take(predicate, position);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    }
  }

  /** Compares chains that came to their end with the rows up to there; null: with all that are left. */
  private async finish(closed: readonly ScannedChain[], upTo: ChainKey | null): Promise<void> {
    if (closed.length === 0 && upTo !== null) return;
    for (const chain of closed) chain.end();
    await this.signatures.settled();
    await this.rows.compare(closed, upTo);
    for (const { chainKey, faults } of closed)
      if (chainKindOf(chainKey) === 'record' || chainKindOf(chainKey) === null) faults.close();
  }

  /** The checkpoints of this chain; of chains before it that are not there it says so. Null: of all that are left. */
  private async coversOf(chainKey: ChainKey | null): Promise<readonly Cover[]> {
    const own: Cover[] = [];
    let gone: ChainKey | null = null;
    for (const cover of coversIn(await this.covers.upTo(chainKey))) {
      if (cover.chainKey === chainKey) own.push(cover);
      else if (cover.chainKey !== gone && !this.isLost(cover)) {
        gone = cover.chainKey;
        this.faults.gone(
          gone,
          'CHECKPOINT_CHAIN_MISSING',
          `the log has a checkpoint at position ${cover.position} of a chain that has no entry`,
        );
      }
    }
    return own;
  }

  private isLost({ chainKey, position, at }: Cover): boolean {
    return this.losses.isLost(chainKey, position, at);
  }

  private async compareLogs(): Promise<void> {
    const { snapshot, signatures, witnesses, sealedReads: sealed, platform, registry } = this;
    const { logs } = snapshot;
    const { ring, hub } = this.keys.outcome;
    await compareRounds(logs, this.platformFacts, platform);
    const faultsOf = (chainKey: ChainKey): ChainFaults => this.schemaFaults(chainKey);
    await new ScannedLogs(logs, this.losses, faultsOf).compare(() => this.tell());
    const reads = new ScannedReads(logs, this.faults, platform);
    const counted = await reads.verify(this.source, {
      ring,
      hub,
      signatures,
      witnesses,
      sealed,
      registry,
    });
    this.chains += counted.logs;
    this.entries += counted.leaves;
  }

  private tell(): void {
    this.told.stopping.throwIfAborted();
    if (performance.now() - this.toldAt < PROGRESS_MS) return;
    this.toldAt = performance.now();
    this.told.onProgress(this.progress);
  }
}
