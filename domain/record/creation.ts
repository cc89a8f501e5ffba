import type { FederationState } from './federated-record.ts';
import type { OnBehalfOf } from '../identity/on-behalf-of.ts';
import type { JsonObject } from '../kernel/canonical-json.ts';
import { hashJson } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { earlier } from '../kernel/instant.ts';
import { isNotarizeOnly, type RecordType } from '../record-type/manifest.ts';
import { encryptionOf } from './jwe.ts';
import { creationTo } from './lifecycle-queries.ts';
import type { RecordChange } from './record-change.ts';
import type { Awaiting, RecordState, Side } from './record-state.ts';
import { TERMINAL, type RecordStatus } from './record-status.ts';

export interface Party {
  readonly agentId: Uuid;
  readonly orgId: Uuid;
}

export interface FederatedPerformer {
  readonly peerHubId: Uuid;
  readonly performerAgentId: Uuid;
  /** Of the peer's registration. */
  readonly generation?: number;
}

export interface RecordDraft {
  readonly id: Uuid;
  readonly recordType: RecordType;
  readonly principal: Party;
  readonly performer: Party | null;
  /** The side that creates it. */
  readonly creator: Side;
  readonly criteria: JsonObject;
  readonly platform: string;
  readonly platformRef: string | null;
  readonly message: string | null;
  readonly autoActivate: boolean;
  readonly expiresAt: string | null;
  readonly onBehalfOf?: OnBehalfOf | null;
  /** The performer lives on another hub, which is offered the record. */
  readonly federation?: FederatedPerformer | null;
  /** The record under which it is delegated. */
  readonly parent?: RecordState;
}

/** A new record, in the state that its draft asks for. */
export const createRecord = (draft: RecordDraft, at: string): RecordChange => {
  const status = openingStatus(draft);
  const { manifest } = draft.recordType;
  const performer = draft.performer ?? (status === 'ACTIVE' ? draft.principal : null);
  const after: RecordState = {
    id: draft.id,
    orgId: draft.principal.orgId,
    performerOrgId: performer?.orgId ?? null,
    schema: {
      orgId: draft.recordType.orgId,
      publisher: draft.recordType.publisher,
      type: draft.recordType.type,
      version: draft.recordType.version,
      manifestDigest: draft.recordType.manifestDigest,
    },
    platform: draft.platform,
    platformRef: draft.platformRef,
    gateMode: manifest.gateMode,
    operatingMode: manifest.operatingMode,
    status,
    criteria: draft.criteria,
    criteriaHash: hashJson(draft.criteria),
    message: draft.message,
    counterProposal: null,
    proposalRounds: 0,
    onBehalfOf: draft.onBehalfOf ?? null,
    principalAgentId: draft.principal.agentId,
    performerAgentId: draft.federation?.performerAgentId ?? performer?.agentId ?? null,
    parentRecordId: draft.parent?.id ?? null,
    rootRecordId: draft.parent?.rootRecordId ?? draft.id,
    depth: draft.parent ? draft.parent.depth + 1 : 0,
    childCount: 0,
    cascadeRule: manifest.cascade.rule,
    awaiting: openingAwaits(status, draft.creator),
    revisionCount: 0,
    maxRevisions: manifest.maxRevisions,
    latestCompletionId: null,
    completionPending: false,
    latestEvidenceHash: null,
    cancelledBy: null,
    disputed: false,
    openDisputeId: null,
    disputeCount: 0,
    maxDisputes: manifest.maxDisputes,
    disputeWindowSeconds: manifest.disputeWindowSeconds,
    disputeDeadline: null,
    latestSignalId: null,
    verdictWindowSeconds: manifest.verdictWindowSeconds,
    expiresAt: TERMINAL.has(status)
      ? null
      : earlier(draft.expiresAt, draft.parent?.expiresAt ?? null),
    createdAt: at,
    activatedAt: status === 'ACTIVE' ? at : null,
    terminalAt: TERMINAL.has(status) ? at : null,
    updatedAt: at,
    federation: draft.federation ? offeredTo(draft.federation) : null,
    references: [],
    version: 1,
  };
  return {
    transition: creationTo(status),
    before: null,
    after,
    sealed: encryptionOf(manifest.operatingMode, draft.criteria),
    eventData: status === 'PROPOSED' ? { round: 0, awaiting: after.awaiting } : {},
  };
};

const offeredTo = ({ peerHubId, generation }: FederatedPerformer): FederationState => ({
  role: 'home',
  peerHubId,
  recordId: null,
  sent: 0,
  received: 0,
  applied: 0,
  refusedSteps: 0,
  pendingStep: null,
  ...(generation === undefined ? {} : { generation }),
  detached: null,
});

const openingStatus = (draft: RecordDraft): RecordStatus => {
  if (isNotarizeOnly(draft.recordType.manifest)) return 'RECORDED';
  if (draft.federation) return 'PROPOSED';
  if (draft.autoActivate) return 'ACTIVE';
  return draft.performer && draft.performer.agentId !== draft.principal.agentId
    ? 'PROPOSED'
    : 'CREATED';
};

const openingAwaits = (status: RecordStatus, creator: Side): Awaiting => {
  switch (status) {
    case 'CREATED':
      return 'principal';
    case 'PROPOSED':
      return creator === 'principal' ? 'performer' : 'principal';
    case 'ACTIVE':
      return 'performer';
    default:
      return null;
  }
};
