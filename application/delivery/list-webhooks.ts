import type { SubscriptionFilter, WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ShownWebhook } from './webhook-view.ts';

/** Subscriptions that the caller reaches, newest first. */
export class ListWebhooks {
  constructor(
    private readonly webhooks: WebhookReads,
    private readonly clock: Clock,
  ) {}

  async execute(
    { caller }: CallContext,
    {
      slice,
      isActive = true,
      orgId,
    }: { readonly isActive?: boolean; readonly orgId?: string; readonly slice: SliceRequest },
  ): Promise<Slice<ShownWebhook>> {
    const at = this.clock.now().toISOString();
    const found = await this.webhooks.list({ ...reachOf(caller, orgId), isActive }, slice);
    return { ...found, rows: found.rows.map((state) => ({ ...state, at })) };
  }
}

const reachOf = (caller: Caller, orgId: string | undefined): SubscriptionFilter => {
  if (caller.role === 'platform')
    return {
      platformAgentId: caller.agentId ?? NOBODY,
      ...(orgId === undefined ? {} : { orgId }),
    };
  if (caller.orgId === null || (orgId !== undefined && orgId !== caller.orgId))
    throw notFound('org');
  return caller.role === 'admin'
    ? { orgId: caller.orgId }
    : { orgId: caller.orgId, ownerId: caller.agentId ?? NOBODY };
};

const NOBODY = '00000000-0000-0000-0000-000000000000';
