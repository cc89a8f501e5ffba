import type { ChainRow } from '../chain-entry.ts';
import type { FoundParts } from '../report.ts';
import type { CertificateUse } from './deferred-certificates.ts';
import type { CoSignatureUse } from './deferred-co-signatures.ts';
import type { ChainBlock } from './dump-blocks.ts';
import type { Covers } from './packed-cover.ts';
import type { TellingStep } from './telling-step.ts';

/** Verify the chains of a block. */
export interface ChainTask {
  readonly kind: 'chains';
  readonly block: ChainBlock;
  /** The checkpoints of its chains, and of those before them that stand nowhere. */
  readonly covers: Covers;
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
  readonly certificates: readonly CertificateUse[];
  /** Entries of the platform chain that other files of the dump repeat. */
  readonly platform: readonly ChainRow[];
}
