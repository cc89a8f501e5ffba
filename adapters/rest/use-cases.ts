import type { ExportAudit } from '../../application/audit/export-audit.ts';
import type { CheckHealth } from '../../application/operations/check-health.ts';
import type { ChangeTypeStatus } from '../../application/record-type/change-type-status.ts';
import type { DeleteType } from '../../application/record-type/delete-type.ts';
import type { ExportTypes } from '../../application/record-type/export-types.ts';
import type { GetPublicSchema } from '../../application/record-type/get-public-schema.ts';
import type { GetType } from '../../application/record-type/get-type.ts';
import type { ImportTypes } from '../../application/record-type/import-types.ts';
import type { ListTypes } from '../../application/record-type/list-types.ts';
import type { ListVersions } from '../../application/record-type/list-versions.ts';
import type { RegisterType } from '../../application/record-type/register-type.ts';
import type { ValidateContent } from '../../application/record-type/validate-content.ts';
import type { ListVerificationKeys } from '../../application/vault/list-verification-keys.ts';

type UseCase<T extends { execute: unknown }> = Pick<T, 'execute'>;

/** Everything that the routes call. */
export interface RestUseCases {
  readonly exportAudit: UseCase<ExportAudit>;
  readonly registerType: UseCase<RegisterType>;
  readonly getType: UseCase<GetType>;
  readonly listTypes: UseCase<ListTypes>;
  readonly listVersions: UseCase<ListVersions>;
  readonly changeTypeStatus: UseCase<ChangeTypeStatus>;
  readonly deleteType: UseCase<DeleteType>;
  readonly validateContent: UseCase<ValidateContent>;
  readonly getPublicSchema: UseCase<GetPublicSchema>;
  readonly exportTypes: UseCase<ExportTypes>;
  readonly importTypes: UseCase<ImportTypes>;
  readonly listVerificationKeys: UseCase<ListVerificationKeys>;
  readonly checkHealth: UseCase<CheckHealth>;
}
