import type { Static } from 'typebox';
import { setByOperator } from '../../domain/delivery/circuit.ts';
import {
  ANY,
  assertRoomForGap,
  gapEnded,
  isActive,
  MAX_PUSH_CONFIGS,
  type PushConfig,
  type Subscription,
} from '../../domain/delivery/subscription.ts';
import { TASK_EVENT_TYPES } from '../../domain/delivery/task-status.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { ALGORITHMS } from '../../domain/vault/algorithm.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { FindRecord } from '../record/find-record.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { SetPushConfigInput } from './push-inputs.ts';
import { markNow } from './mark-now.ts';
import { pushOwnerOf } from './push-reach.ts';
import { sealWebhook } from './webhook-acts.ts';
import type { WebhookSecrets } from './webhook-secrets.port.ts';
import { assertReceiver } from './receiver-host.ts';

type Input = Static<typeof SetPushConfigInput>;

/** Tells a receiver each change of one task from now on. A configuration of the same id is replaced. */
export class SetPushConfig {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly findRecord: FindRecord,
    private readonly secrets: WebhookSecrets,
    private readonly events: EventReads,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly addresses: AddressRules,
  ) {}

  async execute(context: CallContext, input: Input): Promise<Subscription> {
    const { id: recordId, rootRecordId } = await this.findRecord.find(context, input.recordId);
    const owner = pushOwnerOf(context.caller);
    assertReceiver(input.url, this.addresses);
    const mark = await markNow(this.events, this.clock);
    const { at } = mark;
    const id = this.ids.next();
    const push: PushConfig = {
      configId: input.configId ?? this.ids.next(),
      contextId: rootRecordId,
      version: input.protocolVersion,
      authScheme: input.authScheme ?? null,
    };
    return this.idempotent.run(context, async (stores) => {
      const others = await stores.webhooks.pushConfigs(owner, recordId);
      const before = others.find((one) => one.push?.configId === push.configId);
      if (!before && others.length >= MAX_PUSH_CONFIGS) throw tooMany();
      if (before) assertRoomForGap(before);
      const after: Subscription = before
        ? {
            ...before,
            url: input.url,
            push,
            secret: this.sealed(input, before.id),
            gaps: gapEnded(before.gaps, 'inactive', mark),
            version: before.version + 1,
          }
        : {
            id,
            ...owner,
            url: input.url,
            eventTypes: TASK_EVENT_TYPES,
            recordTypes: [ANY],
            format: 'a2a',
            scheme: ALGORITHMS[this.vault.seal.signer.algorithm].httpSignature,
            secret: this.sealed(input, id),
            previousSecret: null,
            previousSecretUntil: null,
            managedBy: null,
            recordId,
            push,
            startsAfter: mark.number,
            gaps: [],
            deletedAt: null,
            createdAt: at,
            version: 1,
          };
      if (before) await stores.webhooks.update(after);
      else await stores.webhooks.insert(after);
      if (before) await this.rearm(stores, before, after.url, at);
      await stores.webhooks.wake(after.id);
      const act = before ? 'updated' : 'created';
      await sealWebhook(this.sealPlatform, stores, originOf(context), act, after);
      return after;
    });
  }

  /** Another receiver, or one that was given up, begins without the failures of before. */
  private async rearm(
    { webhooks }: Pick<Stores, 'webhooks'>,
    before: Subscription,
    url: string,
    at: string,
  ): Promise<void> {
    if (isActive(before) && before.url === url) return;
    const reader = await webhooks.lockReader(before.id);
    if (reader) await webhooks.setCircuit(before.id, setByOperator(reader.circuit, 'closed', at));
  }

  private sealed({ token, credentials }: Input, id: Uuid): Uint8Array | null {
    if (token === undefined && credentials === undefined) return null;
    return this.secrets.seal(JSON.stringify({ token, credentials }), id);
  }
}

const tooMany = (): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `You have ${MAX_PUSH_CONFIGS} push configurations at this task, which is as many as there may be.`,
    { suggestion: 'Delete one that is not needed, or replace it by giving its id.' },
  );
