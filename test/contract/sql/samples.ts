import { createHash } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { KeptAnswer } from '../../../application/ports/idempotency-store.port.ts';
import type { DomainEvent } from '../../../domain/event/event.ts';
import type { Agent } from '../../../domain/identity/agent.ts';
import type { ApiKey } from '../../../domain/identity/api-key.ts';
import type { Org } from '../../../domain/identity/org.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { RecordType } from '../../../domain/record-type/manifest.ts';
import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import { GENESIS_HASH, type ChainEntry, type ChainHead } from '../../../domain/vault/chain.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';

export { uuid };

export const SIGNING_KEY = 'ab'.repeat(16);

export const T0 = '2026-03-01T10:00:00.001Z';

/** Milliseconds after T0. */
export const at = (milliseconds: number): string =>
  new Date(Date.parse(T0) + milliseconds).toISOString();

export const bytes = (seed: string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(seed).digest());
export const hex = (seed: string): string => createHash('sha256').update(seed).digest('hex');

export const sampleRecord = (changes: Partial<RecordState> = {}): RecordState => {
  const id = changes.id ?? uuid();
  return {
    id,
    orgId: uuid(),
    performerOrgId: null,
    schema: {
      orgId: uuid(),
      publisher: 'acme',
      type: 'ledger.entry',
      version: 1,
      manifestDigest: hex('manifest'),
    },
    platform: 'api',
    platformRef: null,
    gateMode: 'principal',
    operatingMode: 'cleartext',
    status: 'RECORDED',
    criteria: {
      amount: 10,
      note: "naïve 🙂 \u0000 \u2028 \u001a ' \" \\ \\' % ? ?? :x `; -- /*",
      nested: { '': null, list: [1, -0.5, 1e21, true] },
    },
    criteriaHash: hex(id),
    message: null,
    counterProposal: null,
    proposalRounds: 0,
    onBehalfOf: null,
    federation: null,
    principalAgentId: uuid(),
    performerAgentId: null,
    parentRecordId: null,
    rootRecordId: id,
    depth: 0,
    childCount: 0,
    cascadeRule: 'none',
    awaiting: null,
    revisionCount: 0,
    maxRevisions: 3,
    latestCompletionId: null,
    completionPending: false,
    latestEvidenceHash: null,
    cancelledBy: null,
    disputed: false,
    openDisputeId: null,
    disputeCount: 0,
    maxDisputes: 1,
    disputeWindowSeconds: 604_800,
    disputeDeadline: null,
    latestSignalId: null,
    verdictWindowSeconds: 604_800,
    expiresAt: null,
    createdAt: T0,
    activatedAt: null,
    terminalAt: T0,
    updatedAt: T0,
    references: [],
    version: 1,
    ...changes,
  };
};

/** A record in which no member is null. */
export const fullRecord = (): RecordState =>
  sampleRecord({
    performerOrgId: uuid(),
    platformRef: "order/42 \\' OR 1=1; --",
    status: 'ACTIVE',
    gateMode: 'auto',
    message: 'please',
    performerAgentId: uuid(),
    parentRecordId: uuid(),
    rootRecordId: uuid(),
    depth: 2,
    onBehalfOf: {
      subject: { iss: 'https://idp.example', sub: 'é' },
      validated: false,
      provenance: 'asserted',
      act: [],
    },
    childCount: 3,
    cascadeRule: 'quorum',
    awaiting: 'gate',
    revisionCount: 1,
    latestCompletionId: uuid(),
    completionPending: true,
    latestEvidenceHash: hex('evidence'),
    cancelledBy: 'performer',
    disputed: true,
    openDisputeId: uuid(),
    disputeCount: 1,
    disputeDeadline: at(1234),
    latestSignalId: uuid(),
    expiresAt: at(999),
    activatedAt: at(5),
    terminalAt: at(7),
    updatedAt: at(7),
    version: 4,
  });

export const sampleCompletion = (
  recordId: string,
  changes: Partial<Completion> = {},
): Completion => ({
  id: uuid(),
  recordId,
  revision: 1,
  evidence: { url: 'https://example.org/', lines: ['a', 'b'] },
  evidenceHash: hex('evidence'),
  submittedBy: { kind: 'agent', agentId: uuid(), apiKeyId: uuid() },
  submittedAt: T0,
  gate: { state: 'PENDING', evaluatedAt: null, results: [] },
  verdict: null,
  entryPosition: 2,
  ...changes,
});

