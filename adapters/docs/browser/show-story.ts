import type { Failure } from '../../../domain/verification/report/failure.ts';
import { wordsOfActor } from '../../../domain/verification/story/actor-words.ts';
import type {
  Story,
  StoryActor,
  StoryParty,
  StoryRecord,
  StoryStep,
} from '../../../domain/verification/report/story.ts';
import { el } from './elements.ts';
import type { ShownEntry } from './shown-entries.ts';
import { row } from './show-report.ts';
import { name, UNSEALED_MARK } from './unsealed-name.ts';

interface Beside {
  readonly entries: ReadonlyMap<number, ShownEntry>;
  readonly failures: readonly Failure[];
}

/** What happened to the record: about whom and what, each step, how it stands. */
export const showStory = (story: Story, beside: Beside): HTMLElement =>
  el(
    'section',
    { 'aria-labelledby': 'story-title' },
    el(
      'h2',
      { id: 'story-title' },
      story.verified ? 'What happened' : 'What the file says happened',
    ),
    ...story.caveats.map((text) => el('p', { class: 'failed caveat' }, `${text}.`)),
    story.record ? about(story, story.record) : null,
    story.outcome
      ? el(
          'p',
          { id: 'outcome' },
          story.verified ? 'Outcome: ' : 'Outcome, as the file says: ',
          el('strong', {}, story.outcome.status),
          ` since ${story.outcome.at}: ${story.outcome.text}.`,
        )
      : null,
    el('h3', {}, 'Step by step'),
    el(
      'ol',
      { class: 'timeline', id: 'timeline' },
      story.steps.flatMap((step, index) => [
        ...(index === story.leftOutAfter
          ? [el('li', { class: 'doubted' }, `… ${story.stepsLeftOut} steps in between left out …`)]
          : []),
        stepOf(step, story, beside),
      ]),
    ),
  );

const about = (story: Story, record: StoryRecord): HTMLElement =>
  el(
    'div',
    {},
    el(
      'dl',
      {},
      ...row('Record', el('code', {}, record.recordId)),
      ...row(
        'Type',
        `“${record.type}”, version ${record.version}, published by “${record.publisher}”`,
      ),
      ...row('Org', ...named(record.orgName, record.orgId)),
      ...(story.parties.principal ? row('Principal', ...party(story.parties.principal)) : []),
      ...row(
        'Performer',
        ...(story.parties.performer ? party(story.parties.performer) : ['nobody yet']),
      ),
      ...(record.decidedBy
        ? row(
            'Decided by',
            record.decidedBy === 'gates' ? 'the gates of its type' : 'the principal',
          )
        : []),
      ...(record.parentRecordId ? row('Part of', `record ${record.parentRecordId}`) : []),
      ...row(
        'Criteria',
        record.criteria ??
          `${record.encrypted ? 'encrypted for the parties' : 'not shown here'}, sealed by their hash ${record.criteriaHash}`,
      ),
      ...story.signedBy.flatMap(({ keyId, fingerprint }) =>
        row(
          'Signed by',
          el(
            'code',
            {},
            fingerprint === null ? `key ${keyId}, not in this file` : `sha256:${fingerprint}`,
          ),
        ),
      ),
    ),
    el(
      'p',
      { class: 'muted' },
      UNSEALED_MARK,
      ' A name is what the service called somebody when it made this file. Names are not sealed; ids are.',
    ),
  );

const named = (text: string | null, id: string): (Node | string)[] =>
  text === null ? [el('code', {}, id)] : [name(text), ' ', el('code', {}, id)];

const party = ({ agentId, orgId, name: agentName, orgName }: StoryParty): (Node | string)[] => [
  ...named(agentName, agentId),
  ...(orgId === null
    ? []
    : [' of ', ...(orgName === null ? [el('code', {}, orgId)] : [name(orgName)])]),
];

const stepOf = (step: StoryStep, story: Story, { entries, failures }: Beside): HTMLElement => {
  const found = step.failed
    ? failures.filter(({ position }) => position !== null && position === step.position)
    : [];
  const shown = step.position === null ? undefined : entries.get(step.position);
  return el(
    'li',
    {
      class: step.failed ? 'broken' : story.verified ? 'sound' : 'doubted',
      'data-position': String(step.position ?? ''),
    },
    el(
      'p',
      { class: 'muted' },
      step.at === null ? 'at no known time' : el('time', { datetime: step.at }, step.at),
      ` · #${step.position ?? '?'}`,
      step.transition ? ` · ${step.transition.from ?? '(new)'} → ${step.transition.to}` : '',
    ),
    el('p', {}, ...(step.actor ? [...who(step.actor), ' '] : []), step.text),
    ...found.map((failure) =>
      el('p', { class: 'failed' }, `✗ ${failure.class}: ${failure.detail}`),
    ),
    el(
      'ul',
      {},
      [
        ...step.details,
        ...(step.coSigned
          ? ['co-signed: the actor signed this request with a key of its own']
          : []),
      ].map((text) => el('li', {}, text)),
    ),
    opened('Evidence', shown?.evidence),
    opened('What was said', shown?.content),
    opened('The statement that was signed', shown?.statement),
  );
};

const who = (actor: StoryActor): (Node | string)[] => {
  const { before, name: text, after } = wordsOfActor(actor);
  return text === null ? [before, after] : [before, name(text), after];
};

const MAX_SHOWN = 200_000;

/** Opened on demand, and not laid out before. */
const opened = (title: string, value: unknown): HTMLElement | null => {
  if (value === undefined) return null;
  const details = el('details', {}, el('summary', {}, title));
  details.addEventListener(
    'toggle',
    () => {
      const text = visible(JSON.stringify(value, null, 2));
      const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (cut)` : text;
      details.append(el('pre', { tabindex: '0', dir: 'ltr', 'aria-label': title }, cut));
    },
    { once: true },
  );
  return details;
};

/** Characters that turn or hide others are written out. */
const visible = (text: string): string =>
  text.replace(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
