import type { JsonObject } from '../../kernel/canonical-json.ts';
import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import { parseStatement, UnreadableError } from '../../vault/parsed-statement.ts';
import { lossIn } from '../entry/loss-in.ts';
import type { AcknowledgedLoss } from '../report/acknowledged-losses.ts';
import { Findings } from '../report/report.ts';
import type { DumpSource } from './rows/dump-source.port.ts';
import { PlatformRegistry, type RegistryData } from './registry/platform-registry.ts';
import { dumpRows } from './rows/read-dump-rows.ts';

interface EntryMembers {
  readonly chain_key: string;
  readonly chain_position: number;
}

export interface PlatformChain {
  /** What it says of entries that were lost. */
  readonly losses: readonly AcknowledgedLoss[];
  /** What it establishes; null if entries of it were lost itself, which may have established anything. */
  readonly registry: RegistryData | null;
}

/**
 * Reads the platform chain, which is the first one in the file, before any chain is walked: the others are held against it. The
 * walk verifies these rows like all others, so a file in which one of them does not verify is not valid.
 */
export const readPlatform = async (source: DumpSource): Promise<PlatformChain> => {
  const losses: AcknowledgedLoss[] = [];
  const registry = PlatformRegistry.empty();
  // The walk reports what is wrong with a row.
  for await (const row of dumpRows<EntryMembers>(source, 'audit_vault', new Findings())) {
    if (!row) continue;
    if (row.members.chain_key !== PLATFORM_CHAIN) break;
    const predicate = predicateIn(row.bytes);
    if (!predicate) continue;
    registry.take(predicate);
    const loss = lossIn(predicate, row.members.chain_position);
    if (loss) losses.push(loss);
  }
  const isWhole = losses.every(({ chainKey }) => chainKey !== PLATFORM_CHAIN);
  return { losses, registry: isWhole ? registry.data : null };
};

const predicateIn = (bytes: Uint8Array): JsonObject | null => {
  try {
    return parseStatement(bytes).statement?.predicate ?? null;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return null;
  }
};
