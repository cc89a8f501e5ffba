import { longestCertEnd } from '../../domain/identity/platform-facts.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { REVOCATION_LISTS, revocationListKey } from '../../domain/vault/anchor-key.ts';
import type { AnchorStore } from '../../domain/vault/anchor.port.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import {
  MAX_REVOCATIONS,
  openRevocationList,
  sealRevocationList,
  type RevocationList,
} from '../../domain/vault/revocation-list.ts';
import { revocableName, revocablesIn, type Revocation } from '../../domain/vault/revocation.ts';
import type { Log } from '../ports/log.port.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { RewindGuard } from '../sealing/rewind-guard.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import { activeSeal } from '../sealing/active-seal.ts';
import type { AnchoredSuccession } from './anchored-succession.ts';
import type { UnprovenAnchors } from './unproven-anchors.ts';
import type { Vault } from '../sealing/vault.ts';

/** Lists that are read. Each holds what an earlier one knew and this database does not. */
const MAX_LISTS = 16;
/** Objects that are opened to find them: whoever can write the store can put any number there. */
const MAX_OPENED = 256;
/** Entries in one read. */
const PAGE = 500;

/** What the anchors know of revocations that the database does not. It is a report: nothing acts on it. */
export interface LostRevocationReport {
  /** Revoked before the database was put back, and usable again. Newest first. */
  readonly lost: readonly Revocation[];
  /** What was revoked before this time may be missing; null if nothing is. */
  readonly knownFrom: string | null;
  /** What was revoked after this time is missing; null if the anchors hold no list. */
  readonly knownTo: string | null;
}

/**
 * Keeps the newest revocations beside the anchors, and finds those that an older copy of the database does not know. Such a
 * copy brings revoked keys back, and its own chain cannot say so. A thing is lost as long as the newest act that the anchors
 * know of it is a revocation, and the platform chain has it without one, or without a later act.
 */
export class LostRevocations {
  private lists: readonly RevocationList[] = [];
  /** The newest act on each thing in the lists. */
  private anchored: readonly Revocation[] = [];
  private found: readonly Revocation[] = [];
  /** Whether the platform chain knows what has this name. Ids are never given twice, so an answer stays true. */
  private readonly known = new Map<string, boolean>();

