import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { AjvInputCheck } from '../../adapters/json-schema/ajv-input-check.ts';
import { limitKeyOfAddress } from '../../adapters/limits/client-address.ts';
import { AdmittedCredentials } from '../../application/call/admitted-credentials.ts';
import { Budgets } from '../../application/call/budgets.ts';
import { CallGateway } from '../../application/call/call-gateway.ts';
import { Operations } from '../../application/call/call-guide.ts';
import { Credentials } from '../../application/call/credentials.ts';
import { Cursors } from '../../application/call/cursors.ts';
import { IdempotentCalls } from '../../application/call/idempotent-calls.ts';
import type { UseCase } from '../../application/call/operation.ts';
import { IdempotentTransaction } from '../../application/idempotency/idempotent-transaction.ts';
import { AttestCall } from '../../application/identity/attest-call.ts';
import { AuthenticateBearer } from '../../application/identity/authenticate-bearer.ts';
import { OPERATIONS } from '../operations.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** The steps that every call goes through, whichever front-end it comes from. */
export const callModule = new ContainerModule((options) => {
  provideBy(options, t.inputCheck, () => new AjvInputCheck(), []);
  provideBy(
    options,
    Budgets,
    (limiter, settings) =>
      new Budgets(limiter, limitKeyOfAddress, {
        agent: settings.RATE_LIMIT_AGENT,
        admin: settings.RATE_LIMIT_ADMIN,
        platform: settings.RATE_LIMIT_PLATFORM,
        recordsCreate: settings.RATE_LIMIT_RECORDS_CREATE,
        anonymous: settings.RATE_LIMIT_ANONYMOUS,
        operationMultiplier: settings.RATE_LIMIT_ROUTE_MULTIPLIER,
      }),
    [t.rateLimiter, t.settings],
  );
  provideBy(
    options,
    AdmittedCredentials,
    () => new AdmittedCredentials(() => performance.now()),
    [],
  );
  provide(options, Credentials, [AuthenticateBearer, Budgets, AdmittedCredentials]);
  provide(options, Cursors, [t.cursorMac]);
  provide(options, IdempotentCalls, [IdempotentTransaction]);
  provideBy(options, Operations, () => new Operations(OPERATIONS), []);
  options
    .bind(CallGateway)
    .toDynamicValue(
      (container) =>
        new CallGateway({
          credentials: container.get(Credentials),
          budgets: container.get(Budgets),
          attest: container.get(AttestCall),
          inputs: container.get(t.inputCheck),
          idempotentCalls: container.get(IdempotentCalls),
          cursors: container.get(Cursors),
          operations: container.get(Operations),
          useCaseOf: (type) => container.get(type as ServiceIdentifier<UseCase>),
        }),
    )
    .inSingletonScope();
});
