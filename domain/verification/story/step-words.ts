import { isObject, type JsonValue } from '../../kernel/canonical-json.ts';
import type {
  ChildClaim,
  CounterAttestationPredicate,
  RecordStatePredicate,
  SettlementSignalPredicate,
} from '../../record/record-statement.ts';
import type { CounterAttestationType, RecordEntryType } from '../../vault/entry-type.ts';
import { quote, shownJson } from '../chain/shown-text.ts';
import type { ToldBeside } from '../chain/told-entries.ts';

/** What an entry says, in words: the end of a sentence that begins with who acted. */
export interface StepWords {
  readonly text: string;
  readonly details: readonly string[];
}

/** What stands beside an entry, as far as it is told. */
export interface BesideEntry extends ToldBeside {
  readonly encrypted: boolean;
}

type State = RecordStatePredicate;
type Words = string | ((entry: State) => string);

type TellsNoState = 'SIGNAL_EMITTED' | CounterAttestationType;

const WORDS: Readonly<Record<Exclude<RecordEntryType, TellsNoState>, Words>> = {
  RECORD_RECORDED: 'notarized the record, which ends with that',
  RECORD_CREATED: ({ transition }) =>
    transition.to === 'ACTIVE'
      ? 'opened the record, and the work began at once'
      : 'drafted the record',
  RECORD_PROPOSED: ({ transition, awaiting }) =>
    `${transition.from === null ? 'proposed the record' : 'proposed the draft'} to the ${awaiting === 'principal' ? 'principal' : 'performer'}`,
  RECORD_ACTIVATED: 'had the work begin',
  PROPOSAL_ACCEPTED: 'accepted the proposal, and the work began',
  COUNTER_ACCEPTED: 'accepted the counter-proposal, and the work began',
  PROPOSAL_REJECTED: 'turned the proposal down',
  COUNTER_PROPOSED: 'answered with other criteria',
  COMPLETION_SUBMITTED: ({ transition }) =>
    transition.from === 'REVISION_REQUESTED' ? 'delivered the revised work' : 'delivered the work',
  GATE_EVALUATED: ({ transition }) =>
    transition.to === 'FULFILLED'
      ? 'had the gates decide: the work is accepted'
      : 'had the gates decide: the work is rejected',
  VERDICT_RENDERED: ({ transition }) =>
    transition.to === 'REMEDIATED'
      ? 'accepted the work after all, over the earlier rejection'
      : transition.to === 'FULFILLED'
        ? 'accepted the work'
        : 'rejected the work',
  REVISION_REQUESTED: 'asked for the work to be revised',
  CASCADE_VERIFIED: ({ children = [] }) =>
    `looked at the ${counted(children.length, 'delegated record')}`,
  CHILD_DELEGATED: ({ children = [] }) =>
    `delegated part of the work as record ${children[0]?.id ?? 'unknown'}`,
  RECORD_CANCELLED: ({ transition }) =>
    transition.from === 'CREATED'
      ? 'withdrew the draft'
      : transition.from === 'PROPOSED'
        ? 'withdrew the proposal'
        : 'cancelled the record',
  RECORD_EXPIRED: 'let the record expire, because its time had run out',
  DISPUTE_OPENED: ({ transition }) => `disputed the outcome ${transition.to}`,
  DISPUTE_EVIDENCE_SUBMITTED: 'submitted evidence to the dispute',
  DISPUTE_ESCALATED: ({ dispute }) => `took the dispute to tier ${dispute?.tier ?? 'unknown'}`,
  DISPUTE_RESOLVED: ({ transition, dispute }) =>
    dispute?.outcome === 'OVERTURNED'
      ? `decided the dispute: ${transition.from ?? 'the outcome'} is overturned and becomes ${transition.to}`
      : `decided the dispute: ${transition.to} stands`,
  DISPUTE_WITHDRAWN: ({ transition }) => `withdrew the dispute: ${transition.to} stands`,
  REFERENCE_ADDED: 'added a reference to something outside',
  STEP_OFFERED: ({ transition }) => `asked the other hub for the step ${transition.action}`,
  STEP_REFUSED: ({ transition }) => `refused the step ${transition.action}`,
  RECORD_DETACHED: 'ended what the two hubs tell each other of the record',
};

export const wordsOfStep = (entry: State, beside: BesideEntry): StepWords => {
  const words = WORDS[entry.entryType as keyof typeof WORDS];
  return {
    text: typeof words === 'string' ? words : words(entry),
    details: DETAILS.flatMap((detail) => detail(entry, beside)),
  };
};

/** A signal is advice to whoever holds the money, and moves nothing of the record. */
export const wordsOfSignal = ({
  recommendation,
  outcome,
  platformRef,
}: SettlementSignalPredicate): StepWords => ({
  text: `advised the settlement platform to ${recommendation}, on the outcome ${outcome}`,
  details: platformRef === null ? [] : [`platform reference ${quote(platformRef)}`],
});

