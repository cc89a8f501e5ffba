import { NameTable } from './name-table.ts';
import type { TypeAct } from './type-uses.ts';

const ABSENT = 0;
const ACTIVE = 1;
const DISABLED = 2;

/**
 * The state of each version of a record type, act after act on the schema chain of its org. A version is registered or
 * imported once, changes between active and disabled, and is deleted while it is disabled. After that it may be registered
 * again, with another manifest.
 */
export class TypeVersions {
  private readonly states = new NameTable();

  /** What is wrong with the next act; null if nothing is. */
  faultOf({ entryType, type, version, status }: TypeAct): string | null {
    const [state] = this.states.get(version) ?? [ABSENT];
    const [ofDigest] = this.states.get(type) ?? [ABSENT];
    const next = NEXT.get(status) ?? ABSENT;
    this.states.set(version, next);
    this.states.set(type, next);
    if (MAKERS.has(entryType))
      return state === ABSENT ? null : `an earlier entry established the type ${type}`;
    if (ofDigest === ABSENT)
      return `an entry ${entryType} is about the type ${type}, which no entry before it registers`;
    if (next === state) return `the type ${type} was ${status} before this`;
    return next === ABSENT && state !== DISABLED
      ? `the type ${type} is deleted while it is active`
      : null;
  }
}

const MAKERS = new Set(['SCHEMA_REGISTERED', 'SCHEMA_IMPORTED']);
const NEXT: ReadonlyMap<string, number> = new Map([
  ['active', ACTIVE],
  ['disabled', DISABLED],
]);
