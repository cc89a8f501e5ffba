import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import type { AcknowledgedLosses } from '../report/acknowledged-losses.ts';
import { holdKept, placeOfKept, type ChainToHold } from '../formats/kept-beside-export.ts';
import type { Findings, KeptOutcome } from '../report/report.ts';
import type { DumpSource } from './rows/dump-source.port.ts';
import { rowsOfChains, type RowAgain } from './rows/rows-of-chains.ts';

/** What is known of a chain that a kept statement names. */
interface Held {
  readonly wanted: Set<number>;
  readonly hashes: Map<number, string>;
  last: number;
  /** Of its newest checkpoint, ISO 8601 with milliseconds; empty without one. */
  coveredAt: string;
}

/**
 * Holds signed statements that somebody kept against a dump that was verified. The files are read again for it, and of
 * their chains no more is remembered than the statements name.
 *
 * @param kept each the bytes of a file.
 */
export const holdKeptInDump = async (
  kept: readonly (Uint8Array | string)[],
  source: DumpSource,
  { ring, hub }: Pick<ChainToHold, 'ring' | 'hub'>,
  losses: AcknowledgedLosses,
  findings: Findings,
): Promise<KeptOutcome[]> => {
  const outcomes: KeptOutcome[] = [];
  if (kept.length === 0) return outcomes;
  const places = kept.map(placeOfKept);
  const chains = new Map<string, Held>();
  for (const place of places) if (place) heldOf(chains, place.chainKey).wanted.add(place.position);
  const log = await readLog(source, chains, losses);
  const dumpedAt = await readChains(source, chains, log.closed);
  for (const [index, input] of kept.entries()) {
    const chainKey = places[index]?.chainKey ?? '';
    const { hashes, last, coveredAt } = heldOf(chains, chainKey);
    // A round covers what every chain was when it began, and it may take long. So what a chain lacks is held against that
    // time, and against the newest checkpoint of the chain itself.
    const times = [log.roundFrom, dumpedAt, coveredAt].toSorted();
    const completeAsOf = log.closed === 0 ? null : times.at(-1)!;
    const chain = { chainKey, hashes, headPosition: last, completeAsOf, ring, hub };
    const one = await holdKept([input], { ...chain, losses: losses.of(chainKey) }, findings);
    outcomes.push(...one);
  }
  return outcomes;
};

const heldOf = (chains: Map<string, Held>, chainKey: string): Held => {
  const held = chains.get(chainKey) ?? {
    wanted: new Set(),
    hashes: new Map(),
    last: 0,
    coveredAt: '',
  };
  chains.set(chainKey, held);
  return held;
};

interface ReadLog {
  /** The position of the platform chain that the newest round saw; 0 without one. */
  readonly closed: number;
  /** `at` of the first checkpoint after the round before it: the newest round began no earlier. Empty without one. */
  readonly roundFrom: string;
}

const readLog = async (
  source: DumpSource,
  chains: ReadonlyMap<string, Held>,
  losses: AcknowledgedLosses,
): Promise<ReadLog> => {
  let [closed, roundFrom, first] = [0, '', ''];
  // The first checkpoint of a round is wanted whatever its chain is.
  const isWanted = (chainKey: string): boolean =>
    first === '' || chainKey === PLATFORM_CHAIN || chains.has(chainKey);
  for await (const row of rowsOfChains(source, 'vault_checkpoints', isWanted)) {
    const at = textOf(row.sealed('at'));
    first ||= at;
    const held = chains.get(row.chainKey);
    if (held && !losses.isLost(row.chainKey, row.position, at)) held.coveredAt = at;
    if (row.chainKey !== PLATFORM_CHAIN) continue;
    [closed, roundFrom, first] = [row.position, first, ''];
  }
  return { closed, roundFrom };
};

/** @returns when the newest dump was begun that the log covers, for its round looked at every chain after that. */
const readChains = async (
  source: DumpSource,
  chains: ReadonlyMap<string, Held>,
  closed: number,
): Promise<string> => {
  let dumpedAt = '';
  const isWanted = (chainKey: string): boolean =>
    chainKey === PLATFORM_CHAIN || chains.has(chainKey);
  for await (const row of rowsOfChains(source, 'audit_vault', isWanted)) {
    if (isCoveredDump(row, closed)) dumpedAt = textOf(row.sealed('at'));
    const held = chains.get(row.chainKey);
    if (!held) continue;
    held.last = Math.max(held.last, row.position);
    if (held.wanted.has(row.position)) held.hashes.set(row.position, row.hash);
  }
  return dumpedAt;
};

const isCoveredDump = (row: RowAgain, closed: number): boolean =>
  row.chainKey === PLATFORM_CHAIN &&
  row.entryType === 'DUMP_TAKEN' &&
  row.position <= closed &&
  row.sealed('withRound') === true;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
