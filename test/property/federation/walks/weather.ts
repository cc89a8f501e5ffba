import { setTimeout as sleep } from 'node:timers/promises';
import type { HubPair, TestHub } from '../../../support/hubs/hub-pair.ts';
import { ok } from '../../../support/service/world.ts';

const PEERS = '/v1/admin/federation/peers';

/** What operators do while records are under way. Each resolves when it is over. */
export const weatherOf = ({
  home,
  far,
}: HubPair): Readonly<Record<string, () => Promise<void>>> => ({
  'home suspends its peer for a while': () => suspended(home, far),
  'the peer suspends home for a while': () => suspended(far, home),
  'home rotates its vault key': () => rotated(home),
  'the peer rotates its vault key': () => rotated(far),
  'home rolls its hub key over': () => rolled(home),
  'the peer rolls its hub key over': () => rolled(far),
  'home is stopped and started': () => restarted(home),
  'the peer is stopped and started': () => restarted(far),
});

const suspended = async (hub: TestHub, { hubId }: TestHub): Promise<void> => {
  await ok(hub.world.platform.post(`${PEERS}/${hubId}/suspend`, {}));
  await sleep(400);
  await ok(hub.world.platform.post(`${PEERS}/${hubId}/resume`, {}));
};

const rotated = async (hub: TestHub): Promise<void> => {
  // A rotation goes on beside whatever else keeps a machine busy; who got no answer in time looks at the keys.
  const { status, body } = await hub.world.platform.post('/v1/admin/vault/signing-keys/rotate', {});
  if (status !== 200 && status !== 503) throw new Error(`${status}: ${JSON.stringify(body)}`);
};

const rolled = async (hub: TestHub): Promise<void> => {
  await ok(hub.world.platform.post('/v1/admin/federation/hub-key/rotate', {}));
};

const restarted = async (hub: TestHub): Promise<void> => {
  await hub.kill();
  await sleep(100);
  await hub.start();
};
