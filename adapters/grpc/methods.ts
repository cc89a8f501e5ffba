import { listCheckpoints } from '../../application/audit/checkpoint-operations.ts';
import {
  escalateDispute,
  getDispute,
  getRecordDispute,
  listDisputes,
  openDispute,
  resolveDispute,
  submitDisputeEvidence,
  withdrawDispute,
} from '../../application/dispute/operations.ts';
import {
  createAgent,
  deactivateAgent,
  listAgents,
  reactivateAgent,
} from '../../application/identity/agent-admin-operations.ts';
import {
  bulkRevokeApiKeys,
  listApiKeys,
  mintApiKey,
  updateApiKey,
} from '../../application/identity/api-key-operations.ts';
import { getWhoami, rotateKey } from '../../application/identity/credential-operations.ts';
import { createOrg, listOrgs, updateOrg } from '../../application/identity/org-operations.ts';
import { CreateRecordInput } from '../../application/record/inputs.ts';
import {
  addReference,
  createRecord,
  createRecordsBulk,
  getCompletion,
  getGateStatus,
  getRecord,
  listRecords,
  readDelegationChain,
  renderVerdict,
  submitCompletion,
} from '../../application/record/operations.ts';
import { transitionRecord } from '../../application/record/transition-operation.ts';
import { getLogHead } from '../../application/transparency/operations.ts';
import { listVerificationKeys } from '../../application/vault/operations.ts';
import { getVaultScan, startVaultScan } from '../../application/vault/scan/scan-operations.ts';
import { AdminService } from './generated/notary/v1/admin_service_pb.ts';
import { DisputeService } from './generated/notary/v1/dispute_service_pb.ts';
import { RecordService } from './generated/notary/v1/record_service_pb.ts';
import { VaultService } from './generated/notary/v1/vault_service_pb.ts';
import { bind, type GrpcMethod } from './method.ts';

const { method: record } = RecordService;
const { method: dispute } = DisputeService;
const { method: vault } = VaultService;
const { method: admin } = AdminService;
const RECORD = { answer: 'record' };
const COMPLETION = { answer: 'completion' };
const DISPUTE = { answer: 'dispute' };

/** Every operation that gRPC offers as a call with one answer. */
export const UNARY: readonly GrpcMethod[] = [
  bind(createRecord, record.create, RECORD),
  bind(createRecordsBulk, record.bulkCreate, { items: { items: CreateRecordInput } }),
  bind(getRecord, record.get, RECORD),
  bind(listRecords, record.list),
  bind(transitionRecord, record.transition, RECORD),
  bind(submitCompletion, record.submitCompletion, COMPLETION),
  bind(getCompletion, record.getCompletion, COMPLETION),
  bind(renderVerdict, record.renderVerdict, RECORD),
  bind(getGateStatus, record.gateStatus),
  bind(readDelegationChain, record.delegationTree),
  bind(addReference, record.addReference, { answer: 'reference' }),

  bind(openDispute, dispute.openDispute, DISPUTE),
  bind(submitDisputeEvidence, dispute.submitDisputeEvidence, DISPUTE),
  bind(getRecordDispute, dispute.getRecordDispute, DISPUTE),
  bind(escalateDispute, dispute.escalateDispute, DISPUTE),
  bind(resolveDispute, dispute.resolveDispute, DISPUTE),
  bind(withdrawDispute, dispute.withdrawDispute, DISPUTE),
  bind(getDispute, dispute.getDispute, DISPUTE),
  bind(listDisputes, dispute.listDisputes),

  bind(getLogHead, vault.head),
  bind(listVerificationKeys, vault.verificationKeys),
  bind(listCheckpoints, vault.checkpoints),
  bind(startVaultScan, vault.scan),
  bind(getVaultScan, vault.scanStatus),

  bind(createOrg, admin.createOrg, { answer: 'org' }),
  bind(listOrgs, admin.listOrgs),
  bind(updateOrg, admin.updateOrg),
  bind(createAgent, admin.createAgent),
  bind(listAgents, admin.listAgents),
  bind(deactivateAgent, admin.deactivateAgent),
  bind(reactivateAgent, admin.reactivateAgent),
  bind(mintApiKey, admin.mintApiKey, { answer: 'api_key' }),
  bind(listApiKeys, admin.listApiKeys),
  bind(updateApiKey, admin.updateApiKey),
  bind(bulkRevokeApiKeys, admin.bulkRevokeApiKeys),
  bind(rotateKey, admin.rotateKey),
  bind(getWhoami, admin.whoami),
];
