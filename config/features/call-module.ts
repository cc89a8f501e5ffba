import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { AjvInputCheck } from '../../adapters/json-schema/ajv-input-check.ts';
import { JsonThread } from '../../adapters/json-work/json-thread.ts';
import { ThreadedJsonReader } from '../../adapters/json-work/threaded-json-reader.ts';
import { limitKeyOfAddress } from '../../adapters/limits/client-address.ts';
import { AdmittedCredentials } from '../../application/call/admitted-credentials.ts';
import { Budgets } from '../../application/call/budgets.ts';
import { CallGateway } from '../../application/call/call-gateway.ts';
import { CallsUnderWay } from '../../application/call/calls-under-way.ts';
import { LoadGate } from '../../application/call/load-gate.ts';
import { LoadLine } from '../../application/call/load-line.ts';
import { Operations } from '../../application/call/call-guide.ts';
import { RefusedAuthentications } from '../../application/identity/refused-authentications.ts';
import { Credentials } from '../../application/call/credentials.ts';
import { Cursors } from '../../application/call/cursors.ts';
import { IdempotentCalls } from '../../application/call/idempotent-calls.ts';
import { ReadLog } from '../../application/call/read-log.ts';
import { OrgReadsLog } from '../../application/transparency/org-reads-log.ts';
import type { UseCase } from '../../application/call/operation.ts';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { AttestCall } from '../../application/identity/attest-call.ts';
import { AuthenticateBearer } from '../../application/identity/authenticate-bearer.ts';
import { peerBodyBytes, peerBodyValues } from '../peer-bodies.ts';
import { OPERATIONS } from '../operations.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** How deep the JSON of an input may be nested. */
const MAX_DEPTH = 64;

/**
 * Memory of the thread that reads long bodies, MiB, several times what the largest one takes: a thread that runs out of
 * it may take the process with it.
 */
const heapFor = (bytes: number, values: number): number =>
  Math.ceil(256 + (16 * bytes) / 2 ** 20 + values / 2_000);

/** The steps that every call goes through, whichever front-end it comes from. */
export const callModule = new ContainerModule((options) => {
  provideBy(options, t.inputCheck, () => new AjvInputCheck(), []);
  provideBy(
    options,
    JsonThread,
    ({ MAX_BODY_BYTES, MAX_BODY_VALUES }) =>
      new JsonThread({
        heapMb: heapFor(peerBodyBytes(MAX_BODY_BYTES), peerBodyValues(MAX_BODY_VALUES)),
      }),
    [t.settings],
  );
  provideBy(
    options,
    t.jsonReader,
    (thread, settings) =>
      new ThreadedJsonReader(thread, { maxDepth: MAX_DEPTH, maxValues: settings.MAX_BODY_VALUES }),
    [JsonThread, t.settings],
  );
  provideBy(
    options,
    t.peerJsonReader,
    (thread, settings) =>
      new ThreadedJsonReader(thread, {
        maxDepth: MAX_DEPTH,
        maxValues: peerBodyValues(settings.MAX_BODY_VALUES),
      }),
    [JsonThread, t.settings],
  );
  provideBy(
    options,
    Budgets,
    (limiter, settings, exemptOwners) =>
      new Budgets(
        limiter,
        limitKeyOfAddress,
        {
          agent: settings.RATE_LIMIT_AGENT,
          admin: settings.RATE_LIMIT_ADMIN,
          platform: settings.RATE_LIMIT_PLATFORM,
          recordsCreate: settings.RATE_LIMIT_RECORDS_CREATE,
          peer: settings.RATE_LIMIT_PEER,
          anonymous: settings.RATE_LIMIT_ANONYMOUS,
          atOnce: {
            exports: { key: settings.RATE_LIMIT_EXPORTS, org: 0, node: 0 },
            streams: {
              key: settings.RATE_LIMIT_STREAMS,
              org: settings.RATE_LIMIT_ORG_STREAMS,
              node: settings.RATE_LIMIT_NODE_STREAMS,
            },
          },
          operationMultiplier: settings.RATE_LIMIT_ROUTE_MULTIPLIER,
          callBytes: settings.RATE_LIMIT_CALL_BYTES,
        },
        exemptOwners,
      ),
    [t.rateLimiter, t.settings, t.exemptOwners],
  );
  provideBy(
    options,
    AdmittedCredentials,
    () => new AdmittedCredentials(() => performance.now()),
    [],
  );
  provide(options, RefusedAuthentications, [t.refusals]);
  provide(options, Credentials, [
    AuthenticateBearer,
    Budgets,
    AdmittedCredentials,
    RefusedAuthentications,
  ]);
  provide(options, Cursors, [t.cursorMacs]);
  provide(options, IdempotentCalls, [IdempotentTransaction]);
  provide(options, ReadLog, [OrgReadsLog, t.orgReads, t.agentReads]);
  provide(options, CallsUnderWay, []);
  provideBy(
    options,
    LoadGate,
    ({ MAX_QUEUE_MS }, log, measures) => new LoadGate(MAX_QUEUE_MS, log, measures),
    [t.settings, t.log, t.measures],
  );
  provideBy(options, LoadLine, (gate, { MAX_QUEUE_MS }) => new LoadLine(gate, MAX_QUEUE_MS), [
    LoadGate,
    t.settings,
  ]);
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
          readLog: container.get(ReadLog),
          underWay: container.get(CallsUnderWay),
          useCaseOf: (type) => container.get(type as ServiceIdentifier<UseCase>),
        }),
    )
    .inSingletonScope();
});
