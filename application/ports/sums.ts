import type { DomainEvent } from '../../domain/event/event.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';

/** Something that happens so often that it is told with a count. */
export interface Occurrence extends Pick<
  DomainEvent,
  'type' | 'orgId' | 'partyAgentId' | 'agentId'
> {
  /** Equal of occurrences that are counted together. */
  readonly group: string;
  readonly data: JsonObject;
  readonly requestId: string;
}

/** What is told of occurrences that found no place of their own. */
export type Rest = Omit<Occurrence, 'group' | 'requestId'>;

/** How many events of a type there are in a minute at most, the one of the rest included. */
export interface SumLimit {
  readonly limit: number;
  readonly rest: Rest;
}

/** Occurrences of one group. */
export interface Sum {
  readonly group: string;
  readonly count: number;
  /** ISO 8601. */
  readonly firstAt: string;
  /** The newest, as far as that is known. */
  readonly last: Omit<Occurrence, 'group'>;
}

/** No occurrence has this group. */
const REST = '';

/** Counts by group. Beyond the limit all are counted as one, so a flood takes no more memory and makes no more events. */
export class Sums {
  readonly #byGroup = new Map<string, { -readonly [member in keyof Sum]: Sum[member] }>();

  constructor(private readonly limit: SumLimit) {}

  add({ group, count, firstAt, last }: Sum): void {
    const known = this.#byGroup.get(group) ?? this.#placeOf(group);
    if (!known) {
      this.#byGroup.set(group, { group, count, firstAt, last });
      return;
    }
    if (known.count === 0 || firstAt < known.firstAt) known.firstAt = firstAt;
    known.count += count;
    known.last = known.group === REST ? { ...this.limit.rest, requestId: last.requestId } : last;
  }

  addAll(sums: readonly Sum[]): this {
    for (const sum of sums) this.add(sum);
    return this;
  }

  get all(): readonly Sum[] {
    return [...this.#byGroup.values()];
  }

  /** Undefined where the group gets a place of its own; else that of the rest. */
  #placeOf(group: string) {
    const known = this.#byGroup.get(REST);
    const groups = this.#byGroup.size - (known ? 1 : 0);
    if (group !== REST && groups < this.limit.limit - 1) return undefined;
    if (known) return known;
    const rest = {
      group: REST,
      count: 0,
      firstAt: '',
      last: { ...this.limit.rest, requestId: '' },
    };
    this.#byGroup.set(REST, rest);
    return rest;
  }
}