/** What one hub signs of what it received from the other. */
export const wordsOfAttestation = ({
  entryType,
  sequence,
  outcome,
  code,
  statementHash,
  otherHash,
}: CounterAttestationPredicate): StepWords =>
  entryType === 'PEER_EQUIVOCATION'
    ? {
        text: `found that the other hub signed two statements ${sequence}`,
        details: [`sha256 ${statementHash}`, `sha256 ${otherHash ?? ''}`],
      }
    : {
        text: `attested statement ${sequence} of the other hub: ${outcome}`,
        details: [
          `sha256 ${statementHash}`,
          ...(code === undefined ? [] : [`code ${quote(code, 64)}`]),
        ],
      };

type Detail = (entry: State, beside: BesideEntry) => readonly string[];

const DETAILS: readonly Detail[] = [
  ({ reason }) =>
    reason === undefined
      ? []
      : [
          reason === 'parent_cancelled'
            ? 'because the record above it was cancelled'
            : `reason ${quote(reason)}`,
        ],
  ({ onBehalfOf }) =>
    onBehalfOf
      ? [
          `on behalf of ${quote(onBehalfOf.subject.sub)} of ${quote(onBehalfOf.subject.iss)}, ${onBehalfOf.validated ? 'by a token that the service verified' : "by the caller's own word"}`,
        ]
      : [],
  ({ messageHash }, { content }) =>
    messageHash === undefined
      ? []
      : [
          typeof content?.['message'] === 'string'
            ? `message ${quote(content['message'])}`
            : `with a message that is not in the file, sealed by its hash ${messageHash}`,
        ],
  ({ entryType, criteriaHash }) =>
    entryType === 'COUNTER_PROPOSED' ? [`criteria sealed by their hash ${criteriaHash}`] : [],
  ({ entryType, evidenceHash }, { evidence, encrypted }) =>
    entryType === 'COMPLETION_SUBMITTED'
      ? [
          encrypted
            ? `evidence encrypted for the parties, sealed by its hash ${evidenceHash ?? ''}`
            : evidence === undefined
              ? `evidence not in the file, sealed by its hash ${evidenceHash ?? ''}`
              : `evidence ${shownJson(evidence)}`,
        ]
      : [],
  ({ gate }) => {
    if (!gate) return [];
    const results = bounded(
      gate.results.map(
        ({ gateId, outcome, detail }) =>
          `${quote(gateId, 64)} ${outcome}${detail === null ? '' : ` (${quote(detail, 100)})`}`,
      ),
    );
    if (!('state' in gate))
      return [`the gates gave, by the principal's own word: ${results || 'nothing'}`];
    if (gate.state === 'SKIPPED') return ['the service cannot see what the gates would judge'];
    const isAdvice = gate.state.startsWith('ADVISORY_');
    return [
      `gates ${isAdvice ? 'as advice' : 'as decision'}: ${gate.state.replace('ADVISORY_', '')}${results ? `, ${results}` : ', the type has none'}`,
    ];
  },
  ({ entryType, children = [] }) =>
    entryType === 'CASCADE_VERIFIED' ? [bounded(children.map(wordsOfChild))] : [],
  ({ entryType, expiresAt }) =>
    entryType === 'RECORD_EXPIRED' && expiresAt !== null ? [`its time ended at ${expiresAt}`] : [],
  ({ entryType, dispute }, { content, encrypted }) => {
    if (!dispute || !entryType.startsWith('DISPUTE_')) return [];
    const { contentHash, deadline } = dispute;
    return [
      ...(contentHash === undefined
        ? []
        : content === undefined
          ? [`what was said is not in the file, sealed by its hash ${contentHash}`]
          : wordsOfContent(content, encrypted)),
      ...(deadline === undefined ? [] : [`tier ${dispute.tier ?? 1} lasts until ${deadline}`]),
    ];
  },
  ({ peer }) => [
    ...(peer?.code === undefined ? [] : [`code ${quote(peer.code, 64)}`]),
    ...(peer?.reason === undefined ? [] : [`reason ${quote(peer.reason, 64)}`]),
  ],
  ({ reference }) =>
    reference
      ? [
          `${quote(reference.kind, 64)} ${quote(reference.uri)}`,
          ...(reference.label === null ? [] : [`label ${quote(reference.label)}`]),
        ]
      : [],
];

/** What a dispute was opened with, or a later piece of its evidence. */
const wordsOfContent = (
  { grounds, statement, evidence }: NonNullable<ToldBeside['content']>,
  encrypted: boolean,
): string[] => [
  ...said('grounds', grounds),
  ...said('statement', statement),
  ...(isObject(evidence)
    ? [encrypted ? 'evidence encrypted for the parties' : `evidence ${shownJson(evidence)}`]
    : []),
];

const said = (name: string, text: JsonValue | undefined): string[] =>
  typeof text === 'string' ? [`${name} ${quote(text)}`] : [];

const wordsOfChild = ({ id, status, disputed }: ChildClaim): string =>
  `${id} ${status}${disputed ? ', disputed' : ''}`;

const MAX_LISTED = 10;

const bounded = (items: readonly string[]): string =>
  [
    ...items.slice(0, MAX_LISTED),
    ...(items.length > MAX_LISTED ? [`and ${items.length - MAX_LISTED} more`] : []),
  ].join('; ');

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
