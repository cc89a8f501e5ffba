import { Type } from 'typebox';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { Guide } from '../call/guide.ts';
import type { Shown } from '../call/operation.ts';
import {
  Actor,
  JsonObjectSchema,
  RECORD_GUIDANCE,
  Sha256,
  SignedStatementSchema,
  Status,
  Timestamp,
  Uuid,
  nullable,
  oneOf,
  orNull,
} from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { newestStatementView } from '../sealing/signed-statement-view.ts';
import { guidanceView } from './guidance-view.ts';
import { REFERENCE_MEMBERS } from './reference-view.ts';
import type { RecordResult } from './results.ts';
import { SubjectSchema } from './subject-schema.ts';

export const AwaitingSchema = nullable(oneOf(['performer', 'principal', 'gate', 'children']));

export const RecordSchema = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    type: Type.String(),
    publisher: Type.String(),
    contractVersion: Type.Integer(),
    manifestDigest: Sha256,
    platform: Type.String(),
    platformRef: nullable(Type.String()),
    gateMode: oneOf(['auto', 'principal']),
    operatingMode: oneOf(['cleartext', 'encrypted']),
    status: Status,
    criteria: JsonObjectSchema,
    criteriaHash: Sha256,
    message: nullable(Type.String()),
    principalAgentId: Uuid,
    performerAgentId: nullable(Uuid),
    parentRecordId: nullable(Uuid),
    rootRecordId: Uuid,
    depth: Type.Integer(),
    awaiting: AwaitingSchema,
    revisionCount: Type.Integer(),
    maxRevisions: Type.Integer(),
    latestCompletionId: nullable(Uuid),
    disputed: Type.Boolean(),
    openDisputeId: nullable(Uuid),
    disputeCount: Type.Integer(),
    counterProposal: orNull(
      Type.Object({
        criteria: JsonObjectSchema,
        criteriaHash: Sha256,
        message: nullable(Type.String()),
        proposedBy: Actor,
        proposedAt: Timestamp,
      }),
    ),
    references: Type.Array(Type.Object(REFERENCE_MEMBERS)),
    onBehalfOf: orNull(
      Type.Object({
        subject: SubjectSchema,
        validated: Type.Boolean({
          description:
            'A token that the service verified says so; otherwise it is the word of the caller',
        }),
        provenance: oneOf(['token_exchange', 'asserted']),
        act: Type.Array(SubjectSchema),
      }),
    ),
    federation: orNull(
      Type.Object(
        {
          role: { ...oneOf(['home', 'mirror']), description: 'Home decides; a mirror follows it' },
          peerHubId: Uuid,
          recordId: {
            ...nullable(Uuid),
            description: "The peer's id of the record; null until the peer attested the offer",
          },
          performerAgentId: Uuid,
          pendingStep: orNull(
            Type.Object({ action: Type.String(), sequence: Type.Integer(), since: Timestamp }),
          ),
          detached: {
            ...nullable(Type.String()),
            description: 'Why nothing more passes between the two; null while it does',
          },
        },
        { description: 'Of a record whose performer lives on another hub' },
      ),
    ),
    expiresAt: nullable(Timestamp),
    createdAt: Timestamp,
    activatedAt: nullable(Timestamp),
    terminalAt: nullable(Timestamp),
    updatedAt: Timestamp,
    version: Type.Integer({ description: 'Counts up with every change; the ETag' }),
    cascade: Type.Optional(
      Type.Object(
        {
          cancelled: Type.Integer({
            minimum: 0,
            description: 'Records below it that were cancelled with it',
          }),
        },
        { description: 'On a cancellation with cascade: true' },
      ),
    ),
    signedStatement: orNull(SignedStatementSchema),
    ...RECORD_GUIDANCE,
  },
  {
    description:
      'A record. signedStatement is the chain entry that the call wrote; on a GET the newest; in a listing null.',
  },
);

type RecordView = ViewOf<typeof RecordSchema>;

/**
 * The whole record, with the members and in the order of the contract. A page has many of them, so they are written in one
 * literal: to lay objects together took longer than all else that a view does.
 */
const wholeView = (
  { record, signedStatement, guidance }: RecordResult,
  guide: Guide,
): Omit<RecordView, 'cascade'> => {
  const { nextActions, validTransitions, suggestion, hint, nextSteps } = guidanceView(
    guidance,
    record.id,
    guide,
  );
  return {
    id: record.id,
    orgId: record.orgId,
    type: record.schema.type,
    publisher: record.schema.publisher,
    contractVersion: record.schema.version,
    manifestDigest: record.schema.manifestDigest,
    platform: record.platform,
    platformRef: record.platformRef,
    gateMode: record.gateMode,
    operatingMode: record.operatingMode,
    status: record.status,
    criteria: record.criteria,
    criteriaHash: record.criteriaHash,
    message: record.message,
    principalAgentId: record.principalAgentId,
    performerAgentId: record.performerAgentId,
    parentRecordId: record.parentRecordId,
    rootRecordId: record.rootRecordId,
    depth: record.depth,
    awaiting: record.awaiting,
    revisionCount: record.revisionCount,
    maxRevisions: record.maxRevisions,
    latestCompletionId: record.latestCompletionId,
    disputed: record.disputed,
    openDisputeId: record.openDisputeId,
    disputeCount: record.disputeCount,
    counterProposal: record.counterProposal,
    references: record.references,
    onBehalfOf: record.onBehalfOf,
    federation: federationView(record),
    expiresAt: record.expiresAt,
    createdAt: record.createdAt,
    activatedAt: record.activatedAt,
    terminalAt: record.terminalAt,
    updatedAt: record.updatedAt,
    version: record.version,
    signedStatement: newestStatementView(signedStatement),
    nextActions,
    validTransitions,
    suggestion,
    hint,
    nextSteps,
  };
};

export const recordView = (result: RecordResult, guide: Guide): RecordView => {
  const view = wholeView(result, guide);
  const { cascade } = result;
  if (!cascade) return view;
  const { signedStatement, nextActions, validTransitions, suggestion, hint, nextSteps, ...state } =
    view;
  const then = { signedStatement, nextActions, validTransitions, suggestion, hint, nextSteps };
  return { ...state, cascade, ...then };
};

export const shownRecord = (result: RecordResult, guide: Guide): Shown<RecordView> => ({
  view: recordView(result, guide),
  version: result.record.version,
  ...(result.isWindowOver ? { stage: 'final' } : {}),
});

const federationView = ({ federation, performerAgentId }: RecordState) =>
  federation === null || performerAgentId === null
    ? null
    : {
        role: federation.role,
        peerHubId: federation.peerHubId,
        recordId: federation.recordId,
        performerAgentId,
        pendingStep: federation.pendingStep,
        detached: federation.detached,
      };
