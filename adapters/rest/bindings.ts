import type { RestBinding } from './binding.ts';
import { agentPerformanceBindings } from './v1/agent-performance-bindings.ts';
import { agentBindings } from './v1/agents-bindings.ts';
import { authBindings } from './v1/auth-bindings.ts';
import { adminAgentBindings } from './v1/admin-agents-bindings.ts';
import { adminApiKeyBindings } from './v1/admin-api-keys-bindings.ts';
import { adminIssuerBindings } from './v1/admin-issuers-bindings.ts';
import { adminOrgBindings } from './v1/admin-orgs-bindings.ts';
import { adminProvisioningBindings } from './v1/admin-provisioning-bindings.ts';
import { adminOperationsBindings } from './v1/admin-operations-bindings.ts';
import { adminVaultBindings } from './v1/admin-vault-bindings.ts';
import { adminRateLimitBindings } from './v1/admin-rate-limits-bindings.ts';
import { certBindings } from './v1/certs-bindings.ts';
import { auditBindings } from './v1/audit-bindings.ts';
import { orgReadsBindings } from './v1/org-reads-bindings.ts';
import { federationDlqBindings } from './v1/federation-dlq-bindings.ts';
import { federationBindings } from './v1/federation-bindings.ts';
import { complianceBindings } from './v1/compliance-bindings.ts';
import { eventBindings } from './v1/events-bindings.ts';
import { siemBindings } from './v1/siem-bindings.ts';
import { disputeBindings } from './v1/disputes-bindings.ts';
import { completionBindings, recordBindings, treeBindings } from './v1/records-bindings.ts';
import { schemaBindings } from './v1/schemas-bindings.ts';
import { transparencyBindings } from './v1/transparency-bindings.ts';
import { transitionBindings } from './v1/transition-bindings.ts';
import { webhookBindings } from './v1/webhooks-bindings.ts';
import { verificationKeyBindings } from './v1/verification-keys-bindings.ts';

/** Every operation that REST offers, in the order in which the documents list them. */
export const BINDINGS: readonly RestBinding[] = [
  ...recordBindings,
  ...auditBindings,
  ...completionBindings,
  ...transitionBindings,
  ...disputeBindings,
  ...eventBindings,
  ...webhookBindings,
  ...siemBindings,
  ...complianceBindings,
  ...treeBindings,
  ...transparencyBindings,
  ...schemaBindings,
  ...agentBindings,
  ...agentPerformanceBindings,
  ...authBindings,
  ...adminOrgBindings,
  ...adminAgentBindings,
  ...adminApiKeyBindings,
  ...adminIssuerBindings,
  ...certBindings,
  ...verificationKeyBindings,
  ...adminProvisioningBindings,
  ...adminVaultBindings,
  ...adminOperationsBindings,
  ...orgReadsBindings,
  ...adminRateLimitBindings,
  ...federationBindings,
  ...federationDlqBindings,
];
