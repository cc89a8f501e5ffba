import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases/databases.ts';
import { TransitServer, type TransitType } from '../../support/peers/transit-server.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { ok } from '../../support/service/world.ts';

const TYPES = ['ed25519', 'ecdsa-p256'] as const;

/**
 * A key service, or a token with two keys under one label, answers with signatures by another key than the one that it
 * showed. Entries that were stored so are INVALID for ever, and the service says 201 to each.
 */
describe.each(TYPES)('a key service that signs with another %s key', (type: TransitType) => {
  const kind = databases()[0]!;
  const transit = new TransitServer();
  const rigs: VaultRig[] = [];
  const rigOf = (): VaultRig => {
    const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440', ...transit.env('key') });
    rigs.push(rig);
    return rig;
  };

  beforeAll(() => transit.start());
  afterEach(async () => {
    for (const rig of rigs.splice(0)) await rig.end();
  });
  afterAll(() => transit.stop());

  it('gets nothing stored', async () => {
    transit.addKey('key', type);
    const rig = rigOf();
    await rig.prepare();
    await rig.run(async (service) => {
      const client = rig.at(service, rig.world.principal.client);
      const note = () => client.post('/v1/records', { type: 'note', criteria: { text: 'x' } });
      await ok(note());
      const count = async () =>
        Number((await rig.database.raw('SELECT COUNT(*) AS n FROM chain_entries'))[0]!['n']);
      const before = await count();
      transit.signFalsely('key');
      const answer = await note();
      expect(answer.status).toBe(503);
      expect(await count()).toBe(before);
    });
  });

  it('gets no vault begun', async () => {
    transit.addKey('key', type).signFalsely('key');
    const rig = rigOf();
    await expect(rig.prepare()).rejects.toThrow(/sign/);
    const [{ n } = { n: null }] = await rig.database.raw('SELECT COUNT(*) AS n FROM chain_entries');
    expect(Number(n)).toBe(0);
  });
});
