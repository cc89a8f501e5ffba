import type { JsonObject } from '../../../../domain/kernel/canonical-json.ts';
import { isObject } from './messages.ts';
import type { Spooled } from './spool.ts';

/** A file that an ended run left. */
export interface LeftFile {
  readonly name: string;
  readonly spooled: Spooled;
}

/** Of the file of a call that is sealed and has no end yet. */
export const OPEN = '.open';
/** Of a file that was refused, and waits: what comes behind it may be sealed by now. */
export const KEPT = '.kept.json';

/** What is still to be sealed of calls whose wrapper was ended before they were: no answer to them passed it. */
export const endsOf = (left: readonly LeftFile[], at: string): readonly LeftFile[] => {
  const ended = new Set(left.filter(isEnd).map(({ spooled }) => callOf(spooled)));
  return left
    .filter((file) => mayBeOpen(file) && !ended.has(callOf(file.spooled)))
    .map(({ name, spooled: { key, body } }) => ({
      name: name.replace(/\.\w+$/, '-end.json'),
      spooled: {
        // Told twice, it is one record.
        key: `${key}-end`,
        body: { ...body, criteria: endOf(criteriaOf({ body }), at) },
      },
    }));
};

type Criteria = JsonObject;

const criteriaOf = ({ body: { criteria } }: Pick<Spooled, 'body'>): Criteria =>
  isObject(criteria) ? (criteria as Criteria) : {};

/** Which call it is about. */
export const callOf = (spooled: Spooled): string => {
  const { session, call } = criteriaOf(spooled);
  return JSON.stringify([session, call]);
};

const isEnd = ({ spooled }: LeftFile): boolean => criteriaOf(spooled)['event'] === 'result';

const mayBeOpen = ({ name, spooled }: LeftFile): boolean =>
  criteriaOf(spooled)['event'] === 'call' && !name.endsWith(KEPT);

const ABOUT = ['session', 'call', 'command', 'server', 'tool', 'requestId'] as const;

const endOf = (criteria: Criteria, at: string): Criteria => ({
  event: 'result',
  ...Object.fromEntries(
    ABOUT.flatMap((name) => {
      const value = criteria[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  at,
  outcome: 'unanswered',
  reason:
    'the wrapper was ended before an answer passed it; this is the time at which that was found',
});
