import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import type { Story, StoryParty, StoryRecord } from '../../../domain/verification/report/story.ts';
import { el } from './elements.ts';
import { quoted } from './quoted.ts';
import { row } from './show-report.ts';
import { name } from './unsealed-name.ts';

/** What a reader wants to know first: what was recorded, who took part, when, and how it ended. Null without a record. */
export const showSummary = ({ story, subject }: VerificationReport): HTMLElement | null => {
  if (!story?.record) return null;
  const { record, parties, outcome, verified } = story;
  const more = (subject.records ?? 1) - 1;
  return el(
    'section',
    { 'aria-labelledby': 'summary-title', id: 'summary' },
    el('h2', { id: 'summary-title' }, verified ? 'What was recorded' : 'What the file says'),
    el(
      'dl',
      {},
      ...row(
        'What',
        el('strong', {}, record.type),
        `: ${subjectOf(record)}`,
        more > 0 ? `, and ${more} more ${more === 1 ? 'record' : 'records'} below it` : '',
      ),
      ...row('Principal', ...who(parties.principal)),
      ...row('Performer', ...who(parties.performer)),
      ...row('When', ...periodOf(story)),
      ...(outcome
        ? row('Outcome', el('strong', {}, outcome.status), `: ${briefly(outcome.text)}`)
        : []),
    ),
  );
};

/** The story shows the advice to a settlement platform too. */
const briefly = (text: string): string =>
  text
    .split('; ')
    .filter((part) => !part.startsWith('the newest advice'))
    .join('; ');

/** Members that people use for a title, the best first. */
const TITLES = ['title', 'name', 'subject', 'summary', 'goal', 'task', 'description', 'action'];

const subjectOf = ({ criteria, encrypted }: StoryRecord): string => {
  if (criteria === null)
    return encrypted ? 'its criteria are encrypted for the parties' : 'its criteria are not shown';
  return quoted(titleIn(criteria) ?? criteria);
};

/** Null if the criteria have no title, or were cut and are not JSON any more. */
const titleIn = (criteria: string): string | null => {
  try {
    const value = JSON.parse(criteria) as Readonly<Record<string, unknown>> | null;
    const title = TITLES.map((member) => value?.[member]).find((one) => typeof one === 'string');
    return title === undefined || title === '' ? null : title;
  } catch {
    return null;
  }
};

/** The sealed ids are long, so they are shown only if there is no name; the story shows both. */
const who = (party: StoryParty | null): (Node | string)[] => {
  if (!party) return ['nobody yet'];
  const { agentId, orgId, name: agentName, orgName } = party;
  return [
    agentName === null ? el('code', {}, agentId) : name(agentName),
    ...(orgId === null ? [] : [' of ', orgName === null ? el('code', {}, orgId) : name(orgName)]),
  ];
};

const periodOf = ({ steps }: Story): (Node | string)[] => {
  const times = steps.flatMap(({ at }) => (at === null ? [] : [at]));
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return ['at no known time'];
  const [from, to] = [partsOf(first), partsOf(last)];
  const begin = time(first, `${from.day}, ${from.minute}`);
  if (from.day !== to.day) return [begin, ' to ', time(last, `${to.day}, ${to.minute}`), ' UTC'];
  return from.minute === to.minute
    ? [begin, ' UTC']
    : [begin, ' to ', time(last, to.minute), ' UTC'];
};

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Of an ISO 8601 time of the service, which is in UTC. Any other text is shown unchanged. */
const partsOf = (at: string): { readonly day: string; readonly minute: string } => {
  const [, year, month, day, minute] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(at) ?? [];
  return minute === undefined
    ? { day: at, minute: '' }
    : { day: `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}`, minute };
};

const time = (at: string, text: string): HTMLElement => el('time', { datetime: at }, text);
