import * as audit from '../../application/audit/operations.ts';
import type { Operation } from '../../application/call/operation.ts';
import type { NextStep } from '../../application/call/guide.ts';
import * as dispute from '../../application/dispute/operations.ts';
import { getWhoami } from '../../application/identity/credential-operations.ts';
import { getSchema, listSchemas } from '../../application/record-type/operations.ts';
import * as record from '../../application/record/operations.ts';
import { transitionRecord } from '../../application/record/transition-operation.ts';
import { listVerificationKeys } from '../../application/vault/operations.ts';

/** What an agent can call here. A tool binds one operation. */
export interface Tool {
  readonly name: string;
  readonly operation: Operation;
  /** Members of the input that the tool stands for. */
  readonly fixed?: { readonly [member: string]: string };
  /** When to call it, for whoever chooses among tools; the words of the operation follow. */
  readonly when: string;
  /** Instead of the words of the operation, where those are about REST. */
  readonly description?: string;
  /** Calling it ends something that no other call brings back. */
  readonly isFinal?: boolean;
  /** The same call again changes nothing more, also without a key. */
  readonly isIdempotent?: boolean;
}

const READ = { isIdempotent: true } as const;
/** A second call of the same is refused, because the record is past it. */
const ONCE = { isIdempotent: true } as const;
const FOR_GOOD = { ...ONCE, isFinal: true } as const;

export const TOOLS: readonly Tool[] = [
  {
    name: 'notarize',
    operation: record.createRecord,
    when: 'Seal what was done, at once and for good: give a notarize-only type and the facts as criteria.',
  },
  {
    name: 'open_record',
    operation: record.createRecord,
    when: 'Ask another agent for work: name it as performerAgentId, and say in criteria what is wanted.',
  },
  {
    name: 'notarize_many',
    operation: record.createRecordsBulk,
    when: 'Seal up to 100 things in one call.',
    description:
      'Each item is sealed by itself; one that fails harms no other, and the result says which.',
  },
  {
    name: 'accept_proposal',
    operation: transitionRecord,
    fixed: { action: 'accept' },
    when: 'Take on the work that a proposal asks of you.',
    description: 'The record is ACTIVE afterwards, and its criteria bind both sides.',
    ...ONCE,
  },
  {
    name: 'act_on_record',
    operation: transitionRecord,
    when: 'Take any other step of a record: propose, reject, counter-propose, accept-counter, ask for a revision, cancel.',
    ...FOR_GOOD,
  },
  {
    name: 'add_reference',
    operation: record.addReference,
    when: 'Tie a record to a ticket, a commit or a document elsewhere.',
    ...ONCE,
  },
  {
    name: 'submit_completion',
    operation: record.submitCompletion,
    when: 'Deliver the work of an ACTIVE record.',
  },
  {
    name: 'render_verdict',
    operation: record.renderVerdict,
    when: 'Judge what was delivered to you.',
    ...FOR_GOOD,
  },
  {
    name: 'open_dispute',
    operation: dispute.openDispute,
    when: 'Contest how a record ended.',
    ...ONCE,
  },
  {
    name: 'submit_dispute_evidence',
    operation: dispute.submitDisputeEvidence,
    when: 'Back your side of an open dispute.',
  },
  {
    name: 'escalate_dispute',
    operation: dispute.escalateDispute,
    when: 'Bring a dispute before the next tier.',
    ...FOR_GOOD,
  },
  {
    name: 'resolve_dispute',
    operation: dispute.resolveDispute,
    when: 'Decide a dispute, as whoever its tier names.',
    ...FOR_GOOD,
  },
  {
    name: 'withdraw_dispute',
    operation: dispute.withdrawDispute,
    when: 'Give up a dispute that you opened.',
    ...FOR_GOOD,
  },
  {
    name: 'get_record',
    operation: record.getRecord,
    when: 'See how a record stands, and which tools to call next.',
    ...READ,
  },
  {
    name: 'list_records',
    operation: record.listRecords,
    when: 'Find records by type, status, party or time.',
    ...READ,
  },
  {
    name: 'get_completion',
    operation: record.getCompletion,
    when: 'See what was delivered.',
    ...READ,
  },
  {
    name: 'get_gate_status',
    operation: record.getGateStatus,
    when: 'See which gates the latest completion passed.',
    ...READ,
  },
  {
    name: 'get_delegation_tree',
    operation: record.readDelegationChain,
    when: 'See who passed work on to whom.',
    ...READ,
  },
  {
    name: 'get_record_dispute',
    operation: dispute.getRecordDispute,
    when: 'See the dispute of a record.',
    ...READ,
  },
  {
    name: 'get_dispute',
    operation: dispute.getDispute,
    when: 'See a dispute by its own id.',
    ...READ,
  },
  { name: 'list_disputes', operation: dispute.listDisputes, when: 'Find disputes.', ...READ },
  {
    name: 'list_record_types',
    operation: listSchemas,
    when: 'See which types of records there are, before the first call of notarize or open_record.',
    ...READ,
  },
  {
    name: 'get_record_type',
    operation: getSchema,
    when: 'See which criteria and which evidence a type asks for.',
    ...READ,
  },
  {
    name: 'export_audit',
    operation: audit.exportAudit,
    when: 'Take the proof of a record along: its signed chain, which anyone verifies offline with notary verify.',
    ...READ,
  },
  {
    name: 'export_bundle',
    operation: audit.exportBundle,
    when: 'Take the newest statement of a record along, in the form of Sigstore bundles.',
    ...READ,
  },
  {
    name: 'list_verification_keys',
    operation: listVerificationKeys,
    when: 'Get the public keys by which exports are verified.',
    ...READ,
  },
  {
    name: 'whoami',
    operation: getWhoami,
    when: 'See whose credential this is and what it may do.',
    ...READ,
  },
];

const byName: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const toolOf = (name: string): Tool | undefined => byName.get(name);

/** The tool by which a step is taken: the one that stands for the most of it. */
export const toolFor = ({
  operation,
  input,
}: Pick<NextStep, 'operation' | 'input'>): Tool | undefined =>
  TOOLS.filter(
    ({ operation: { id }, fixed = {} }) =>
      id === operation && Object.entries(fixed).every(([name, value]) => input[name] === value),
  ).sort((a, b) => fixedCount(b) - fixedCount(a))[0];

const fixedCount = ({ fixed = {} }: Tool): number => Object.keys(fixed).length;
