import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import { parseStatement, UnreadableError } from '../../vault/parsed-statement.ts';
import type { AcknowledgedLosses } from '../acknowledged-losses.ts';
import type { ChainRow } from '../chain-entry.ts';
import { holdKept, placeOfKept, type ChainToHold } from '../kept-beside-export.ts';
import type { Findings, KeptOutcome } from '../report.ts';
import type { LogOutcome } from './verify-log.ts';

/** What is known of a chain that a kept statement names. */
interface Held {
  readonly wanted: ReadonlySet<number>;
  readonly hashes: Map<number, string>;
  last: number;
  /** Of its newest checkpoint, ISO 8601 with milliseconds; null without one. */
  coveredAt: string | null;
}

/** Holds signed statements that somebody kept against a dump. Of its chains no more is remembered than these name. */
export class KeptInDump {
  private readonly byChain = new Map<string, Held>();
  private readonly places: readonly (string | null)[];
  /** When the newest dump was begun that the log covers: its round looked at every chain after that. */
  private dumpedAt = '';

  /**
   * @param kept each the bytes of a file.
   * @param log as the dump shows it.
   */
  constructor(
    private readonly kept: readonly (Uint8Array | string)[],
    private readonly log: LogOutcome,
  ) {
    this.places = kept.map((input) => {
      const place = placeOfKept(input);
      if (!place) return null;
      const wanted = new Set([...(this.byChain.get(place.chainKey)?.wanted ?? []), place.position]);
      this.byChain.set(place.chainKey, { wanted, hashes: new Map(), last: 0, coveredAt: null });
      return place.chainKey;
    });
  }

  entry(chainKey: string, row: ChainRow): void {
    if (chainKey === PLATFORM_CHAIN) this.noteDump(row);
    const held = this.byChain.get(chainKey);
    if (!held) return;
    held.last = Math.max(held.last, row.position);
    if (held.wanted.has(row.position)) held.hashes.set(row.position, row.hash ?? '');
  }

  /** @param coveredAt of its newest checkpoint. */
  endChain(chainKey: string, coveredAt: string | null): void {
    const held = this.byChain.get(chainKey);
    if (held) held.coveredAt = coveredAt;
  }

  async outcomes(
    { ring, hub }: Pick<ChainToHold, 'ring' | 'hub'>,
    losses: AcknowledgedLosses,
    findings: Findings,
  ): Promise<KeptOutcome[]> {
    const outcomes: KeptOutcome[] = [];
    for (const [index, input] of this.kept.entries()) {
      const chainKey = this.places[index] ?? '';
      const held = this.byChain.get(chainKey);
      const chain = {
        chainKey,
        hashes: held?.hashes ?? new Map<number, string>(),
        headPosition: held?.last ?? 0,
        completeAsOf: this.completeAsOf(held),
        losses: losses.of(chainKey),
        ring,
        hub,
      };
      outcomes.push(...(await holdKept([input], chain, findings)));
    }
    return outcomes;
  }

  /**
   * A round covers what every chain was when it began, and it may take long. So what a chain lacks is held against that
   * time, and against the newest checkpoint of the chain itself.
   */
  private completeAsOf(held: Held | undefined): string | null {
    const { closedAt, roundFrom } = this.log;
    if (closedAt === null) return null;
    return [roundFrom, this.dumpedAt, held?.coveredAt ?? ''].reduce((a, b) => (a > b ? a : b));
  }

  private noteDump({ entryType, position, coseSign1 }: ChainRow): void {
    if (entryType !== 'DUMP_TAKEN' || this.kept.length === 0) return;
    if (position > this.log.closedPosition) return;
    try {
      const { statement } = parseStatement(coseSign1);
      const { withRound, at } = statement?.predicate ?? {};
      if (withRound === true && typeof at === 'string') this.dumpedAt = at;
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
    }
  }
}
