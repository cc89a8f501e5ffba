import { afterAll, beforeAll } from 'vitest';
import type { RunningService } from '../../../config/service.ts';
import type { DatabaseKind } from '../databases/databases.ts';
import type { Receiver } from '../peers/receiver.ts';
import { SENDS_HERE, useReceivers } from '../peers/receivers.ts';
import { VaultRig } from './vault-rig.ts';
import { ok, type Body, type Client } from './world.ts';

/** A service that is started again and again, and receivers for it. */
export interface WebhookRig {
  readonly rig: VaultRig;
  readonly receiver: () => Promise<Receiver>;
  readonly admin: (service: RunningService) => Client;
  /** Creates a record, which is an event for the webhooks. */
  readonly note: (service: RunningService) => Promise<Body>;
}

/** Prepares a rig for the suite that calls this, and ends it with its receivers after the suite. */
export const useWebhookRig = (kind: DatabaseKind): WebhookRig => {
  const rig = new VaultRig(kind, { ...SENDS_HERE, CHECKPOINT_INTERVAL: '1440' });
  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());
  return {
    rig,
    receiver: useReceivers(),
    admin: (service) => rig.at(service, rig.world.admin),
    note: (service) =>
      ok(
        rig
          .at(service, rig.world.principal.client)
          .post('/v1/records', { type: 'note', criteria: { text: 'x' } }),
      ),
  };
};
