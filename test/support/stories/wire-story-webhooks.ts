import { NOBODY } from './problems.ts';
import type { WireStory } from './wire-story.ts';

/** Webhooks: their receiver is at an address that nobody allows, so a ping tells the same each time. */
export const tellWebhooks = async ({
  recorder,
  ids,
  platform,
  admin,
  principal,
}: WireStory): Promise<void> => {
  const PATH = '/v1/webhooks';
  const url = 'https://nothing.invalid:1024/hook';
  const eventTypes = ['record.failed'];
  const made = (await admin.post(PATH, { url, eventTypes })).body;
  const one = `${PATH}/${recorder.name(String(made['id']), 'webhook')}`;
  await admin.post(PATH, { url: 'http://receiver.example', eventTypes });
  await admin.post(PATH, { url: 'https://a:b@receiver.example', eventTypes });
  await admin.post(PATH, { url, eventTypes: ['record.faled'] });
  await admin.post(PATH, { url, eventTypes, signingAlg: 'ecdsa-p256-sha256' });
  await platform.post(PATH, { url, eventTypes });
  await admin.get(PATH);
  await admin.get(one);
  await principal.get(one);
  await platform.get(one);
  await admin.patch(one, { url: `${url}/2`, format: 'cloudevents' });
  await admin.patch(one, { signingAlg: 'hmac' });
  await admin.post(`${one}/rotate`, { gracePeriodSeconds: 0 });
  await admin.post(`${one}/pause`);
  await admin.post(`${one}/resume`);
  await admin.post(`${one}/ping`);
  await admin.get(`${one}/deliveries?limit=1`);
  await admin.get(`${one}/dlq`);
  await admin.post(`${one}/dlq/retry-all`);
  await admin.post(`${one}/dlq/${NOBODY}/retry`);
  await admin.call('DELETE', `${one}/dlq/${NOBODY}`);
  await platform.get(`/v1/admin/webhooks/health?orgId=${ids['org']}`);
  await platform.patch(`/v1/admin${one.slice(3)}/circuit-breaker`, { state: 'open' });
  await platform.get('/v1/admin/webhook-dlq');
  await platform.call('DELETE', `/v1/admin/webhook-dlq/${NOBODY}`);
  await admin.call('DELETE', one);
  await admin.patch(one, { isActive: true });
  await admin.post(`${one}/ping`);
};
