import type { ProjectionPredicate } from '../../domain/federation/projection.ts';
import { isObject, type JsonObject } from '../../domain/kernel/canonical-json.ts';

/** What of the parties departs from what the same hub said before; keys may change. Null where nothing does. */
export const partiesFault = (
  projection: ProjectionPredicate,
  before: JsonObject,
): string | null => {
  for (const side of ['principal', 'performer'] as const) {
    const known = before[side];
    const said = projection[side];
    if (!isObject(known) || said === null) return `the ${side} is missing`;
    for (const member of ['hubId', 'agentId', 'orgId'] as const)
      // The offer cannot know the performer's org.
      if (known[member] !== null && known[member] !== said[member])
        return `the ${side} has another ${member} than before`;
  }
  return null;
};