/** The entry after `head`. Its bytes are no signature: nothing in storage looks at them. */
export const entryAfter = (
  chainKey: ChainKey,
  head: Pick<ChainHead, 'position' | 'hash'> | null,
  changes: Partial<ChainEntry> = {},
): ChainEntry => {
  const position = (head?.position ?? 0) + 1;
  const coseSign1 = Uint8Array.from({ length: 300 }, (_, i) => (i * 7 + position) % 256);
  return {
    chainKey,
    position,
    entryType: 'RECORD_RECORDED',
    recordId: null,
    orgId: uuid(),
    signingKeyId: SIGNING_KEY,
    previousHash: head?.hash ?? GENESIS_HASH,
    hash: bytes(`${chainKey}/${position}/${Math.random()}`),
    coseSign1,
    at: T0,
    oidcIss: null,
    oidcSub: null,
    ...changes,
  };
};

export const sampleEvent = (changes: Partial<DomainEvent> = {}): DomainEvent => ({
  id: uuid(),
  type: 'record.recorded',
  orgId: uuid(),
  counterpartyOrgId: null,
  partyAgentId: uuid(),
  counterpartyAgentId: null,
  recordId: uuid(),
  recordType: 'ledger.entry',
  agentId: uuid(),
  data: { recordId: 'x', status: 'RECORDED' },
  createdAt: T0,
  position: 1,
  ...changes,
});

export const sampleOrg = (changes: Partial<Org> = {}): Org => {
  const id = changes.id ?? uuid();
  return {
    id,
    slug: `org-${id}`,
    name: 'Örg GmbH & Co',
    createdAt: T0,
    managedBy: null,
    settings: { requireCoSignature: 'none' },
    version: 1,
    ...changes,
  };
};

export const sampleAgent = (orgId: string, changes: Partial<Agent> = {}): Agent => ({
  id: uuid(),
  orgId,
  name: 'buyer',
  displayName: 'The buyer',
  capabilities: [],
  deactivatedAt: null,
  deactivationReason: null,
  absences: [],
  managedBy: null,
  createdAt: T0,
  version: 1,
  ...changes,
});

export const sampleApiKey = (changes: Partial<ApiKey> = {}): ApiKey => {
  const id = changes.id ?? uuid();
  return {
    id,
    keyHash: bytes(`hash ${id}`),
    role: 'agent',
    ownerId: uuid(),
    orgId: uuid(),
    label: null,
    environment: 'live',
    scopes: ['records:read'],
    scopeProfile: null,
    allowedIps: null,
    isActive: true,
    expiresAt: null,
    hasFixedExpiry: false,
    createdAt: T0,
    lastUsedAt: null,
    createdByKeyId: null,
    rotatedFromKeyId: null,
    deactivatesAt: null,
    revokedAt: null,
    revokedByKeyId: null,
    revocationReason: null,
    managedBy: null,
    version: 1,
    ...changes,
  };
};

export const sampleCheckpoint = (chainKey: ChainKey, logIndex: number): Checkpoint => ({
  id: uuid(),
  logIndex,
  chainKey,
  chainKind: 'record',
  position: logIndex + 1,
  headHash: bytes(`head ${logIndex}`),
  signingKeyId: SIGNING_KEY,
  createdAt: at(logIndex),
  coseSign1: bytes(`checkpoint ${logIndex}`),
});

export const sampleRecordType = (changes: Partial<RecordType> = {}): RecordType => {
  const { orgId, publisher, type, version } = {
    orgId: uuid(),
    publisher: 'acme',
    type: 'ledger.entry',
    version: 1,
    ...changes,
  };
  return {
    id: uuid(),
    orgId,
    publisher,
    type,
    version,
    manifest: {
      type,
      publisher,
      version,
      title: null,
      description: null,
      criteriaSchema: { type: 'object', properties: { ['__proto__']: { type: 'string' } } },
      completionSchema: {},
      gateMode: 'principal',
      operatingMode: 'cleartext',
      gates: [],
      cascade: { rule: 'none' },
      compatibilityMode: 'backward',
      maxDelegationDepth: 5,
      maxDisputes: 1,
      maxRevisions: 3,
      defaultTtlSeconds: null,
      verdictWindowSeconds: 1,
      disputeWindowSeconds: 1,
      evidenceWindowSeconds: 1,
      public: false,
      exampleCriteria: null,
      exampleEvidence: null,
    },
    manifestDigest: hex('manifest'),
    status: 'active',
    registeredBy: null,
    entryPosition: 1,
    registeredAt: T0,
    ...changes,
  };
};

export const sampleAnswer = (changes: Partial<KeptAnswer> = {}): KeptAnswer => ({
  scope: bytes(uuid()),
  fingerprint: bytes('body'),
  answer: '{"status":201}',
  isProvisional: false,
  createdAt: new Date().toISOString(),
  ...changes,
});
