import { describe, expect, it } from 'vitest';
import { assertManages } from '../../../application/delivery/webhook-reach.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { useApi } from '../../support/service/api.ts';
import { longestGap } from '../../support/service/event-loop-gap.ts';
import { until } from '../../support/peers/receiver.ts';
import { SENDS_HERE, useReceivers } from '../../support/peers/receivers.ts';
import { Client, ok, sleep, type Body } from '../../support/service/world.ts';

const api = useApi(SENDS_HERE);
const receiver = useReceivers();
const uuid = () => crypto.randomUUID();

describe('who has no agent', () => {
  it('is not taken for the operator who made the webhook of an agent', () => {
    const caller = (scopes: readonly string[]): Caller =>
      ({ role: 'admin', agentId: null, allowed: new Set(scopes) }) as unknown as Caller;
    const hook = {
      orgId: uuid(),
      ownerType: 'agent',
      ownerId: uuid(),
      platformAgentId: null,
      push: null,
      managedBy: null,
    } as const;
    expect(() => assertManages(caller(['webhooks:write']), hook)).toThrow(/webhooks:manage/);
    expect(() => assertManages(caller(['webhooks:manage']), hook)).not.toThrow();
  });
});

describe('an operator who is deactivated', () => {
  it('is told of the orgs no more', async () => {
    const { platform, principal, url } = api.world;
    const to = await receiver();
    const orgs = (await ok(platform.get('/v1/admin/orgs?limit=100')))['data'] as Body[];
    const orgId = String(orgs.find(({ slug }) => slug === 'system')!['id']);
    const agent = await ok(platform.post('/v1/admin/agents', { name: 'leaver', orgId }));
    const key = await ok(
      platform.post('/v1/admin/api-keys', {
        role: 'platform',
        ownerType: 'agent',
        ownerId: agent['id'],
        scopeProfile: 'platform-full',
      }),
    );
    const leaver = new Client(url, String(key['apiKey']));
    await ok(
      leaver.post(`/v1/webhooks?orgId=${orgId}`, {
        url: to.url,
        eventTypes: ['record.recorded'],
      }),
    );
    const note = () => ok(principal.client.post('/v1/records', { type: 'note', criteria: {} }));
    await note();
    await until(() => to.received.length === 1);
    await ok(
      platform.post(`/v1/admin/agents/${String(agent['id'])}/deactivate`, { reason: 'left' }),
    );
    await note();
    await sleep(1_500);
    expect(to.received).toHaveLength(1);
  });
});

describe('pauses', () => {
  it('that follow each other without end are refused before each event costs a thousand comparisons', async () => {
    const { admin } = api.world;
    const to = await receiver();
    const hook = await ok(
      admin.post('/v1/webhooks', { url: to.url, eventTypes: ['record.expired'] }),
    );
    const path = `/v1/webhooks/${String(hook['id'])}`;
    const work = api.service.container.get(TOKENS.unitOfWork);
    await work.transaction(async ({ webhooks }) => {
      const before = (await webhooks.lock(String(hook['id'])))!;
      const from = new Date().toISOString();
      // Its receiver lags: it has not read past any of them.
      const [after, through] = [1_000_000, 1_000_001];
      const gap = { from, to: from, after, through, kind: 'paused' as const };
      const gaps = Array.from({ length: 500 }, () => gap);
      await webhooks.update({ ...before, gaps });
    });
    expect((await admin.post(`${path}/pause`)).status).toBe(422);
    expect((await admin.patch(path, { isActive: false })).status).toBe(422);
    await ok(admin.call('DELETE', path));
  });
});

describe('what waits of a dead receiver', () => {
  it('goes to the DLQ by the thousand without holding up everybody else', async () => {
    const { admin } = api.world;
    const to = await receiver();
    const hook = await ok(
      admin.post('/v1/webhooks', { url: to.url, eventTypes: ['record.expired'] }),
    );
    const path = `/v1/webhooks/${String(hook['id'])}`;
    await ok(admin.post(`${path}/pause`));
    const work = api.service.container.get(TOKENS.unitOfWork);
    const at = new Date().toISOString();
    await work.transaction(({ deliveries }) =>
      deliveries.enqueue(
        Array.from({ length: 10_000 }, (_, n) => ({
          id: uuid(),
          subscriptionId: String(hook['id']),
          eventId: uuid(),
          eventType: 'record.expired',
          number: n + 1,
          eventSequence: n + 1,
          attempt: 1,
          createdAt: at,
        })),
      ),
    );
    const gap = await longestGap(async () => {
      expect(await ok(admin.call('DELETE', path))).toMatchObject({ deadLetters: 10_000 });
    });
    expect(gap).toBeLessThan(250);
  });
});
