import type { Operation } from '../application/call/operation.ts';
import * as eventFollow from '../application/event/follow-operation.ts';
import * as federationDlq from '../application/federation/dlq-operations.ts';
import * as event from '../application/event/operations.ts';
import * as siem from '../application/siem/operations.ts';
import * as checkpoint from '../application/audit/checkpoint-operations.ts';
import * as audit from '../application/audit/operations.ts';
import * as delivery from '../application/delivery/delivery-operations.ts';
import * as push from '../application/delivery/push-operations.ts';
import * as webhook from '../application/delivery/webhook-operations.ts';
import * as compliance from '../application/compliance/operations.ts';
import * as dispute from '../application/dispute/operations.ts';
import * as agentKey from '../application/identity/agent-key-operations.ts';
import * as agent from '../application/identity/agent-operations.ts';
import * as credential from '../application/identity/credential-operations.ts';
import * as agentAdmin from '../application/identity/agent-admin-operations.ts';
import * as apiKey from '../application/identity/api-key-operations.ts';
import * as certificate from '../application/identity/certificate-operations.ts';
import * as issuer from '../application/identity/issuer-operations.ts';
import * as org from '../application/identity/org-operations.ts';
import * as content from '../application/record/content-operations.ts';
import * as record from '../application/record/operations.ts';
import * as transition from '../application/record/transition-operation.ts';
import * as recordType from '../application/record-type/operations.ts';
import * as reputation from '../application/reputation/operations.ts';
import * as anchor from '../application/vault/anchor-operations.ts';
import * as signingKey from '../application/vault/signing-key-operations.ts';
import * as peer from '../application/federation/peer-operations.ts';
import * as orgReads from '../application/transparency/org-reads-operations.ts';
import * as provisioning from '../application/provisioning/operations.ts';
import * as health from '../application/operations/health-operations.ts';
import * as witness from '../application/identity/witness-operations.ts';
import * as exemption from '../application/limits/exemption-operations.ts';
import * as transparency from '../application/transparency/operations.ts';
import * as vaultScan from '../application/vault/scan/scan-operations.ts';
import * as vault from '../application/vault/operations.ts';

/** Every operation of the service: whatever these files export. */
export const OPERATIONS: readonly Operation[] = [
  record,
  transition,
  dispute,
  audit,
  event,
  eventFollow,
  webhook,
  delivery,
  siem,
  compliance,
  push,
  checkpoint,
  recordType,
  content,
  agent,
  agentKey,
  reputation,
  credential,
  org,
  agentAdmin,
  apiKey,
  issuer,
  certificate,
  transparency,
  vault,
  signingKey,
  anchor,
  orgReads,
  witness,
  exemption,
  peer,
  vaultScan,
  provisioning,
  health,
  federationDlq,
].flatMap((feature) => Object.values<Operation>(feature));
