import type { ChildClaim } from '../../record/record-statement.ts';
import { STATUSES, type RecordStatus } from '../../record/record-status.ts';
import type { AcknowledgedLosses } from '../report/acknowledged-losses.ts';
import type { Findings } from '../report/report.ts';
import type { DumpSource } from './rows/dump-source.port.ts';
import { NameTable } from './registry/name-table.ts';
import { UnnamedChildren } from './unnamed-children.ts';
import type { TellingEnd, TellingEntry, TellingStep } from './telling-step.ts';

/**
 * A head may be read this long before the checkpoint of it is sealed, at most, clocks that differ included. In between the
 * chain may go on, and its parent seal that.
 */
const READ_AHEAD_SECONDS = 3_600;

/** Of a state: the low bits are the status. */
const STATUS = 15;
const FIRST = 16;
const SEEN = 32;
/** Of a child: its chain was walked. Above it are 7 bits of delegations, then the claims that wait for its chain. */
const WALKED = 1;
const DELEGATION = 2;
const DELEGATIONS = 0xfe;
const CLAIM = 256;

/** What an entry seals of a child. */
interface Told {
  readonly child: ChildClaim;
  readonly parent: string;
  readonly depth: number | null;
  readonly position: number;
  readonly isDelegation: boolean;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
}

/** The chain that is walked. */
interface Walked {
  readonly key: string;
  /** Empty where its record has none. */
  readonly parent: string;
  readonly isBeforeParent: boolean;
  /** Null before an entry that says it. */
  status: RecordStatus | null;
}

/**
 * Holds what the chains of a dump seal of the children of their records against the chains of these children, in whichever
 * order they come. It keeps two names a delegated record and one for each further state that its parent seals; where a
 * child stands before its parent, which is rare, one for each entry.
 */
export class ToldChildren {
  /** By child, parent and hash: the status that the record has with this entry. By child: what is known of its chain. */
  private readonly table = new NameTable();
  /** Claims that nothing has confirmed yet. */
  private open = 0;
  private chain: Walked | null = null;
  private readonly unnamed: UnnamedChildren;

  constructor(
    private readonly losses: AcknowledgedLosses,
    private readonly findings: Findings,
  ) {
    this.unnamed = new UnnamedChildren(losses);
  }

  /** What a part of the file says, part after part in its order. */
  show(steps: readonly TellingStep[]): void {
    for (const step of steps)
      if ('ends' in step) this.endChain(step);
      else this.entry(step);
  }

  private entry(entry: TellingEntry): void {
    const { chainKey: key, parent, position, to, at, isDelegation, children } = entry;
    if (this.chain?.key !== key)
      this.chain = { key, parent, isBeforeParent: parent > key, status: null };
    if (to !== null) this.chain.status = to;
    this.showEntry(this.chain, entry);
    const { childDepth: depth } = entry;
    for (const child of children)
      this.told({ child, parent: key, depth, position, isDelegation, at });
  }

  private endChain({ ends: chainKey, parent, last, coveredAt }: TellingEnd): void {
    this.chain = null;
    if (this.table.isEmpty && parent <= chainKey) return;
    const known = this.table.get(chainKey);
    if (!known && parent <= chainKey) return;
    const [waiting, newest] = known ?? [0, 0];
    const covered = coveredAt === null ? 0 : secondsOf(coveredAt);
    if (waiting >= CLAIM && isSettled(newest, covered)) {
      this.open -= Math.floor(waiting / CLAIM);
      this.fail(
        chainKey,
        last,
        'the chain of its parent seals a state of it that is none of those here, long before the newest checkpoint',
      );
    }
    this.table.set(chainKey, WALKED, covered);
  }

  async end(source: DumpSource): Promise<void> {
    const { open } = this;
    const unnamed = await this.unnamed.judge(source, READ_AHEAD_SECONDS * 1000);
    for (const child of unnamed.hidden)
      this.fail(child, 1, 'it names a parent whose chain in this dump goes on and never names it');
    if (unnamed.open > 0)
      this.findings.cannotTell(
        'completeness',
        `cannot tell: ${unnamed.open} ${unnamed.open === 1 ? 'record names a parent' : 'records name parents'} of which this dump does not hold the entry that names them`,
      );
    if (open > 0)
      this.findings.cannotTell(
        'completeness',
        `cannot tell: ${open} ${open === 1 ? 'state of a child is' : 'states of children are'} sealed on the chains of their parents, and the entries are not in this dump`,
      );
  }

