import type { ChildClaim, RecordStatePredicate } from '../../record/record-statement.ts';
import type { RecordStatus } from '../../record/record-status.ts';
import type { ChainRow } from '../entry/chain-entry.ts';

/** An entry of a record's chain, as far as other chains are held against it. Plain data. */
export interface TellingEntry {
  readonly chainKey: string;
  readonly position: number;
  readonly hash: string;
  /** Of the record; empty where it has none. */
  readonly parent: string;
  /** Null where the entry tells none, as a signal. */
  readonly to: RecordStatus | null;
  readonly at: string;
  readonly isDelegation: boolean;
  /** See ownDepthOf and childDepthOf. */
  readonly ownDepth: number | null;
  readonly childDepth: number | null;
  /** Of a delegation and of a look at all children. */
  readonly children: readonly ChildClaim[];
}

/** The end of a record's chain with an entry of the published form. */
export interface TellingEnd {
  readonly ends: string;
  /** Of its first entry. */
  readonly parent: string;
  /** Position of its last entry. */
  readonly last: number;
  /** When its newest checkpoint was sealed; null without one. */
  readonly coveredAt: string | null;
}

export type TellingStep = TellingEntry | TellingEnd;

interface TellingChain {
  readonly key: string;
  readonly parent: string;
  readonly ownDepth: number | null;
  readonly childDepth: number | null;
  last: number;
}

/** The depth of a record right below its root, where it is not 1: only the child of a mirror stands there. */
const ownDepthOf = ({ terms, parentRecordId }: RecordStatePredicate): number | null =>
  terms &&
  parentRecordId !== undefined &&
  terms.rootRecordId === parentRecordId &&
  terms.depth !== 1
    ? terms.depth
    : null;

/** The depth of the children of a mirror whose home is no root; of every other record they say it themselves. */
const childDepthOf = ({ terms }: RecordStatePredicate): number | null =>
  terms?.federation?.role === 'mirror' && terms.depth > 0 ? terms.depth + 1 : null;

/** Collects of the chains of a part what is held against others: of most it is their end, and their first entry. */
export class TellingSteps {
  private steps: TellingStep[] = [];
  private chain: TellingChain | null = null;

  /** An entry of a record's chain, in the order of the file, whose predicate is of the published form. */
  entry(chainKey: string, row: ChainRow, predicate: RecordStatePredicate): void {
    const { entryType, children = [], at, parentRecordId = '' } = predicate;
    // Signals and attestations tell no state.
    const transition = 'transition' in predicate ? predicate.transition : null;
    if (this.chain?.key !== chainKey)
      this.chain = {
        key: chainKey,
        parent: parentRecordId,
        ownDepth: ownDepthOf(predicate),
        childDepth: childDepthOf(predicate),
        last: 0,
      };
    this.chain.last = row.position;
    const { parent, ownDepth, childDepth } = this.chain;
    const isDelegation = entryType === 'CHILD_DELEGATED';
    const tells = isDelegation || entryType === 'CASCADE_VERIFIED';
    // Nobody seals a state of a record without a parent; whoever says to have delegated it is refuted by its first entry.
    if (parent === '' && row.position !== 1 && !(tells && children.length > 0)) return;
    this.steps.push({
      chainKey,
      position: row.position,
      hash: row.hash ?? '',
      parent,
      to: transition?.to ?? null,
      at,
      isDelegation,
      ownDepth,
      childDepth,
      children: tells ? children : [],
    });
  }

  endChain(chainKey: string, coveredAt: string | null): void {
    const { chain } = this;
    this.chain = null;
    if (chain?.key !== chainKey) return;
    const { parent, last } = chain;
    this.steps.push({ ends: chainKey, parent, last, coveredAt });
  }

  take(): readonly TellingStep[] {
    const { steps } = this;
    this.steps = [];
    return steps;
  }
}
