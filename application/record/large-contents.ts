import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { contentHash, NOT_READ } from '../../domain/record/content.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { payloadDrift } from '../sealing/head-check.ts';

/** Large criteria of one record, by the hash under which they are stored. Null where they have another one, or are gone. */
export type Contents = ReadonlyMap<string, JsonObject | null>;

export const NO_CONTENTS: Contents = new Map();

/** A unit of work needs large criteria. It is given up: they are read and hashed while it holds up nobody. */
export class ContentNeeded extends Error {
  override readonly name = 'ContentNeeded';

  constructor(
    readonly recordId: Uuid,
    readonly hash: string,
  ) {
    super('large criteria are needed');
  }
}

/**
 * The record with all its criteria.
 *
 * @throws ContentNeeded where some of them were not read yet.
 * @throws CONFLICT with reason payload_drift where what is stored has another hash.
 */
export const withContents = (record: RecordState, contents: Contents): RecordState => {
  const { id, criteria, criteriaHash, counterProposal: counter } = record;
  const read = (content: JsonObject, hash: string): JsonObject => {
    if (content !== NOT_READ) return content;
    const found = contents.get(hash);
    if (found === undefined) throw new ContentNeeded(id, hash);
    if (found === null) throw payloadDrift(id, 'criteria');
    return found;
  };
  if (criteria !== NOT_READ && counter?.criteria !== NOT_READ) return record;
  return {
    ...record,
    criteria: read(criteria, criteriaHash),
    counterProposal: counter && {
      ...counter,
      criteria: read(counter.criteria, counter.criteriaHash),
    },
  };
};

/** Reads large criteria outside any unit of work, and checks that they are those of their hash. */
export class LargeContents {
  constructor(private readonly reads: RecordReads) {}

  /** Runs the attempt again with what it needs, as often as it needs more. */
  async whileNeeded<T>(
    attempt: (contents: Contents) => Promise<T>,
    contents: Contents = NO_CONTENTS,
  ): Promise<T> {
    try {
      return await attempt(contents);
    } catch (error) {
      if (!(error instanceof ContentNeeded)) throw error;
      const { recordId, hash } = error;
      const content = await this.reads.content(recordId, hash);
      const found = content && contentHash(content) === hash ? content : null;
      return this.whileNeeded(attempt, new Map([...contents, [hash, found]]));
    }
  }
}
