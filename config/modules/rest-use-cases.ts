import type { Container } from 'inversify';
import type { RestUseCases } from '../../adapters/rest/use-cases.ts';
import { ExportAudit } from '../../application/audit/export-audit.ts';
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
  listVerificationKeys: container.get(ListVerificationKeys),
  checkHealth: container.get(CheckHealth),
});
