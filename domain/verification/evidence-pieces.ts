import type { EntryFacts } from '../record/entry-facts.ts';
import type { ChainRow } from './chain-entry.ts';
import { printable } from '../kernel/printable.ts';
import type { EvidenceCount, MissingEvidence } from './report.ts';

/** Counts the pieces of evidence that a chain seals: of completions and of disputes. */
export class EvidencePieces {
  private sealed = 0;
  private readonly missing: MissingEvidence[] = [];

  entry({ entryType, position, evidence }: ChainRow, facts: EntryFacts): void {
    const hash =
      entryType === 'COMPLETION_SUBMITTED'
        ? facts.evidenceHash
        : OF_DISPUTES.has(entryType)
          ? facts.dispute?.contentHash
          : null;
    if (typeof hash !== 'string') return;
    this.sealed++;
    if (evidence === undefined) this.missing.push({ position, entryType, hash: printable(hash) });
  }

  get count(): EvidenceCount {
    const { sealed, missing } = this;
    return { sealed, present: sealed - missing.length, missing };
  }
}

/** What a party states of a dispute is sealed by its hash, in the entry that brings it. */
const OF_DISPUTES: ReadonlySet<string> = new Set(['DISPUTE_OPENED', 'DISPUTE_EVIDENCE_SUBMITTED']);
