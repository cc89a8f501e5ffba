import { canonicalJson, type JsonValue } from '../../../kernel/canonical-json.ts';
import { NameTable } from './name-table.ts';

/** What a value is of, as parts of one name. */
export type Subject = readonly (JsonValue | undefined)[];

/** The value that each subject was given last. It holds digests, so its size does not depend on the values. */
export class CurrentValues {
  private readonly given = new NameTable();
  private count = 0;

  give(subject: Subject, value: JsonValue): void {
    this.count += 1;
    this.given.set(nameOf(subject), this.count);
    this.given.set(nameOf([...subject, value]), this.count);
  }

  /** Whether this is the value given last; null if the subject was never given one. */
  has(subject: Subject, value: JsonValue): boolean | null {
    const last = this.given.get(nameOf(subject));
    return last && this.given.get(nameOf([...subject, value]))?.[0] === last[0];
  }
}

/** A name with a value never equals one without: it has one part more. */
const nameOf = (parts: Subject): string => canonicalJson(parts.map((part) => part ?? null));
