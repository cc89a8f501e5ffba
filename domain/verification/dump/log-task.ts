import type { FoundParts } from '../report/report.ts';
import type { DumpBlock } from './rows/dump-blocks.ts';
import type { LogLeaves } from './log-leaves.ts';
import type { OrgLogHead } from './org-log-heads.ts';

/** Verify checkpoints of a block of the log, each alone; or read what they cover again. */
export interface LogTask {
  readonly kind: 'log';
  readonly block: DumpBlock;
  /** What they cover is read again: of chain keys from one up to another, which is left out; null: of all others. */
  readonly again: { readonly from: string; readonly to: string | null } | null;
}

export interface LogAnswer {
  readonly kind: 'log';
  readonly buffer: ArrayBuffer;
  readonly found: FoundParts;
  readonly leaves: LogLeaves;
  /** Checkpoints of the platform chain, in their order. */
  readonly rounds: readonly Round[];
  /** Checkpoints of schema chains, likewise. */
  readonly heads: readonly OrgLogHead[];
  readonly stamped: readonly StampedLeaf[];
}

export interface Round {
  /** Of the row in the block. */
  readonly index: number;
  readonly position: number;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
  readonly tree: { readonly size: number; readonly root: string } | null;
}

/** A row with a time stamp. */
export interface StampedLeaf {
  readonly line: number;
  readonly members: {
    readonly log_index: number;
    readonly chain_key: string;
    readonly position: number;
    readonly timestamp_token?: string;
  };
  readonly bytes: Uint8Array;
}
