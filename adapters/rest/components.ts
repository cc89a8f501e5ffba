import { Type, type TSchema } from 'typebox';
import {
  EncryptionJwkSchema,
  SigningKeySchema,
} from '../../application/identity/agent-key-view.ts';
import { AgentReferenceSchema } from '../../application/identity/agent-reference-view.ts';
import {
  AgentSchema,
  ChangedAgentSchema,
  OwnAgentSchema,
} from '../../application/identity/agent-view.ts';
import { ApiKeySchema, MintedApiKeySchema } from '../../application/identity/api-key-view.ts';
import { CallerSchema } from '../../application/identity/caller-view.ts';
import { CertSchema } from '../../application/identity/certificate-view.ts';
import { ChangedApiKeySchema } from '../../application/identity/changed-api-key-view.ts';
import { RotatedApiKeySchema } from '../../application/identity/rotated-api-key-view.ts';
import { ClaimPlace } from '../../application/identity/issuer-settings.ts';
import {
  ChangedIssuerSchema,
  TrustedIssuerSchema,
} from '../../application/identity/issuer-view.ts';
import { OrgSettingsSchema } from '../../application/identity/org-settings.ts';
import {
  ChangedOrgSchema,
  CreatedOrgSchema,
  OrgSchema,
} from '../../application/identity/org-view.ts';
import { AuditExportSchema, AuditTreeSchema } from '../../application/audit/audit-export-schema.ts';
import { RecordTypeSchema } from '../../application/record-type/record-type-view.ts';
import {
  CompleteManifestSchema,
  SchemaBundleSchema,
} from '../../application/record-type/schema-bundle-view.ts';
import { AgentDriftSchema } from '../../application/reputation/drift-view.ts';
import { ReputationSchema, StandingSchema } from '../../application/reputation/reputation-view.ts';
import { VerificationKeysSchema } from '../../application/vault/verification-keys-view.ts';
import { bodyOf } from './binding.ts';
import { SealedSchema } from './openapi-answers.ts';
import { ProblemCodeSchema, ProblemSchema } from './problem-schema.ts';
import { BulkAnswerSchema } from './v1/bulk-answer.ts';
import { DisputeSchema, ListedDisputeSchema } from '../../application/dispute/dispute-view.ts';
import {
  CompletionSchema,
  FieldErrorSchema,
  GateResultSchema,
  GateStateSchema,
} from '../../application/record/completion-view.ts';
import { GateStatusSchema } from '../../application/record/gate-status-view.ts';
import { CreateRecordInput } from '../../application/record/inputs.ts';
import { RecordPageSchema } from '../../application/record/record-page-schema.ts';
import { RecordSchema } from '../../application/record/record-view.ts';
import { ReferenceDigest } from '../../application/record/reference-input.ts';
import { REFERENCE_MEMBERS, ReferenceSchema } from '../../application/record/reference-view.ts';
import { SubjectSchema } from '../../application/record/subject-schema.ts';
import { TreeSchema } from '../../application/record/tree-view.ts';
import { MANIFEST_MEMBERS } from '../../application/record-type/manifest-schema.ts';
import { schemaBindings } from './v1/schemas-bindings.ts';
import {
  Actor,
  Base64,
  JsonObjectSchema,
  Sha256,
  SignedStatementSchema,
  Status,
  Timestamp,
  Uuid,
  oneOf,
} from '../../application/call/schemas.ts';
import { ROLES, SCOPES } from '../../domain/identity/scopes.ts';
import { ACTIONS } from '../../domain/record/actions.ts';
import { NextStep } from './wire.ts';

/** Schemas that the OpenAPI document defines once, under these names. Generators make types of them. */
export const COMPONENTS: { readonly [name: string]: TSchema } = {
  Actor,
  Agent: AgentSchema,
  AgentDrift: AgentDriftSchema,
  AgentReference: AgentReferenceSchema,
  AgentStanding: StandingSchema,
  ApiKey: ApiKeySchema,
  AuditExport: AuditExportSchema,
  Base64,
  BulkResult: BulkAnswerSchema,
  Caller: CallerSchema,
  ChangedAgent: ChangedAgentSchema,
  AuditTreeExport: AuditTreeSchema,
  ChangedApiKey: ChangedApiKeySchema,
  ChangedOrg: ChangedOrgSchema,
  ChangedTrustedIssuer: ChangedIssuerSchema,
  ClaimPlace,
  CompleteManifest: CompleteManifestSchema,
  Completion: CompletionSchema,
  CreatedOrg: CreatedOrgSchema,
  CreateRecord: CreateRecordInput,
  DelegationTree: TreeSchema,
  Dispute: DisputeSchema,
  EncryptionJwk: EncryptionJwkSchema,
  EphemeralCert: CertSchema,
  FieldError: FieldErrorSchema,
  GateResult: GateResultSchema,
  GateState: GateStateSchema,
  GateStatus: GateStatusSchema,
  JsonObject: JsonObjectSchema,
  ListedDispute: ListedDisputeSchema,
  MintedApiKey: MintedApiKeySchema,
  NextStep,
  NotaryRecord: RecordSchema,
  Org: OrgSchema,
  OrgSettings: OrgSettingsSchema,
  OwnAgent: OwnAgentSchema,
  Problem: ProblemSchema,
  ProblemCode: ProblemCodeSchema,
  RecordAction: oneOf(ACTIONS),
  RecordPage: RecordPageSchema,
  RecordReference: ReferenceSchema,
  RecordStatus: Status,
  RecordType: RecordTypeSchema,
  RecordTypeManifest: bodyOf(schemaBindings, 'registerSchema'),
  ReferenceDigest,
  Reputation: ReputationSchema,
  Role: oneOf(ROLES),
  RotatedApiKey: RotatedApiKeySchema,
  SchemaBundle: SchemaBundleSchema,
  Scope: oneOf(SCOPES),
  Sealed: SealedSchema,
  Sha256,
  ShownReference: Type.Object(REFERENCE_MEMBERS),
  SignedStatement: SignedStatementSchema,
  SigningKey: SigningKeySchema,
  Subject: SubjectSchema,
  Timestamp,
  TrustedIssuer: TrustedIssuerSchema,
  TypeCascade: MANIFEST_MEMBERS.cascade,
  TypeGates: MANIFEST_MEMBERS.gates,
  Uuid,
  VerificationKeys: VerificationKeysSchema,
};
