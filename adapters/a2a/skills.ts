import type { Operation } from '../../application/call/operation.ts';
import * as audit from '../../application/audit/operations.ts';
import * as dispute from '../../application/dispute/operations.ts';
import * as record from '../../application/record/operations.ts';
import { transitionRecord } from '../../application/record/transition-operation.ts';
import { listVerificationKeys } from '../../application/vault/operations.ts';
import type { Action } from '../../domain/record/actions.ts';

/** What an agent can ask this service for. A skill binds operations; the first is meant where a message names none. */
export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly [Operation, ...Operation[]];
  /** The actions for which guidance points here, where several skills bind their operation. */
  readonly actions?: readonly Action[];
}

export const SKILLS: readonly Skill[] = [
  {
    id: 'notarize',
    name: 'Notarize an action',
    description: 'Seal what was done, at once and for good.',
    operations: [record.createRecord, record.createRecordsBulk],
  },
  {
    id: 'open-record',
    name: 'Open a gated record',
    description: 'Ask another agent for work, with criteria and gates, and see it through.',
    operations: [record.createRecord, transitionRecord, record.addReference],
    actions: ['delegate', 'propose', 'activate', 'cancel', 'verify-cascade', 'add-reference'],
  },
  {
    id: 'respond-to-proposal',
    name: 'Respond to a proposal',
    description: 'Accept what is proposed, reject it, or propose other criteria.',
    operations: [transitionRecord],
    actions: ['accept', 'accept-counter', 'counter-propose', 'reject'],
  },
  {
    id: 'submit-completion',
    name: 'Deliver the work',
    description: 'Submit the evidence that the work is done.',
    operations: [record.submitCompletion],
  },
  {
    id: 'render-verdict',
    name: 'Judge the work',
    description: 'Accept or reject what was delivered, or ask for a revision.',
    operations: [record.renderVerdict, transitionRecord],
    actions: ['revision', 'evaluate'],
  },
  {
    id: 'dispute',
    name: 'Dispute an outcome',
    description: 'Open a dispute and carry it through its tiers.',
    operations: [
      dispute.openDispute,
      dispute.submitDisputeEvidence,
      dispute.escalateDispute,
      dispute.resolveDispute,
      dispute.withdrawDispute,
    ],
  },
  {
    id: 'inspect',
    name: 'Read records',
    description: 'Read records, completions, gates, disputes and delegation trees.',
    operations: [
      record.getRecord,
      record.listRecords,
      record.getCompletion,
      record.getGateStatus,
      record.readDelegationChain,
      dispute.getRecordDispute,
      dispute.getDispute,
      dispute.listDisputes,
    ],
  },
  {
    id: 'verify',
    name: 'Take the evidence along',
    description: 'Export a signed chain, and the keys by which anyone verifies it offline.',
    operations: [audit.exportAudit, audit.exportBundle, listVerificationKeys],
  },
];

const byId: ReadonlyMap<string, Skill> = new Map(SKILLS.map((skill) => [skill.id, skill]));

export const skillOf = (id: string): Skill | undefined => byId.get(id);

/** Under which skill an operation is called; undefined where none binds it. */
export const skillFor = (operation: string, action: string): Skill | undefined => {
  const binding = SKILLS.filter(({ operations }) => operations.some(({ id }) => id === operation));
  return (
    binding.find(({ actions = [] }) => (actions as readonly string[]).includes(action)) ??
    binding[0]
  );
};
