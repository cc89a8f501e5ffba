import type { Static } from 'typebox';
import { SECRET_GRACE_SECONDS, type Subscription } from '../../domain/delivery/subscription.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { shownAfter } from './shown-after.ts';
import { assertNotDeleted } from './update-webhook.ts';
import { sealWebhook } from './webhook-acts.ts';
import type { RotateWebhookInput } from './webhook-inputs.ts';
import { assertReach } from './webhook-reach.ts';
import type { WebhookSecrets } from './webhook-secrets.port.ts';
import type { WebhookWithSecret } from './webhook-view.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

/** Gives a subscription another secret. Within the grace both sign; a second rotation drops the oldest. */
export class RotateWebhookSecret {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  execute(
    context: CallContext,
    { webhookId, gracePeriodSeconds = SECRET_GRACE_SECONDS }: Static<typeof RotateWebhookInput>,
  ): Promise<WebhookWithSecret> {
    const secret = this.secrets.make();
    const sealed = this.secrets.seal(secret, webhookId);
    return this.idempotent.run(context, async (stores) => {
      const before = await stores.webhooks.lock(webhookId);
      assertReach(context.caller, before);
      assertUnmanaged(context.caller, before, 'webhook');
      assertNotDeleted(before);
      if (before.scheme !== 'hmac')
        throw new NotaryError(
          'UNPROCESSABLE',
          `The webhook is signed by ${before.scheme}, with the signing key of the vault: it has no secret.`,
          { suggestion: 'Rotate the signing key, where that is what you want.' },
        );
      const now = this.clock.now();
      const at = now.toISOString();
      const hasGrace = gracePeriodSeconds > 0;
      const after: Subscription = {
        ...before,
        secret: sealed,
        previousSecret: hasGrace ? before.secret : null,
        previousSecretUntil: hasGrace
          ? new Date(now.getTime() + gracePeriodSeconds * 1000).toISOString()
          : null,
        version: before.version + 1,
      };
      await stores.webhooks.update(after);
      await sealWebhook(this.sealPlatform, stores, originOf(context), 'secret_rotated', after, {
        secretGraceExpiresAt: after.previousSecretUntil,
      });
      return { ...(await shownAfter(stores, after, at)), secret };
    });
  }
}
