import { entriesOf } from '../../../record/lifecycle-queries.ts';
import type {
  CounterAttestationPredicate,
  RecordStatePredicate,
} from '../../../record/record-statement.ts';
import type { RecordEntryType } from '../../../vault/entry-type.ts';
import type { SealedRecord } from './sealed-record.ts';
import type { StepRule } from './sealed-step.ts';

type Member = keyof RecordStatePredicate;
interface Members {
  readonly required?: readonly Member[];
  readonly allowed?: readonly Member[];
}

/** Which of the members that not every entry has stand at which. */
const MEMBERS: { readonly [Type in RecordEntryType]: Members } = {
  RECORD_RECORDED: { allowed: ['messageHash', 'encryption'] },
  RECORD_CREATED: { allowed: ['messageHash', 'encryption'] },
  RECORD_PROPOSED: { allowed: ['messageHash', 'encryption'] },
  RECORD_ACTIVATED: {},
  PROPOSAL_ACCEPTED: {},
  COUNTER_ACCEPTED: {},
  PROPOSAL_REJECTED: { allowed: ['reason', 'peer'] },
  COUNTER_PROPOSED: { allowed: ['messageHash', 'encryption'] },
  COMPLETION_SUBMITTED: {
    required: ['completionId', 'evidenceHash'],
    allowed: ['gate', 'encryption'],
  },
  GATE_EVALUATED: { required: ['gate', 'completionId', 'evidenceHash'] },
  VERDICT_RENDERED: {
    required: ['verdict', 'completionId', 'evidenceHash'],
    allowed: ['reason', 'gate'],
  },
  REVISION_REQUESTED: { required: ['completionId', 'evidenceHash'], allowed: ['reason'] },
  CASCADE_VERIFIED: { required: ['children'] },
  CHILD_DELEGATED: { required: ['children'] },
  RECORD_CANCELLED: { required: ['cancelledBy'], allowed: ['reason'] },
  RECORD_EXPIRED: { allowed: ['reason'] },
  DISPUTE_OPENED: { required: ['dispute'], allowed: ['encryption'] },
  DISPUTE_EVIDENCE_SUBMITTED: { required: ['dispute'], allowed: ['encryption'] },
  DISPUTE_ESCALATED: { required: ['dispute'], allowed: ['reason'] },
  DISPUTE_RESOLVED: { required: ['dispute', 'reason'], allowed: ['gate'] },
  DISPUTE_WITHDRAWN: { required: ['dispute'] },
  REFERENCE_ADDED: { required: ['reference'] },
  SIGNAL_EMITTED: {},
  // A step has the members of what it asks for.
  STEP_OFFERED: {},
  STEP_REFUSED: { required: ['peer'] },
  PEER_STATEMENT_ATTESTED: {},
  PEER_EQUIVOCATION: {},
  RECORD_DETACHED: { required: ['peer'] },
};

const PARTICULAR = [
  'messageHash',
  'encryption',
  'reason',
  'gate',
  'verdict',
  'children',
  'cancelledBy',
  'reference',
  'peer',
] as const satisfies readonly Member[];

/** Where new criteria or evidence come in. */
const CONTENT: ReadonlySet<RecordEntryType> = new Set<RecordEntryType>([
  'COUNTER_PROPOSED',
  'COMPLETION_SUBMITTED',
  'DISPUTE_EVIDENCE_SUBMITTED',
]);

/** An entry has the members of its type, and those of no other. */
export const checkMembers: StepRule = ({ entry, before, after }, fail) => {
  const { entryType } = entry;
  const { required = [], allowed = [] } = MEMBERS[entryType];
  const missing = required.filter((member) => entry[member] === undefined);
  if (missing.length > 0) fail(`an entry ${entryType} has ${missing.join(', ')}`);
  const foreign = PARTICULAR.filter(
    (member) =>
      entry[member] !== undefined &&
      !required.includes(member) &&
      !allowed.includes(member) &&
      // Whatever home carried out of a mirror's steps names the step.
      !(member === 'peer' && before && isMirror(after)),
  );
  if (foreign.length > 0) fail(`an entry ${entryType} has no ${foreign.join(', ')}`);
  if (entryType === 'RECORD_EXPIRED' && entry.reason !== undefined && !isMirror(after))
    fail('a record expires because its time has run out, and for no other reason');
  if (entry.peer && entry.actor.kind !== 'peer')
    fail('only a peer refuses an offer or carries out a step');
  if ((entry.completionId === undefined) !== (entry.evidenceHash === undefined))
    fail('a completion is sealed with its evidence');
  if (before && entryType === 'RECORD_PROPOSED' && (entry.messageHash ?? entry.encryption))
    fail('a draft that is offered brings no content of its own');
  const isEncrypted = after.operatingMode === 'encrypted';
  if (entry.encryption && !isEncrypted) fail('a record in cleartext has no recipients');
  if (isEncrypted && !entry.encryption && (!before || CONTENT.has(entryType)))
    fail('encrypted content is sealed with its recipients');
  const { onBehalfOf } = entry;
  if (onBehalfOf && onBehalfOf.validated !== (onBehalfOf.provenance === 'token_exchange'))
    fail('onBehalfOf is proven by a token exchange, and by nothing else');
  if (onBehalfOf && entry.actor.kind === 'system')
    fail('the service itself acts on behalf of nobody');
  if (onBehalfOf && before && !onBehalfOf.validated)
    fail('a caller says on whose behalf it acts where it creates a record, and nowhere else');
};

const isMirror = ({ federation }: SealedRecord): boolean => federation?.role === 'mirror';

/** Whether an entry of a federated record is of the predicate of its state. */
export const isTelling = (
  entry: RecordStatePredicate | CounterAttestationPredicate,
): entry is RecordStatePredicate => 'transition' in entry;

/** What is wrong with the members: a step seals what the entry would that it asks for. Null: nothing. */
export const ofStep = (entry: RecordStatePredicate): string | null => {
  const { entryType } = entry;
  const asked =
    entryType === 'STEP_OFFERED'
      ? entriesOf(entry.transition.action).map((type) => MEMBERS[type])
      : [MEMBERS[entryType]];
  const missing = PARTICULAR_OF_STEPS.filter(
    (member) =>
      entry[member] === undefined &&
      asked.length > 0 &&
      asked.every(({ required = [] }) => required.includes(member)),
  );
  const name = `an entry ${entryType} (${entry.transition.action})`;
  if (missing.length > 0) return `${name} has ${missing.join(', ')}`;
  const foreign = PARTICULAR.filter(
    (member) =>
      entry[member] !== undefined &&
      !asked.some(({ required = [], allowed = [] }) => [...required, ...allowed].includes(member)),
  );
  return foreign.length > 0 ? `${name} has no ${foreign.join(', ')}` : null;
};

/** Those that do not depend on what home makes of the step. */
const PARTICULAR_OF_STEPS = [
  'completionId',
  'evidenceHash',
  'dispute',
  'cancelledBy',
  'reference',
  'peer',
] as const satisfies readonly Member[];
