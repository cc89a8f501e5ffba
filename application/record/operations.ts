import { HASH, IDS, pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { AddReference } from './add-reference.ts';
import { BulkSchema, bulkView } from './bulk-view.ts';
import { CompletionSchema, completionView } from './completion-view.ts';
import { CreateRecord } from './create-record.ts';
import { CreateRecordsBulk } from './create-records-bulk.ts';
import {
  COMPLETION,
  COMPLETION_BODY,
  CREATE_GATED,
  CREATE_NOTARIZED,
  FULFILLED_RECORD,
  GATE_STATUS,
  RECORD,
  REFERENCE,
  REFERENCE_BODY,
} from './examples.ts';
import { GateStatusSchema, gateStatusView } from './gate-status-view.ts';
import { GetCompletion } from './get-completion.ts';
import { GetGateStatus } from './get-gate-status.ts';
import { GetRecord } from './get-record.ts';
import {
  AddReferenceInput,
  CompletionInput,
  CreateRecordInput,
  CreateRecordsBulkInput,
  RecordInput,
  RenderVerdictInput,
  SubmitCompletionInput,
} from './inputs.ts';
import { ListRecordsInput } from './list-records-input.ts';
import { ListRecords } from './list-records.ts';
import { ReadTree } from './read-tree.ts';
import { RecordSchema, recordView, shownRecord } from './record-view.ts';
import { RecordPageSchema } from './record-page-schema.ts';
import { recordTarget } from './record-target.ts';
import { ReferenceSchema, shownReference } from './reference-view.ts';
import { RenderVerdict } from './render-verdict.ts';
import { SubmitCompletion } from './submit-completion.ts';
import { TreeSchema, treeView } from './tree-view.ts';
import { concernsRecord, concernsTree, orgsOf } from './concerns.ts';

export const createRecord = operation({
  id: 'createRecord',
  words: {
    summary: 'Create a record: notarize an action, or open a gated one',
    description:
      'A notarize-only type (its completionSchema is {}) is sealed at once and ends RECORDED. A gated one opens CREATED, PROPOSED where a counterparty is named, or ACTIVE with autoActivate.',
    group: 'Records',
  },
  effect: 'write',
  access: () => ({ scope: 'records:write' }),
  budget: 'records-create',
  input: CreateRecordInput,
  examples: { notarize: CREATE_NOTARIZED, gated: CREATE_GATED },
  output: RecordSchema,
  result: { description: 'The record, sealed and durable', example: RECORD },
  problems: [
    'UNPROCESSABLE',
    'SCHEMA_VALIDATION_ERROR',
    'AMBIGUOUS_PUBLISHER',
    'INVALID_ACTION',
    'UNPROCESSABLE_STATE',
    'FORBIDDEN',
    'CHAIN_REWIND_DETECTED',
  ],
  useCase: CreateRecord,
  view: (result, guide) => ({ ...shownRecord(result, guide), isNew: true }),
});

export const createRecordsBulk = operation({
  id: 'createRecordsBulk',
  words: {
    summary: 'Create up to 100 records, each on its own',
    description:
      'The body is a bare array of creation bodies. Each item is a transaction of its own and counts as one request; one that fails harms no other, and the answer is 207 even where all fail.',
    group: 'Records',
  },
  effect: 'write',
  access: () => ({ scope: 'records:write' }),
  budget: 'records-create',
  cost: ({ items }) => items.length,
  input: CreateRecordsBulkInput,
  examples: { two: { items: [CREATE_NOTARIZED, CREATE_GATED] } },
  output: BulkSchema,
  result: {
    description: 'One outcome an item, in the order of the input',
    example: { data: [{ index: 0, record: RECORD }], total: 1, succeeded: 1, failed: 0 },
  },
  useCase: CreateRecordsBulk,
  view: (result, guide) => ({ view: bulkView(result, guide) }),
});

export const listRecords = listing({
  id: 'listRecords',
  words: { summary: 'List records, newest first', group: 'Records' },
  access: () => ({ scope: 'records:read' }),
  input: ListRecordsInput,
  output: RecordPageSchema,
  problems: ['FORBIDDEN'],
  result: {
    description: 'A page of records; total is exact up to 10,000',
    example: pageExample({ ...RECORD, signedStatement: null }),
  },
  useCase: ListRecords,
  concerns: ({ rows }) => ({ orgs: rows.flatMap(orgsOf) }),
  view: (slice, guide) => pageView(slice, guide, (row) => recordView(row, guide)),
});

export const getRecord = operation({
  id: 'getRecord',
  words: { summary: 'Read a record, with what to do next', group: 'Records' },
  effect: 'read',
  access: () => ({ scope: 'records:read' }),
  input: RecordInput,
  target: recordTarget,
  output: RecordSchema,
  result: { description: 'The record', example: RECORD },
  useCase: GetRecord,
  concerns: (result) => concernsRecord(result),
  view: shownRecord,
});

export const readDelegationChain = operation({
  id: 'readDelegationChain',
  words: {
    summary: 'Read the delegation tree that a record belongs to',
    description:
      'From the root, the nearest to it first, at most 2,000 records. Of records that this credential may not read it shows that they are there, how they stand, and the head of their chain.',
    group: 'Records',
  },
  effect: 'read',
  access: () => ({ scope: 'records:read' }),
  input: RecordInput,
  target: recordTarget,
  output: TreeSchema,
  result: {
    description: 'The tree',
    example: {
      root: IDS.record,
      path: [IDS.record, IDS.child],
      nodes: [
        {
          id: IDS.record,
          parentRecordId: null,
          depth: 0,
          type: 'report.weekly',
          status: 'ACTIVE',
          performerAgentId: IDS.performer,
          principalAgentId: IDS.principal,
          headHash: HASH,
          position: 3,
        },
        {
          id: IDS.child,
          parentRecordId: IDS.record,
          depth: 1,
          status: 'FULFILLED',
          headHash: HASH,
          position: 5,
          redacted: true,
        },
      ],
    },
  },
  useCase: ReadTree,
  concerns: (tree) => concernsTree(tree),
  view: (tree) => ({ view: treeView(tree) }),
});

export const addReference = operation({
  id: 'addReference',
  words: {
    summary: 'Attach an external reference',
    description:
      'In any state, by either party or an admin; at most 32 on a record. The same kind and uri again adds nothing and answers what is there. What the URI leads to is neither fetched nor checked.',
    group: 'Records',
  },
  effect: 'write',
  access: () => ({ scope: 'records:write' }),
  input: AddReferenceInput,
  target: recordTarget,
  examples: { report: REFERENCE_BODY, bare: { kind: 'ticket', uri: 'urn:example:ticket:4711' } },
  output: ReferenceSchema,
  result: {
    description: 'The reference, sealed',
    example: REFERENCE,
    found: {
      description: 'The reference that was there; nothing was written',
      example: { ...REFERENCE, signedStatement: null },
    },
  },
  problems: ['CONFLICT', 'CHAIN_REWIND_DETECTED'],
  useCase: AddReference,
  view: shownReference,
});

export const submitCompletion = operation({
  id: 'submitCompletion',
  words: {
    summary: 'Deliver the work with its evidence',
    description:
      'Phase 1 checks the evidence against the completionSchema of the type; what fails it is refused and stored nowhere. Phase 2 evaluates the gates: in auto mode they decide, in principal mode they advise; in an encrypted type they are skipped.',
    group: 'Completions',
  },
  effect: 'write',
  access: () => ({ scope: 'completions:write' }),
  isVersioned: true,
  input: SubmitCompletionInput,
  target: recordTarget,
  examples: { report: COMPLETION_BODY },
  output: CompletionSchema,
  result: { description: 'The completion', example: COMPLETION },
  problems: [
    'SCHEMA_VALIDATION_ERROR',
    'INVALID_ACTION',
    'UNPROCESSABLE_STATE',
    'FORBIDDEN',
    'CHAIN_REWIND_DETECTED',
  ],
  useCase: SubmitCompletion,
  view: (result, guide) => ({ view: completionView(result, guide), isNew: true }),
});

export const getCompletion = operation({
  id: 'getCompletion',
  words: { summary: 'Read a completion', group: 'Completions' },
  effect: 'read',
  access: () => ({ scope: 'completions:read' }),
  input: CompletionInput,
  target: recordTarget,
  output: CompletionSchema,
  result: { description: 'The completion', example: COMPLETION },
  useCase: GetCompletion,
  concerns: (result) => concernsRecord(result),
  view: (result, guide) => ({ view: completionView(result, guide) }),
});

export const renderVerdict = operation({
  id: 'renderVerdict',
  words: {
    summary: 'Accept or reject the latest completion, or override a rejection',
    description:
      'In an encrypted type the principal may add gateResults: what the gates gave by its own evaluation of the plaintext. They are stored and sealed in the clear, as claimed by the principal.',
    group: 'Completions',
  },
  effect: 'write',
  access: () => ({ scope: 'records:write' }),
  isVersioned: true,
  input: RenderVerdictInput,
  target: recordTarget,
  examples: {
    accept: { verdict: 'accept', completionId: IDS.completion },
    reject: {
      verdict: 'reject',
      completionId: IDS.completion,
      reason: 'Two sources are missing.',
    },
    encrypted: {
      verdict: 'accept',
      completionId: IDS.completion,
      gateResults: [{ gateId: 'sources', outcome: 'pass' }],
    },
  },
  output: RecordSchema,
  result: { description: 'The record, decided', example: FULFILLED_RECORD },
  problems: ['INVALID_ACTION', 'UNPROCESSABLE_STATE', 'FORBIDDEN', 'CHAIN_REWIND_DETECTED'],
  useCase: RenderVerdict,
  view: shownRecord,
});

export const getGateStatus = operation({
  id: 'getGateStatus',
  words: { summary: 'Read how the latest completion fares', group: 'Completions' },
  effect: 'read',
  access: () => ({ scope: 'records:read' }),
  input: RecordInput,
  target: recordTarget,
  output: GateStatusSchema,
  result: { description: 'Both phases of the latest completion', example: GATE_STATUS },
  useCase: GetGateStatus,
  concerns: (result) => concernsRecord(result),
  view: (result, guide) => ({ view: gateStatusView(result, guide) }),
});
