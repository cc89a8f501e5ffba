import { ANY, isActive, type Subscription } from '../../domain/delivery/subscription.ts';
import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { createWebhook, updateWebhook } from '../delivery/webhook-operations.ts';
import { assertFixed, sameList } from './assert-fixed.ts';
import type { Change, Generated, KindApplier } from './kind-applier.ts';
import type { Item } from './load-documents.ts';
import type { PerformOperation } from './perform-operation.ts';
import type { ProvisionedRow } from '../ports/provisioned-rows.port.ts';
import type { Scene } from './scene.ts';
import type { SecretFiles } from './secret-files.port.ts';
import { withSecret } from './with-secret.ts';

type Document = Item<'webhooks'>['document'];

/** Webhooks of an org: where, what and how is delivered changes; pauses are left to callers. */
export class WebhookApplier implements KindApplier<'webhooks'> {
  readonly members = { '/orgId': '/org' };

  constructor(
    private readonly operations: PerformOperation,
    private readonly webhooks: WebhookReads,
    private readonly secrets: SecretFiles,
  ) {}

  async change(item: Item<'webhooks'>, scene: Scene): Promise<Change | null> {
    const orgId = await scene.orgId(item.orgSlug);
    const row = scene.find(item);
    if (!row) return { outcome: 'created', apply: () => this.create(item, orgId!, scene) };
    const before = await this.held(row.id);
    const { signingAlg } = item.document;
    assertFixed(
      [['/signingAlg', signingAlg === undefined || signingAlg === before.scheme]],
      'Write the earlier one, or give the document another key, which makes another webhook.',
    );
    const changes = changesOf(before, item.document);
    if (Object.keys(changes).length === 0) return null;
    return {
      outcome: 'updated',
      apply: async () => {
        const input = { webhookId: row.id, changes };
        await this.operations.perform(updateWebhook, scene.context(), input);
        return null;
      },
    };
  }

  async prune(row: ProvisionedRow, scene: Scene): Promise<Change | null> {
    if (!isActive(await this.held(row.id))) return null;
    return {
      outcome: 'updated',
      apply: async () => {
        const input = { webhookId: row.id, changes: { isActive: false } };
        await this.operations.perform(updateWebhook, scene.context(), input);
        return null;
      },
    };
  }

  private async held(id: Uuid): Promise<Subscription> {
    const state = await this.webhooks.find(id);
    if (!state) throw notFound('webhook');
    return state.subscription;
  }

  private async create(
    item: Item<'webhooks'>,
    orgId: Uuid,
    scene: Scene,
  ): Promise<Generated | null> {
    const { org: _org, key: _key, isActive: wanted = true, ...members } = item.document;
    const { id, file } = await withSecret(
      this.secrets,
      scene,
      item,
      `${item.orgSlug}.${item.name}.webhook-secret`,
      (made: { readonly subscription: Subscription; readonly secret: string | null }) => ({
        id: made.subscription.id,
        secret: made.secret,
      }),
      (context) => this.operations.perform(createWebhook, context, { ...members, orgId }),
    );
    if (!wanted)
      await this.operations.perform(updateWebhook, scene.context(), {
        webhookId: id,
        changes: { isActive: false },
      });
    return file === null ? null : { id, label: item.name, file };
  }
}

const changesOf = (before: Subscription, document: Document) => {
  const { url, format = 'standard', isActive: wanted = true } = document;
  const eventTypes = [...new Set(document.eventTypes)];
  const recordTypes = [...new Set(document.recordTypes ?? [ANY])];
  return {
    ...(url === before.url ? {} : { url }),
    ...(format === before.format ? {} : { format }),
    ...(sameList(eventTypes, before.eventTypes) ? {} : { eventTypes }),
    ...(sameList(recordTypes, before.recordTypes) ? {} : { recordTypes }),
    ...(wanted === isActive(before) ? {} : { isActive: wanted }),
  };
};