  constructor(
    private readonly anchors: AnchorStore | null,
    private readonly unitOfWork: UnitOfWork,
    private readonly chains: Pick<ChainReads, 'entries'>,
    private readonly vault: Vault,
    private readonly ledger: PlatformLedger,
    private readonly succession: Pick<AnchoredSuccession, 'lost'>,
    private readonly unproven: Pick<UnprovenAnchors, 'note'>,
    private readonly guard: Pick<RewindGuard, 'isRewound'>,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  get lost(): readonly Revocation[] {
    return this.found;
  }

  get report(): LostRevocationReport {
    const [newest] = [...this.lists].sort((a, b) => b.at.localeCompare(a.at));
    return {
      lost: this.found,
      knownFrom: newest?.from ?? null,
      knownTo: newest?.at ?? null,
    };
  }

  /**
   * Reads the lists beside the anchors, and compares them.
   *
   * @throws AnchorError
   */
  async read(): Promise<void> {
    if (!this.anchors) return;
    const keys = await newestKeys(this.anchors);
    if (keys.length > 0) this.lists = await this.open(this.anchors, keys);
    this.anchored = newestOfEach(this.lists.flatMap(({ revocations }) => revocations));
    await this.compare();
  }

  /** Compares the lists that were read with the platform chain as it is now. */
  async compare(): Promise<void> {
    if (!this.anchored.some(({ isRevoked }) => isRevoked)) return;
    const facts = await this.ledger.factsNow();
    const now = this.clock.now().getTime();
    const candidates = this.anchored.filter((one) => {
      const own = facts.revocationOf(revocableName(one));
      return one.isRevoked && !isOver(one, now) && !(own && (own.isRevoked || own.at >= one.at));
    });
    await this.lookUp(candidates.map(revocableName));
    const lost = candidates.filter((one) => this.known.get(revocableName(one)));
    if (lost.length > this.found.length)
      this.log.error(
        { total: lost.length, first: lost.slice(0, 20).map(revocableName) },
        'the database was put back: what was revoked since then can be used again. Revoke it again',
      );
    this.found = lost;
  }

  /**
   * Writes a list beside the anchors, unless one says the same already.
   *
   * @throws AnchorError
   */
  async keep(): Promise<void> {
    if (!this.anchors || this.guard.isRewound(PLATFORM_CHAIN)) return;
    await this.read();
    const facts = await this.ledger.factsNow();
    const now = this.clock.now();
    // What is lost comes first: a list of this database must not hide what an earlier one knew.
    const others = [...facts.revocations()].filter((one) => !isOver(one, now.getTime()));
    const all = newestOfEach([...this.found, ...others]);
    const lost = new Set(this.found.map(revocableName));
    const revocations = [
      ...all.filter((one) => lost.has(revocableName(one))),
      ...all.filter((one) => !lost.has(revocableName(one))),
    ].slice(0, MAX_REVOCATIONS);
    const same = JSON.stringify(revocations);
    if (
      revocations.length === 0 ||
      this.lists.some((list) => JSON.stringify(list.revocations.map(plain)) === same)
    )
      return;
    const list: RevocationList = {
      at: now.toISOString(),
      from: all.length > revocations.length ? revocations.at(-1)!.at : null,
      revocations,
    };
    const coseSign1 = await this.unitOfWork.transaction(async (stores) =>
      sealRevocationList(await activeSeal(stores, this.vault), this.vault.hub.predicateBase, list),
    );
    await this.anchors.put(revocationListKey(list.at, coseSign1), coseSign1);
    await this.read();
  }

  private async open(
    anchors: AnchorStore,
    keys: readonly string[],
  ): Promise<readonly RevocationList[]> {
    const lists: RevocationList[] = [];
    const lost = await this.succession.lost(anchors);
    const keyOf = async (keyId: string) => (await this.vault.keyOf(keyId)) ?? lost.keyOf(keyId);
    for (const key of keys) {
      if (lists.length === MAX_LISTS) break;
      const bytes = await anchors.get(key);
      if (!bytes) continue;
      const list = await openRevocationList(bytes, this.vault.hub.hubId, keyOf);
      if (list && revocationListKey(list.at, bytes) === key) lists.push(list);
      else this.unproven.note(key, 'it is no list of revocations that this hub signed');
    }
    return lists;
  }

  /** Learns from the platform chain which of these it ever had: what was made after the backup is gone, and not usable. */
  private async lookUp(names: readonly string[]): Promise<void> {
    const wanted = new Set(names.filter((name) => !this.known.has(name)));
    for (const name of wanted) this.known.set(name, false);
    for (let next = 1; wanted.size > 0;) {
      const page = await this.chains.entries(PLATFORM_CHAIN, next, PAGE);
      for (const { coseSign1 } of page)
        for (const name of revocablesIn(readEntry(coseSign1)?.predicate ?? {}))
          if (wanted.delete(name)) this.known.set(name, true);
      if (page.length < PAGE) return;
      next += page.length;
    }
  }
}

/** A certificate that was revoked so long ago has ended by itself. */
const isOver = ({ kind, at }: Revocation, now: number): boolean =>
  kind === 'certificate' && longestCertEnd(at) < now;

/** In the order of members in which a list is compared with another. */
const plain = ({ kind, id, entryType, isRevoked, at }: Revocation): Revocation => ({
  kind,
  id,
  entryType,
  isRevoked,
  at,
});

/** Of each thing the newest act, the newest first. */
const newestOfEach = (revocations: readonly Revocation[]): readonly Revocation[] => {
  const newest = new Map<string, Revocation>();
  for (const one of revocations) {
    const name = revocableName(one);
    if (one.at >= (newest.get(name)?.at ?? '')) newest.set(name, plain(one));
  }
  return [...newest]
    .sort(([a, x], [b, y]) => y.at.localeCompare(x.at) || a.localeCompare(b))
    .map(([, one]) => one);
};

/** The keys of the newest lists. Of a store that somebody filled, only some are held in memory. */
const newestKeys = async (anchors: AnchorStore): Promise<readonly string[]> => {
  let keys: string[] = [];
  const newest = (): string[] => [...new Set(keys)].sort().reverse().slice(0, MAX_OPENED);
  for await (const { key } of anchors.list(REVOCATION_LISTS))
    if (keys.push(key) > 4 * MAX_OPENED) keys = newest();
  return newest();
};
