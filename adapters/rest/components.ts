import type { TSchema } from 'typebox';
import { ProblemSchema } from './problem-schema.ts';
import { AgentSchema, OwnAgentSchema } from './v1/agents.ts';
import { EncryptionJwkSchema, SigningKeySchema } from './v1/agent-key-presenter.ts';
import { AgentReferenceSchema } from './v1/agent-references.ts';
import { CertSchema } from './v1/cert-presenter.ts';
import { DisputeSchema } from './v1/dispute-schemas.ts';
import {
  ChangedKeySchema,
  KeyRowSchema,
  MintedKeySchema,
  RotatedKeySchema,
} from './v1/key-presenter.ts';
import { TrustedIssuerSchema } from './v1/issuer-presenter.ts';
import {
  AuditExportSchema,
  CompletionSchema,
  CreateRecordBody,
  GateStatusSchema,
  RecordPage,
  RecordSchema,
} from './v1/record-schemas.ts';
import { ManifestBody, RecordTypeSchema } from './v1/record-type-presenter.ts';
import { Actor, NextStep, SignedStatementSchema } from './wire.ts';

/** Schemas that stand once in the OpenAPI document, under these names. */
export const COMPONENTS: { readonly [name: string]: TSchema } = {
  Actor,
  Agent: AgentSchema,
  AgentReference: AgentReferenceSchema,
  ApiKey: KeyRowSchema,
  AuditExport: AuditExportSchema,
  ChangedApiKey: ChangedKeySchema,
  Completion: CompletionSchema,
  CreateRecord: CreateRecordBody,
  Dispute: DisputeSchema,
  EncryptionJwk: EncryptionJwkSchema,
  EphemeralCert: CertSchema,
  GateStatus: GateStatusSchema,
  MintedApiKey: MintedKeySchema,
  NextStep,
  OwnAgent: OwnAgentSchema,
  Problem: ProblemSchema,
  Record: RecordSchema,
  RecordPage,
  RecordType: RecordTypeSchema,
  RecordTypeManifest: ManifestBody,
  RotatedApiKey: RotatedKeySchema,
  SignedStatement: SignedStatementSchema,
  SigningKey: SigningKeySchema,
  TrustedIssuer: TrustedIssuerSchema,
};

const names: ReadonlyMap<unknown, string> = new Map(
  Object.entries(COMPONENTS).map(([name, schema]) => [schema, name]),
);

/** The schema as plain JSON, with a `$ref` wherever a component stands; the component itself is written out at its own place. */
export const schemaJson = (schema: unknown, isComponent = false): unknown => {
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = isComponent ? undefined : names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(schema)) return schema.map((item) => schemaJson(item));
  return Object.fromEntries(
    Object.entries(schema).map(([member, value]) => [member, schemaJson(value)]),
  );
};
