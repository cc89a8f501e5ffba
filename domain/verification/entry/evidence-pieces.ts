import { printable } from '../../kernel/printable.ts';
import type { EntryFacts } from '../../record/entry-facts.ts';
import type { ChainRow } from './chain-entry.ts';
import type { EvidenceCount, MissingEvidence } from '../report/report.ts';
import { sealedContent } from './sealed-content.ts';

/** Counts the pieces that a chain seals by their hashes: evidence of completions, and what proposals and disputes said. */
export class EvidencePieces {
  private sealed = 0;
  private readonly missing: MissingEvidence[] = [];

  entry({ entryType, position, evidence, content }: ChainRow, facts: EntryFacts): void {
    const isCompletion = entryType === 'COMPLETION_SUBMITTED';
    const hash = isCompletion ? facts.evidenceHash : sealedContent(facts)?.hash;
    if (typeof hash !== 'string') return;
    this.sealed++;
    if ((isCompletion ? evidence : content) === undefined)
      this.missing.push({ position, entryType, hash: printable(hash) });
  }

  get count(): EvidenceCount {
    const { sealed, missing } = this;
    return { sealed, present: sealed - missing.length, missing };
  }
}
