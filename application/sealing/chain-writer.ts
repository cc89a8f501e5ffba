import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { RecordFacts } from '../../domain/record/record-facts.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { ChainScan } from '../../domain/vault/chain-store.port.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import {
  nextAt,
  sealEntry,
  type ChainEntry,
  type ChainHead,
  type Seal,
} from '../../domain/vault/chain.ts';
import type { Statement } from '../../domain/vault/statement.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Measures } from '../ports/measures.port.ts';
import type { CoveredEntries } from './covered-entries.ts';
import type { Vault } from './vault.ts';
import { factsBehind } from './entries-behind.ts';
import { payloadDrift, verifyHead } from './head-check.ts';
import type { OpenChain } from './open-chain.ts';
import type { Origin } from './origin.ts';
import type { RewindSigns } from './rewind-signs.ts';
import { OwnEntries } from './own-entries.ts';
import { OwnHeads, type OwnLeaf } from './own-heads.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';

/** The columns of an entry that say what it is about. */
export type EntrySubject = Pick<ChainEntry, 'entryType' | 'recordId' | 'orgId'>;

/**
 * Opens chains and appends signed entries to them. Everything that is sealed while the service runs goes through here,
 * whatever it is about; the classes beside it say what their entries say.
 */
export class ChainWriter {
  private readonly ownHeads = new OwnHeads();
  private readonly ownEntries = new OwnEntries();
  /** Heads by retired keys that their retirements do not cover: they can be shown, and nothing is built on them. */
  private readonly uncovered = new WeakSet<ChainHead>();

  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly rewinds: RewindSigns,
    private readonly covered: Pick<CoveredEntries, 'holds'>,
    private readonly measures: Pick<Measures, 'sealed' | 'headVerified'> | null = null,
  ) {}

  get predicateBase(): string {
    return this.vault.hub.predicateBase;
  }

  /** A chain that this unit of work creates: nothing to read, nothing to lock. */
  begin(chainKey: ChainKey): OpenChain {
    return this.open(chainKey, null);
  }

  /** Locks a chain. Its head is not verified yet: whoever calls asks `headFacts` next, or `lockVerified` instead. */
  async lock(stores: Stores, chainKey: ChainKey): Promise<OpenChain> {
    return this.open(chainKey, await stores.chains.lockHead(chainKey));
  }

  /** Locks a chain that no row mirrors: only its head has to verify. */
  async lockVerified(stores: Stores, chainKey: ChainKey): Promise<OpenChain> {
    const chain = await this.lock(stores, chainKey);
    if (chain.head && !this.ownHeads.get(chain.head)) await this.verify(stores, chain.head);
    return chain;
  }

  /**
   * What the chain of a record says of it, up to this head. A head that this process did not write is verified first.
   *
   * @throws CONFLICT with reason payload_drift where it does not verify.
   */
  async headFacts(stores: Stores, head: ChainHead): Promise<RecordFacts> {
    const own = this.ownHeads.get(head);
    return own?.facts ?? factsBehind(stores, head, await this.verify(stores, head));
  }

  /** What of a look at all chains cannot be covered because it was rewound. */
  get rewound(): Pick<RewindSigns, 'isRewound' | 'losses'> {
    return this.rewinds;
  }

  /** Which of these heads are genuine: written by this process, or verified now. */
  async genuine(
    heads: readonly ChainHead[],
    scan: Pick<ChainScan, 'entriesAt'>,
  ): Promise<ReadonlySet<ChainHead>> {
    const others = heads.filter((head) => !this.ownHeads.get(head));
    const entries = await scan.entriesAt(others);
    const verified = await Promise.all(
      others.map(async (head) => {
        const entry = entries.get(head.chainKey) ?? null;
        if (entry && this.isOwnHead(head, entry)) return true;
        try {
          await verifyHead(head, entry, this.vault.keyOf);
          return true;
        } catch (error) {
          if (error instanceof NotaryError && error.members.reason === 'payload_drift')
            return false;
          throw error;
        }
      }),
    );
    const broken = new Set(others.filter((_head, at) => !verified[at]));
    return new Set(heads.filter((head) => !broken.has(head)));
  }

  /** Whether this process sealed these stored bytes at their place for this org; it is known of the newest entries alone. */
  sealedHere(orgId: Uuid, { chainKey, position, at, coseSign1 }: ChainEntry): boolean {
    return this.ownEntries.has({ chainKey, position, at, orgId }, sha256(coseSign1));
  }

  /** The leaf of the newest entry of a chain, which need not be read where this process wrote it; else null. */
  leafOf(head: Pick<ChainHead, 'chainKey' | 'position' | 'hash'>): OwnLeaf | null {
    return this.ownHeads.leafOf(head);
  }

  /** Whether this process sealed the stored bytes that this is the hash of, where the head says. */
  private isOwnHead(head: ChainHead, { orgId, coseSign1 }: ChainEntry): boolean {
    const { chainKey, position, hash, at } = head;
    return (
      bytesEqual(sha256(coseSign1), hash) &&
      this.ownEntries.has({ chainKey, position, at, orgId }, hash)
    );
  }

  /** Signs a statement as the next entry of the chain. Nothing is written yet. Only a rotation names another key. */
  async seal(
    chain: OpenChain,
    statement: Statement,
    subject: EntrySubject,
    { actor }: Pick<Origin, 'actor'>,
    seal: Seal = this.vault.seal,
  ): Promise<SealedEntry> {
    // To acknowledge is what ends the refusal.
    if (subject.entryType !== 'REWIND_ACKNOWLEDGED') this.rewinds.assertWritable(chain.chainKey);
    if (chain.head && this.uncovered.has(chain.head))
      throw payloadDrift(chain.chainKey, 'a head by a retired key that nothing covers');
    const entry = await sealEntry(seal, chain.chainKey, chain.head, statement, {
      ...subject,
      at: chain.at,
      oidcIss: actor.oidc?.iss ?? null,
      oidcSub: actor.oidc?.sub ?? null,
    });
    return { ...entry, canonicalization: seal.canonicalization };
  }

  /**
   * Appends entries, each sealed after the one before it.
   *
   * @param facts of the record after the last of them, so that its head need not be verified again by this process;
   *   'no-row' for a chain that no row mirrors, null if nobody is expected to continue the chain.
   */
  async append(
    { chains }: Pick<Stores, 'chains'>,
    chain: OpenChain,
    entries: readonly [ChainEntry, ...ChainEntry[]],
    facts: RecordFacts | 'no-row' | null,
  ): Promise<void> {
    // The first entry of a record's chain has no head to move, and nobody to wait for.
    await (entries[0].recordId && !chain.head
      ? chains.begin(entries[0])
      : chains.append(...entries));
    for (const entry of entries) {
      this.ownEntries.remember(entry);
      this.measures?.sealed(entry.entryType);
    }
    if (facts)
      this.ownHeads.remember(entries.at(-1) ?? entries[0], facts === 'no-row' ? null : facts);
  }

  private open(chainKey: ChainKey, head: ChainHead | null): OpenChain {
    return { chainKey, head, at: nextAt(this.clock.now(), head, this.vault.seal) };
  }

  private async verify(stores: Stores, head: ChainHead) {
    const entry = await stores.chains.headEntry(head.chainKey);
    // The row of the head may name an entry that is gone.
    const isCut = (entry?.position ?? 0) < head.position;
    const end = isCut
      ? { chainKey: head.chainKey, position: entry?.position ?? 0, hash: entry?.hash ?? null }
      : head;
    await this.rewinds.compare(stores.checkpoints, end, isCut || this.ownHeads.isBeyond(head));
    // A chain behind its checkpoint was rewound, whatever else does not fit. The platform chain still takes what ends that.
    if (head.chainKey !== PLATFORM_CHAIN && this.rewinds.isBehind(head.chainKey))
      this.rewinds.assertWritable(head.chainKey);
    const opened = await this.opened(head, entry);
    if (!(await this.covered.holds(head, opened.header.kid, stores))) this.uncovered.add(head);
    return opened;
  }

  private async opened(head: ChainHead, entry: ChainEntry | null) {
    try {
      const opened = await verifyHead(head, entry, this.vault.keyOf);
      this.measures?.headVerified(true);
      return opened;
    } catch (error) {
      this.measures?.headVerified(false);
      throw error;
    }
  }
}