  /** What the chain of a child says of itself. */
  private showEntry(
    { key, parent, status, isBeforeParent }: Walked,
    row: Pick<TellingEntry, 'position' | 'hash' | 'at' | 'ownDepth'>,
  ): void {
    // Nothing is told of a record yet, and nobody has to name it.
    if (status === null || (this.table.isEmpty && parent === '')) return;
    const name = stateName(key, parent, row.hash, row.ownDepth);
    const known = this.table.get(name)?.[0];
    const isFirst = row.position === 1;
    if (isFirst) this.showFirst(key, parent, known, row.at);
    if (known === undefined) {
      if (isBeforeParent) this.table.set(name, codeOf(status) | SEEN | (isFirst ? FIRST : 0));
      return;
    }
    if ((known & SEEN) !== 0) return;
    this.table.set(name, known | SEEN);
    this.confirm(key);
    if ((known & STATUS) !== codeOf(status))
      this.fail(key, row.position, 'the chain of its parent seals another status with this entry');
  }

  /** @param known what is told of the state with the hash of this entry. */
  private showFirst(key: string, parent: string, known: number | undefined, at: string): void {
    const delegations = ((this.table.get(key)?.[0] ?? 0) & DELEGATIONS) / DELEGATION;
    const isOwn = known !== undefined && (known & FIRST) !== 0;
    if (delegations > (isOwn ? 1 : 0))
      this.fail(
        key,
        1,
        'a chain that delegates it seals another first entry, stands at another depth, or is not its parent',
      );
    else if (parent !== '' && !isOwn) this.unnamed.add(key, parent, at);
  }

  private confirm(key: string): void {
    const [waiting, newest] = this.table.get(key) ?? [0, 0];
    if (waiting >= CLAIM) this.table.set(key, waiting - CLAIM, newest);
    this.open--;
    this.findings.looked('payloadBinding');
  }

  private told(told: Told): void {
    const { child, parent, depth, isDelegation, at } = told;
    const { id, headHash, status } = child;
    const { losses } = this;
    if (isDelegation) this.unnamed.named(id, parent);
    if (isDelegation ? losses.isLost(id, 1, at) : losses.hasLost(id, at)) return;
    const name = stateName(id, parent, headHash, depth);
    const known = this.table.get(name)?.[0];
    if (known === undefined) return this.unseen(told, name);
    this.findings.looked('payloadBinding');
    if ((known & STATUS) !== codeOf(status))
      this.refute(told, `it is sealed as ${status}, and not with that entry of its chain`);
    else if (isDelegation && (known & FIRST) === 0)
      this.refute(told, 'it is delegated with an entry that is not its first');
  }

  private unseen(told: Told, name: string): void {
    const { child, parent, isDelegation } = told;
    const { id, status } = child;
    const at = secondsOf(told.at);
    const [waiting, time] = this.table.get(id) ?? [0, 0];
    if ((waiting & WALKED) !== 0) {
      if (isDelegation || isSettled(at, time))
        return this.refute(told, 'its chain in this dump has no entry of the sealed hash');
    } else if (id > parent && waiting < MOST) {
      const delegation = isDelegation && (waiting & DELEGATIONS) !== DELEGATIONS ? DELEGATION : 0;
      this.table.set(name, codeOf(status) | (isDelegation ? FIRST : 0));
      this.table.set(id, waiting + CLAIM + delegation, Math.max(time, at));
    }
    this.open++;
  }

  private refute({ child, parent, position }: Told, detail: string): void {
    this.fail(parent, position, `the child ${child.id}: ${detail}`);
  }

  private fail(chainKey: string, position: number, detail: string): void {
    this.findings.fail(
      'payloadBinding',
      'chain',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      { chainKey, position },
      detail,
    );
  }
}

/** More claims on one child are not held. */
const MOST = 0xff_00_00_00;

const codeOf = (status: RecordStatus): number => STATUSES.indexOf(status);
/** @param depth see ownDepthOf and childDepthOf: child and parent agree on it, or speak of different states. */
const stateName = (id: string, parent: string, hash: string, depth: number | null): string =>
  depth === null ? `${id}/${parent}/${hash}` : `${id}/${parent}/${hash}/${depth}`;
const secondsOf = (at: string): number => Math.floor(Date.parse(at) / 1000) >>> 0;
/** Whether a checkpoint of the chain is so much newer than the claim that it would have seen the entry. */
const isSettled = (claim: number, covered: number): boolean => covered > claim + READ_AHEAD_SECONDS;
