import type { ActorName } from './cast.ts';
import { ACTION_PATHS, type Command } from './command.ts';
import { SUBJECT } from './situations.ts';

/** Those whose answers differ: both parties, an admin of each one's org, the platform, an agent that is no party, a key that may only read. */
export const TRYING: readonly ActorName[] = [
  'alice',
  'bob',
  'admin-a',
  'admin-b',
  'platform',
  'eve',
  'alice-reader',
];

/** Wire names of actions (records.md, part 3), and one that is none. */
const WIRE_NAMES = [
  'propose',
  'activate',
  'accept',
  'reject',
  'counter-propose',
  'accept-counter',
  'submit-completion',
  'render-verdict',
  'revision',
  'evaluate',
  'verify-cascade',
  'delegate',
  'cancel',
  'open-dispute',
  'submit-dispute-evidence',
  'escalate-dispute',
  'resolve-dispute',
  'withdraw-dispute',
  'add-reference',
  'view',
  'export-audit',
  'fly',
] as const;

const parameters = (action: string): object =>
  action === 'propose'
    ? { performer: 'dave' }
    : action === 'counter-propose'
      ? { criteria: 'counter' }
      : {};

/** Every way to try something on the record: each action by its name, and each path of its own. */
export const attemptsBy = (as: ActorName): readonly Command[] => {
  const by = { as, on: SUBJECT } as const;
  return [
    ...WIRE_NAMES.map((action): Command => ({
      do: 'take',
      ...by,
      action,
      via: 'transition',
      ...parameters(action),
    })),
    ...[...ACTION_PATHS].map((action): Command => ({
      do: 'take',
      ...by,
      action,
      via: 'path',
      ...parameters(action),
    })),
    { do: 'take', ...by, action: 'propose', via: 'transition', performer: 'alice' },
    { do: 'take', ...by, action: 'counter-propose', via: 'path', criteria: 'bad' },
    { do: 'take', ...by, action: 'cancel', via: 'path', cascade: true },
    { do: 'submit', ...by, evidence: 'pass' },
    { do: 'submit', ...by, evidence: 'fail' },
    { do: 'submit', ...by, evidence: 'bad' },
    { do: 'verdict', ...by, verdict: 'accept', completion: 'latest' },
    { do: 'verdict', ...by, verdict: 'reject', completion: 'latest' },
    { do: 'verdict', ...by, verdict: 'accept', completion: 'other' },
    { do: 'create', as, label: 'r9', type: 'job', criteria: 'base', auto: true, parent: SUBJECT },
    { do: 'reference', ...by, uri: 'urn:walk:0' },
    { do: 'read', ...by },
    { do: 'dispute', ...by, step: 'open' },
    { do: 'dispute', ...by, step: 'evidence' },
    { do: 'dispute', ...by, step: 'escalate' },
    { do: 'dispute', ...by, step: 'resolve', outcome: 'UPHELD' },
    { do: 'dispute', ...by, step: 'resolve', outcome: 'OVERTURNED' },
    { do: 'dispute', ...by, step: 'withdraw' },
  ];
};
