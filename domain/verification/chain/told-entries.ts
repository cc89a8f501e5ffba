import type { JsonObject, JsonValue } from '../../kernel/canonical-json.ts';
import { isBeside } from '../../vault/entry-type.ts';
import type {
  CounterAttestationPredicate,
  RecordStatePredicate,
  SettlementSignalPredicate,
} from '../../record/record-statement.ts';

export type ToldPredicate =
  RecordStatePredicate | SettlementSignalPredicate | CounterAttestationPredicate;

/** One entry as a story needs it. */
export interface ToldEntry {
  /** Null where a file does not say it. */
  readonly position: number | null;
  /** Of the published form; null where nothing could be read, or something that is no step of a record. */
  readonly predicate: ToldPredicate | null;
  readonly beside: ToldBeside;
}

/** What a file shows beside an entry; undefined where it does not, or shows another than was sealed. */
export interface ToldBeside {
  readonly evidence?: JsonValue | undefined;
  readonly content?: JsonObject | undefined;
}

/** Of a chain: what a story tells of it, however long the chain is. */
export class ToldEntries {
  /** The newest that states what the record is, and the first. */
  first: RecordStatePredicate | null = null;
  newest: RecordStatePredicate | null = null;
  /** Since when the record has its status. */
  newestStatusAt = '';
  recommendation: SettlementSignalPredicate['recommendation'] | null = null;
  count = 0;
  private readonly begin: ToldEntry[] = [];
  private readonly end: ToldEntry[] = [];
  private readonly half: number;

  /** @param maxSteps how many steps are told; of more, the first and the last ones. */
  constructor(maxSteps: number) {
    this.half = Math.ceil(maxSteps / 2);
  }

  /** @param predicate checked against the published schema of its kind. */
  entry(position: number, predicate: JsonObject, beside: ToldBeside = {}): void {
    const told = predicate as unknown as ToldPredicate;
    this.add({ position, predicate: told, beside });
    if ('recommendation' in told) this.recommendation = told.recommendation;
    else if ('transition' in told && !isBeside(told.entryType)) this.state(told);
  }

  /** An entry that nobody can tell anything of. */
  unreadable(position: number | null): void {
    this.add({ position, predicate: null, beside: {} });
  }

  get steps(): readonly ToldEntry[] {
    return [...this.begin, ...this.last];
  }

  /** After how many of `steps` others are left out; null where none is. */
  get leftOutAfter(): number | null {
    return this.count > this.begin.length + this.last.length ? this.begin.length : null;
  }

  private get last(): readonly ToldEntry[] {
    return this.half === 0 ? [] : this.end.slice(-this.half);
  }

  private state(state: RecordStatePredicate): void {
    this.first ??= state;
    if (this.newest?.transition.to !== state.transition.to) this.newestStatusAt = state.at;
    this.newest = state;
  }

  private add(entry: ToldEntry): void {
    this.count++;
    if (this.begin.length < this.half) this.begin.push(entry);
    else {
      this.end.push(entry);
      // Now and then, so that a long chain costs no more than a short one.
      if (this.end.length > 2 * this.half + SPARE) this.end.splice(0, this.end.length - this.half);
    }
  }
}

const SPARE = 64;
