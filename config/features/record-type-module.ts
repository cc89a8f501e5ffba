import { setTimeout } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { LazyGateEvaluator } from '../../adapters/cel/lazy-gate-evaluator.ts';
import { AjvSchemaValidator } from '../../adapters/json-schema/ajv-schema-validator.ts';
import { GuardedSchemaValidator } from '../../adapters/json-schema/guarded-schema-validator.ts';
import { SchemaLanes } from '../../adapters/json-schema/schema-lanes.ts';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { ChangeTypeStatus } from '../../application/record-type/change-type-status.ts';
import { DeleteType } from '../../application/record-type/delete-type.ts';
import { ExportTypes } from '../../application/record-type/export-types.ts';
import { FindType } from '../../application/record-type/find-type.ts';
import { VerifiedTypes } from '../../application/record-type/verified-types.ts';
import { GetPublicSchema } from '../../application/record-type/get-public-schema.ts';
import { GetType } from '../../application/record-type/get-type.ts';
import { ImportTypes } from '../../application/record-type/import-types.ts';
import { ListTypes } from '../../application/record-type/list-types.ts';
import { ListVersions } from '../../application/record-type/list-versions.ts';
import { RegisterType } from '../../application/record-type/register-type.ts';
import { ValidateContent } from '../../application/record/validate-content.ts';
import { ContentCheck } from '../../application/record/content-check.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { SchemaLedger } from '../../application/sealing/schema-ledger.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { SealSchema } from '../../application/sealing/seal-schema.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Record types, their schemas and their gates. */
export const recordTypeModule = new ContainerModule((options) => {
  provide(options, SchemaLanes, []);
  provideBy(
    options,
    t.schemaValidators,
    (lanes) => new GuardedSchemaValidator(new AjvSchemaValidator(), lanes),
    [SchemaLanes],
  );
  provideBy(options, t.gateEvaluator, () => new LazyGateEvaluator(), []);
  provide(options, VerifiedTypes, [SchemaLedger]);
  provide(options, FindType, [t.recordTypeReads, t.recordReads, VerifiedTypes]);
  provide(options, RegisterType, [
    IdempotentTransaction,
    SealSchema,
    SealPlatform,
    PlatformLedger,
    VerifiedTypes,
    t.schemaValidators,
    t.gateEvaluator,
    Vault,
    t.changeNotice,
    t.ids,
  ]);
  provide(options, GetType, [FindType, t.chainReads, Vault, t.provisionedRows]);
  provide(options, ListTypes, [t.recordTypeReads, t.provisionedRows]);
  provide(options, ListVersions, [t.recordTypeReads, t.provisionedRows]);
  provide(options, ChangeTypeStatus, [
    IdempotentTransaction,
    SealSchema,
    VerifiedTypes,
    Vault,
    t.changeNotice,
  ]);
  provideBy(
    options,
    DeleteType,
    (idempotent, sealSchema, verifiedTypes, vault, notice, clock) =>
      new DeleteType(idempotent, sealSchema, verifiedTypes, vault, notice, clock, setTimeout),
    [IdempotentTransaction, SealSchema, VerifiedTypes, Vault, t.changeNotice, t.clock],
  );
  provide(options, ValidateContent, [
    IdempotentTransaction,
    FindType,
    VerifiedTypes,
    ContentCheck,
    t.gateEvaluator,
    t.clock,
  ]);
  provide(options, GetPublicSchema, [t.recordTypeReads, VerifiedTypes]);
  provide(options, ExportTypes, [t.unitOfWork, t.recordTypeReads, VerifiedTypes, Vault, t.clock]);
  provide(options, ImportTypes, [IdempotentTransaction, SealSchema, Vault, t.changeNotice, t.ids]);
});
