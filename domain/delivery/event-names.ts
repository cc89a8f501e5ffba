import { EVENT_TYPES } from '../event/event-types.ts';
import { NotaryError } from '../kernel/errors.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import { ANY } from './subscription.ts';

const KNOWN: ReadonlySet<string> = new Set([...EVENT_TYPES, ANY]);

/** @throws UNPROCESSABLE with `allowedValues` where a name is none of the closed list. */
export const assertEventTypes = (names: readonly string[]): void => {
  const unknown = names.find((name) => !KNOWN.has(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, EVENT_TYPES);
  throw new NotaryError('UNPROCESSABLE', `There is no event type ${JSON.stringify(unknown)}.`, {
    allowedValues: [ANY, ...EVENT_TYPES],
    suggestion: nearest
      ? `Did you mean ${nearest}? allowedValues lists every type; * stands for all.`
      : 'Use names of allowedValues; * stands for all.',
  });
};
