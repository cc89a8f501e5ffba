import type { ChainRow } from '../entry/chain-entry.ts';
import type { FoundParts } from '../report/report.ts';
import type { CoSignatureUse } from './deferred-co-signatures.ts';
import type { ChainBlock } from './rows/dump-blocks.ts';
import type { Covers } from './rows/packed-cover.ts';
import type { TellingStep } from './telling-step.ts';
import type { TypesOfPart } from './registry/type-uses.ts';

/** Verify the chains of a block. */
export interface ChainTask {
  readonly kind: 'chains';
  readonly block: ChainBlock;
  /** The checkpoints of its chains, and of those before them that stand nowhere. */
  readonly covers: Covers;
  /** The leaf of the log that closes the newest round; null without one. */
  readonly closedBy: number | null;
}

export interface ChainAnswer {
  readonly kind: 'chains';
  readonly buffer: ArrayBuffer;
  readonly found: FoundParts;
  readonly entries: number;
  readonly chains: number;
  /** Entries beyond the newest checkpoint of their chain. */
  readonly beyond: number;
  /** Pieces of evidence that entries seal. */
  readonly evidence: number;
  /** What is held against other chains, in the order of the file. */
  readonly steps: readonly TellingStep[];
  readonly coSignatures: readonly CoSignatureUse[];
  readonly types: TypesOfPart;
  /** Entries of the platform chain that other files of the dump repeat. */
  readonly platform: readonly ChainRow[];
}
