import type { ExportAudit } from '../../application/audit/export-audit.ts';
import type { CreateAgent } from '../../application/identity/create-agent.ts';
import type { CreateOrg } from '../../application/identity/create-org.ts';
import type { GetAgent } from '../../application/identity/get-agent.ts';
import type { ListAgents } from '../../application/identity/list-agents.ts';
import type { ListKeys } from '../../application/identity/list-keys.ts';
import type { ListOrgs } from '../../application/identity/list-orgs.ts';
import type { MintKey } from '../../application/identity/mint-key.ts';
import type { RotateKey } from '../../application/identity/rotate-key.ts';
import type { UpdateKey } from '../../application/identity/update-key.ts';
import type { CheckHealth } from '../../application/operations/check-health.ts';
import type { CreateRecord } from '../../application/record/create-record.ts';
import type { CreateRecordsBulk } from '../../application/record/create-records-bulk.ts';
import type { GetCompletion } from '../../application/record/get-completion.ts';
import type { GetGateStatus } from '../../application/record/get-gate-status.ts';
import type { GetRecord } from '../../application/record/get-record.ts';
import type { ListRecords } from '../../application/record/list-records.ts';
import type { RenderVerdict } from '../../application/record/render-verdict.ts';
import type { SubmitCompletion } from '../../application/record/submit-completion.ts';
import type { TransitionRecord } from '../../application/record/transition-record.ts';
import type { GetType } from '../../application/record-type/get-type.ts';
import type { ListTypes } from '../../application/record-type/list-types.ts';
import type { RegisterType } from '../../application/record-type/register-type.ts';
import type { ListVerificationKeys } from '../../application/vault/list-verification-keys.ts';

type UseCase<T extends { execute: unknown }> = Pick<T, 'execute'>;

/** Everything that the routes call. */
export interface RestUseCases {
  readonly createRecord: UseCase<CreateRecord>;
  readonly createRecordsBulk: UseCase<CreateRecordsBulk>;
  readonly getRecord: UseCase<GetRecord>;
  readonly listRecords: UseCase<ListRecords>;
  readonly submitCompletion: UseCase<SubmitCompletion>;
  readonly getCompletion: UseCase<GetCompletion>;
  readonly renderVerdict: UseCase<RenderVerdict>;
  readonly transitionRecord: UseCase<TransitionRecord>;
  readonly getGateStatus: UseCase<GetGateStatus>;
  readonly exportAudit: UseCase<ExportAudit>;
  readonly registerType: UseCase<RegisterType>;
  readonly getType: UseCase<GetType>;
  readonly listTypes: UseCase<ListTypes>;
  readonly rotateKey: UseCase<RotateKey>;
  readonly createOrg: UseCase<CreateOrg>;
  readonly listOrgs: UseCase<ListOrgs>;
  readonly createAgent: UseCase<CreateAgent>;
  readonly listAgents: UseCase<ListAgents>;
  readonly getAgent: UseCase<GetAgent>;
  readonly mintKey: UseCase<MintKey>;
  readonly listKeys: UseCase<ListKeys>;
  readonly updateKey: UseCase<UpdateKey>;
  readonly listVerificationKeys: UseCase<ListVerificationKeys>;
  readonly checkHealth: UseCase<CheckHealth>;
}
