import type { TSchema } from 'typebox';
import {
  EncryptionJwkSchema,
  SigningKeySchema,
} from '../../application/identity/agent-key-view.ts';
import { AgentReferenceSchema } from '../../application/identity/agent-reference-view.ts';
import { AgentSchema, OwnAgentSchema } from '../../application/identity/agent-view.ts';
import { ApiKeySchema, MintedApiKeySchema } from '../../application/identity/api-key-view.ts';
import { CertSchema } from '../../application/identity/certificate-view.ts';
import { ChangedApiKeySchema } from '../../application/identity/changed-api-key-view.ts';
import { RotatedApiKeySchema } from '../../application/identity/rotated-api-key-view.ts';
import { TrustedIssuerSchema } from '../../application/identity/issuer-view.ts';
import { AuditExportSchema } from '../../application/audit/audit-export-schema.ts';
import { RecordTypeSchema } from '../../application/record-type/record-type-view.ts';
import { bodyOf } from './binding.ts';
import { ProblemSchema } from './problem-schema.ts';
import { shownSchema } from './render.ts';
import { DisputeSchema } from '../../application/dispute/dispute-view.ts';
import { CompletionSchema } from '../../application/record/completion-view.ts';
import { GateStatusSchema } from '../../application/record/gate-status-view.ts';
import { CreateRecordInput } from '../../application/record/inputs.ts';
import { RecordPageSchema } from '../../application/record/record-page-schema.ts';
import { RecordSchema } from '../../application/record/record-view.ts';
import { schemaBindings } from './v1/schemas-bindings.ts';
import { Actor, SignedStatementSchema } from '../../application/call/schemas.ts';
import { NextStep } from './wire.ts';

/** Schemas that the OpenAPI document defines once, under these names. */
export const COMPONENTS: { readonly [name: string]: TSchema } = {
  Actor,
  Agent: AgentSchema,
  AgentReference: AgentReferenceSchema,
  ApiKey: ApiKeySchema,
  AuditExport: AuditExportSchema,
  ChangedApiKey: ChangedApiKeySchema,
  Completion: CompletionSchema,
  CreateRecord: CreateRecordInput,
  Dispute: DisputeSchema,
  EncryptionJwk: EncryptionJwkSchema,
  EphemeralCert: CertSchema,
  GateStatus: GateStatusSchema,
  MintedApiKey: MintedApiKeySchema,
  NextStep,
  OwnAgent: OwnAgentSchema,
  Problem: ProblemSchema,
  Record: RecordSchema,
  RecordPage: RecordPageSchema,
  RecordType: RecordTypeSchema,
  RecordTypeManifest: bodyOf(schemaBindings, 'registerSchema'),
  RotatedApiKey: RotatedApiKeySchema,
  SignedStatement: SignedStatementSchema,
  SigningKey: SigningKeySchema,
  TrustedIssuer: TrustedIssuerSchema,
};

const names: ReadonlyMap<unknown, string> = new Map(
  Object.entries(COMPONENTS).map(([name, schema]) => [schema, name]),
);

/**
 * The schema as plain JSON, with a `$ref` for each component in it; a component itself is written
 * out where it is defined.
 */
export const schemaJson = (schema: unknown, isComponent = false): unknown => {
  if (typeof schema !== 'object' || schema === null) return schema;
  const shown = shownSchema(schema);
  if (shown) return schemaJson(shown);
  const name = isComponent ? undefined : names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(schema)) return schema.map((item) => schemaJson(item));
  return Object.fromEntries(
    Object.entries(schema).map(([member, value]) => [member, schemaJson(value)]),
  );
};
