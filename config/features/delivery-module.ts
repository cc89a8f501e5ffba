import { ContainerModule } from 'inversify';
import { AesWebhookSecrets } from '../../adapters/keys/aes-webhook-secrets.ts';
import { CreateWebhook } from '../../application/delivery/create-webhook.ts';
import { DeletePushConfig } from '../../application/delivery/delete-push-config.ts';
import { DeleteWebhook } from '../../application/delivery/delete-webhook.ts';
import { CallsUnderWay } from '../../application/call/calls-under-way.ts';
import { DeliverWebhook } from '../../application/delivery/deliver-webhook.ts';
import { DeliveryPace } from '../../application/delivery/delivery-pace.ts';
import { Dispatcher } from '../../application/delivery/dispatcher.ts';
import { DiscardDeadLetter } from '../../application/delivery/discard-dead-letter.ts';
import { ForgetPushConfigs } from '../../application/delivery/forget-push-configs.ts';
import { GetPushConfig } from '../../application/delivery/get-push-config.ts';
import { GetWebhook } from '../../application/delivery/get-webhook.ts';
import { HostRates } from '../../application/delivery/host-rates.ts';
import { ListAllDeadLetters } from '../../application/delivery/list-all-dead-letters.ts';
import { ListDeadLetters } from '../../application/delivery/list-dead-letters.ts';
import { ListDeliveries } from '../../application/delivery/list-deliveries.ts';
import { ListPushConfigs } from '../../application/delivery/list-push-configs.ts';
import { ListWebhooks } from '../../application/delivery/list-webhooks.ts';
import { MoveWebhookSecrets } from '../../application/delivery/move-webhook-secrets.ts';
import { PauseWebhook } from '../../application/delivery/pause-webhook.ts';
import { PingWebhook } from '../../application/delivery/ping-webhook.ts';
import { ResumeWebhook } from '../../application/delivery/resume-webhook.ts';
import type { TaskUpdateForm } from '../../application/delivery/push-notification.ts';
import { RetryAllDeadLetters } from '../../application/delivery/retry-all-dead-letters.ts';
import { RetryDeadLetter } from '../../application/delivery/retry-dead-letter.ts';
import { RotateWebhookSecret } from '../../application/delivery/rotate-webhook-secret.ts';
import { SendDelivery } from '../../application/delivery/send-delivery.ts';
import { SetCircuit } from '../../application/delivery/set-circuit.ts';
import { SetPushConfig } from '../../application/delivery/set-push-config.ts';
import { UpdateWebhook } from '../../application/delivery/update-webhook.ts';
import { WebhooksHealth } from '../../application/delivery/webhooks-health.ts';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { FindRecord } from '../../application/record/find-record.ts';
import { EventOutbox } from '../../application/sealing/event-outbox.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Subscriptions, and what is sent to them. */
export const deliveryModule = new ContainerModule((options) => {
  provideBy(options, t.webhookReads, (sql) => sql.reads.webhooks, [t.sql]);
  provideBy(options, t.deliveryQueue, (sql) => sql.deliveryQueue, [t.sql]);
  provideBy(options, t.webhookSecrets, ({ secretsKey }) => new AesWebhookSecrets(secretsKey), [
    t.secrets,
  ]);
  provideBy(
    options,
    SendDelivery,
    (tracer, ...parts) => new SendDelivery(...parts, a2aUpdate, tracer),
    [t.tracer, t.signDelivery, t.webhookSecrets, t.egressPost, t.publicUrl, Vault],
  );
  const acts = [IdempotentTransaction, SealPlatform] as const;
  provide(options, CreateWebhook, [
    ...acts,
    t.webhookSecrets,
    t.eventReads,
    t.orgReads,
    Vault,
    t.clock,
    t.ids,
    t.webhookAddresses,
  ]);
  provide(options, ListWebhooks, [t.webhookReads, t.clock]);
  provide(options, GetWebhook, [t.webhookReads, t.clock]);
  provide(options, UpdateWebhook, [...acts, t.eventReads, t.clock, t.ids, t.webhookAddresses]);
  provide(options, DeleteWebhook, [...acts, t.webhookReads, t.eventReads, t.clock, t.ids]);
  provide(options, PauseWebhook, [...acts, t.eventReads, t.clock]);
  provide(options, ResumeWebhook, [...acts, t.eventReads, t.clock]);
  provide(options, RotateWebhookSecret, [...acts, t.webhookSecrets, t.clock]);
  provide(options, PingWebhook, [
    IdempotentTransaction,
    t.webhookReads,
    SendDelivery,
    t.clock,
    t.ids,
  ]);
  provide(options, ListDeliveries, [t.webhookReads]);
  provide(options, ListDeadLetters, [t.webhookReads, t.eventReads]);
  provide(options, ListAllDeadLetters, [t.webhookReads, t.eventReads]);
  provide(options, RetryDeadLetter, [IdempotentTransaction, t.clock, t.ids]);
  provide(options, RetryAllDeadLetters, [IdempotentTransaction, t.webhookReads, t.clock, t.ids]);
  provide(options, DiscardDeadLetter, [IdempotentTransaction]);
  provide(options, WebhooksHealth, [t.webhookReads, t.clock]);
  provideBy(options, HostRates, (settings) => new HostRates(settings.WEBHOOK_RATE_PER_HOST), [
    t.settings,
  ]);
  provideBy(
    options,
    DeliveryPace,
    (calls, sql) => new DeliveryPace(() => calls.areAny || sql.isAwaited()),
    [CallsUnderWay, t.sql],
  );
  provideBy(
    options,
    DeliverWebhook,
    (
      unitOfWork,
      webhooks,
      queue,
      events,
      sql,
      sending,
      sealPlatform,
      outbox,
      rates,
      pace,
      clock,
      ids,
      log,
      measures,
    ) =>
      new DeliverWebhook(
        {
          unitOfWork,
          webhooks,
          queue,
          events,
          // As they stand now: what happens after a deactivation is told to nobody.
          agents: sql.reads.agents,
          sending,
          sealPlatform,
          outbox,
          rates,
          pace,
          clock,
          ids,
          log,
          measures,
        },
        Math.random,
      ),
    [
      t.unitOfWork,
      t.webhookReads,
      t.deliveryQueue,
      t.eventReads,
      t.sql,
      SendDelivery,
      SealPlatform,
      EventOutbox,
      HostRates,
      DeliveryPace,
      t.clock,
      t.ids,
      t.log,
      t.measures,
    ],
  );
  provide(options, Dispatcher, [
    t.webhookReads,
    t.eventReads,
    t.eventNotice,
    DeliverWebhook,
    t.clock,
    t.log,
  ]);
  provide(options, MoveWebhookSecrets, [t.unitOfWork, t.webhookReads, t.webhookSecrets]);
  provide(options, SetPushConfig, [
    ...acts,
    FindRecord,
    t.webhookSecrets,
    t.eventReads,
    Vault,
    t.clock,
    t.ids,
    t.webhookAddresses,
  ]);
  provide(options, GetPushConfig, [t.webhookReads, FindRecord]);
  provide(options, ListPushConfigs, [t.webhookReads, FindRecord]);
  provide(options, DeletePushConfig, [...acts, FindRecord, t.eventReads, t.clock, t.ids]);
  provide(options, ForgetPushConfigs, [
    t.unitOfWork,
    SealPlatform,
    t.webhookReads,
    t.recordReads,
    t.eventReads,
    t.clock,
    t.ids,
  ]);
  provide(options, SetCircuit, [...acts, t.clock]);
});

/** Loaded with the first push notification, as the front-end is with its first request. */
const a2aUpdate = async (): Promise<TaskUpdateForm> =>
  (await import('../../adapters/a2a/push-update.ts')).pushUpdate;
