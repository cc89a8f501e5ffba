import type { Container } from 'inversify';
import type { RestUseCases } from '../../adapters/rest/use-cases.ts';
import { ExportAudit } from '../../application/audit/export-audit.ts';
import { BulkRevokeKeys } from '../../application/identity/bulk-revoke-keys.ts';
import { CreateAgent } from '../../application/identity/create-agent.ts';
import { CreateIssuer } from '../../application/identity/create-issuer.ts';
import { CreateOrg } from '../../application/identity/create-org.ts';
import { DeactivateAgent } from '../../application/identity/deactivate-agent.ts';
import { DeleteIssuer } from '../../application/identity/delete-issuer.ts';
import { ExchangeToken } from '../../application/identity/exchange-token.ts';
import { ListAgents } from '../../application/identity/list-agents.ts';
import { ListKeys } from '../../application/identity/list-keys.ts';
import { ListOrgs } from '../../application/identity/list-orgs.ts';
import { MintKey } from '../../application/identity/mint-key.ts';
import { ReactivateAgent } from '../../application/identity/reactivate-agent.ts';
import { GetIssuer, ListIssuers } from '../../application/identity/read-issuers.ts';
import { RevokeCert, RevokeIssuerCerts } from '../../application/identity/revoke-certs.ts';
import { UpdateIssuer } from '../../application/identity/update-issuer.ts';
import { UpdateKey } from '../../application/identity/update-key.ts';
import { CheckHealth } from '../../application/operations/check-health.ts';
import { ChangeTypeStatus } from '../../application/record-type/change-type-status.ts';
import { DeleteType } from '../../application/record-type/delete-type.ts';
import { ExportTypes } from '../../application/record-type/export-types.ts';
import { GetPublicSchema } from '../../application/record-type/get-public-schema.ts';
import { GetType } from '../../application/record-type/get-type.ts';
import { ImportTypes } from '../../application/record-type/import-types.ts';
import { ListTypes } from '../../application/record-type/list-types.ts';
import { ListVersions } from '../../application/record-type/list-versions.ts';
import { RegisterType } from '../../application/record-type/register-type.ts';
import { ValidateContent } from '../../application/record-type/validate-content.ts';
import { ListVerificationKeys } from '../../application/vault/list-verification-keys.ts';

/** The use cases that the routes call, each resolved once, at the start. */
export const restUseCases = (container: Pick<Container, 'get'>): RestUseCases => ({
  exportAudit: container.get(ExportAudit),
  registerType: container.get(RegisterType),
  getType: container.get(GetType),
  listTypes: container.get(ListTypes),
  listVersions: container.get(ListVersions),
  changeTypeStatus: container.get(ChangeTypeStatus),
  deleteType: container.get(DeleteType),
  validateContent: container.get(ValidateContent),
  getPublicSchema: container.get(GetPublicSchema),
  exportTypes: container.get(ExportTypes),
  importTypes: container.get(ImportTypes),
  createOrg: container.get(CreateOrg),
  listOrgs: container.get(ListOrgs),
  createAgent: container.get(CreateAgent),
  listAgents: container.get(ListAgents),
  mintKey: container.get(MintKey),
  listKeys: container.get(ListKeys),
  updateKey: container.get(UpdateKey),
  bulkRevokeKeys: container.get(BulkRevokeKeys),
  deactivateAgent: container.get(DeactivateAgent),
  reactivateAgent: container.get(ReactivateAgent),
  createIssuer: container.get(CreateIssuer),
  getIssuer: container.get(GetIssuer),
  listIssuers: container.get(ListIssuers),
  updateIssuer: container.get(UpdateIssuer),
  deleteIssuer: container.get(DeleteIssuer),
  exchangeToken: container.get(ExchangeToken),
  revokeCert: container.get(RevokeCert),
  revokeIssuerCerts: container.get(RevokeIssuerCerts),
  listVerificationKeys: container.get(ListVerificationKeys),
  checkHealth: container.get(CheckHealth),
});
