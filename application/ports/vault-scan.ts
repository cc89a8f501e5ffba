import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ScanProgress, ScanResult } from './scan-result.ts';

/** A scan that was asked for. Times are ISO 8601 with milliseconds. */
export interface VaultScan {
  readonly id: Uuid;
  readonly createdAt: string;
  /** How often it was begun: more than once where a node died over it. */
  readonly attempts: number;
  /** Null until it has begun. */
  readonly progress: ScanProgress | null;
  readonly completedAt: string | null;
  /** Null before it is completed, and where it failed. */
  readonly result: ScanResult | null;
  /** Why it did not come to its end; null where it did, or has not yet. */
  readonly failure: string | null;
}

export const stateOf = ({ completedAt }: VaultScan): 'created' | 'completed' =>
  completedAt === null ? 'created' : 'completed';
