import type { createColors } from 'picocolors';
import { wordsOfActor } from '../../domain/verification/story/actor-words.ts';
import type {
  Story,
  StoryActor,
  StoryParty,
  StoryRecord,
  StoryStep,
} from '../../domain/verification/report/story.ts';

type Paint = ReturnType<typeof createColors>;

interface Beside {
  /** Reasons and failures, for where no report follows. */
  readonly why?: readonly string[];
  /** Where steps that are left out can be read. */
  readonly more?: string;
}

/**
 * The story of a file, as a person reads it: what it is about, a line a step, the outcome. Where the file was not found
 * valid, that stands above everything.
 */
export const storyText = (
  story: Story,
  paint: Paint,
  { why = [], more = '' }: Beside = {},
): string[] => [
  ...caveats(story, paint, why),
  ...(story.record ? [...about(story, story.record), ''] : []),
  ...steps(story, paint, more),
  ...(story.outcome
    ? [
        '',
        `  ${label('outcome')}${story.verified ? '' : 'as the file says: '}${paint.bold(story.outcome.status)} since ${story.outcome.at}: ${story.outcome.text}`,
      ]
    : []),
  '',
];

const caveats = ({ caveats: found, verdict }: Story, paint: Paint, why: readonly string[]) => {
  const colour = verdict === 'invalid' ? paint.red : paint.yellow;
  return found.length + why.length === 0
    ? []
    : [...found.map((text) => colour(`${text}.`)), ...why.map((text) => colour(`  ${text}`)), ''];
};

const WIDTH = 11;
const label = (name: string): string => name.padEnd(WIDTH);

const about = ({ parties, signedBy }: Story, record: StoryRecord): string[] => {
  const { principal, performer } = parties;
  const isNamed = [principal, performer].some((party) => party?.name || party?.orgName);
  return [
    row('type', `"${record.type}", version ${record.version}, published by "${record.publisher}"`),
    row('org', named(record.orgName, record.orgId)),
    ...(principal ? [row('principal', partyText(principal, record))] : []),
    row('performer', performer ? partyText(performer, record) : 'nobody yet'),
    ...(isNamed
      ? [
          row(
            '',
            'Names are what the service called them when it made this file. They are not sealed; ids are.',
          ),
        ]
      : []),
    ...(record.decidedBy
      ? [
          row(
            'decided by',
            record.decidedBy === 'gates' ? 'the gates of its type' : 'the principal',
          ),
        ]
      : []),
    ...(record.platform
      ? [
          row(
            'platform',
            `"${record.platform}"${record.platformRef ? `, reference "${record.platformRef}"` : ''}`,
          ),
        ]
      : []),
    ...(record.parentRecordId
      ? [row('part of', `record ${record.parentRecordId}, from which it was delegated`)]
      : []),
    row('criteria', criteriaText(record)),
    ...signedBy.map(({ keyId, fingerprint }) =>
      row(
        'signed by',
        fingerprint === null
          ? `the key ${keyId}, which is not in this file`
          : `sha256:${fingerprint} (key ${keyId})`,
      ),
    ),
  ];
};

const row = (name: string, text: string): string => `  ${label(name)}${text}`;

const criteriaText = ({ criteria, encrypted, criteriaHash }: StoryRecord): string =>
  criteria ??
  `${encrypted ? 'encrypted for the parties' : 'not shown here'}, sealed by their hash ${criteriaHash}`;

const named = (name: string | null, id: string): string =>
  name === null ? id : `"${name}" (${id})`;

/** The id of the record's own org stands above. */
const partyText = ({ agentId, orgId, name, orgName }: StoryParty, record: StoryRecord): string => {
  const agent = named(name, agentId);
  if (orgId === null) return agent;
  return `${agent} of ${orgId === record.orgId ? orgText(orgName, orgId) : named(orgName, orgId)}`;
};

const steps = (
  { steps: told, stepsLeftOut, leftOutAfter }: Story,
  paint: Paint,
  more: string,
): string[] => {
  const lines = told.map((step) => stepText(step, paint));
  if (leftOutAfter !== null)
    lines.splice(leftOutAfter, 0, [
      paint.dim(
        `  … ${stepsLeftOut} ${stepsLeftOut === 1 ? 'step' : 'steps'} in between left out${more} …`,
      ),
    ]);
  return lines.flat();
};

/** @param label stands before the position: whose step it is, where there are several chains. */
export const stepText = (step: StoryStep, paint: Paint, label = ''): string[] => {
  const place = `  ${step.at ?? 'at no known time        '}  ${label}#${step.position ?? '?'}  `;
  const doubt = step.failed ? paint.red('[a check failed here] ') : '';
  const who = step.actor ? `${actorText(step.actor)} ` : '';
  const indent = ' '.repeat(place.length);
  return [
    `${paint.dim(place)}${doubt}${who}${step.text}`,
    ...[
      ...step.details,
      ...(step.coSigned ? ['co-signed: the actor signed this request with a key of its own'] : []),
    ].map((detail) => `${indent}${paint.dim(detail)}`),
  ];
};

const actorText = (actor: StoryActor): string => {
  const { before, name, after } = wordsOfActor(actor);
  return `${before}${name === null ? '' : `"${name}"`}${after}`;
};

const orgText = (name: string | null, id: string | null): string =>
  name === null ? `the org ${id ?? 'unknown'}` : `"${name}"`;
