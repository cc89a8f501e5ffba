import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnchorSweep } from '../../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../../application/vault/checkpoint-round.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { anchorKey } from '../../../domain/vault/anchor-key.ts';
import { databases } from '../../support/databases/databases.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { ok } from '../../support/service/world.ts';

/** Whoever may add to the store of anchors, and change nothing in it, puts junk where one anchor will stand. */
describe('an anchor whose place is taken', () => {
  const rig = new VaultRig(databases()[0]!, {
    CHECKPOINT_INTERVAL: '1440',
    ANCHOR_INTERVAL: '2880',
  });
  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  it('keeps no other from being anchored, and the sweep says so', () =>
    rig.run(async (service) => {
      const client = rig.at(service, rig.world.principal.client);
      const ids: string[] = [];
      for (let n = 0; n < 9; n++) {
        const note = { type: 'note', criteria: { text: `note ${n}` } };
        ids.push(String((await ok(client.post('/v1/records', note)))['id']));
      }
      await service.container.get(CheckpointRound).run();
      const checkpoints = service.container.get(TOKENS.checkpointReads);
      const places = await Promise.all(ids.map((id) => checkpoints.newestOf(id)));
      // The newest is the first to be anchored.
      const taken = places.toSorted((a, b) => b!.logIndex - a!.logIndex)[0]!;
      const root = service.settings.ANCHOR_PATH;
      mkdirSync(join(root, 'anchors', taken.chainKey), { recursive: true });
      writeFileSync(
        join(root, anchorKey(taken.chainKey, taken.position, taken.coseSign1)),
        'somebody was here',
      );
      const sweep = service.container.get(AnchorSweep);
      await expect(sweep.run()).rejects.toMatchObject({ reason: 'differs' });
      const folders = readdirSync(join(root, 'anchors'));
      expect(ids.filter((id) => !folders.includes(id))).toEqual([]);
      const log = service.container.get(TOKENS.anchorLog);
      expect(await log.state()).toMatchObject({ failures: 1, pending: 1 });
    }));
});
