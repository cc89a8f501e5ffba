import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CheckpointRound } from '../../../application/vault/checkpoint-round.ts';
import { TakeDump } from '../../../application/vault/take-dump.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { verifyDump } from '../../../domain/verification/dump/verify-dump.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { databases } from '../../support/databases/databases.ts';
import { dumpCollector, rowsOf, sourceOf, textOf } from '../../support/attackers/dump-files.ts';
import { issuer, registerKey, statement } from '../../support/vectors/statements.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { addAgent, Client, NOTE_TYPE, ok } from '../../support/service/world.ts';

/**
 * An org without a type of its own registers a statement. Its schema chain has no entry, and the checkpoint of its log says
 * so: position 0. Any tenant could make every later dump INVALID so.
 */
describe('the log of an org that has no schema chain', () => {
  const rig = new VaultRig(databases()[0]!, { CHECKPOINT_INTERVAL: '1440' });
  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  it('leaves the dump VALID, before its schema chain begins and after', () =>
    rig.run(async (service) => {
      const platform = rig.at(service, rig.world.platform);
      const trust = trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint });
      const org = await ok(
        platform.post('/v1/admin/orgs', { name: 'Without types', bootstrapAdmin: true }),
      );
      const agent = await addAgent(platform, String(org['id']), 'signer');
      const key = issuer('Ed25519');
      await registerKey(platform, agent.id, key, ['https://issuer.example']);
      const { client } = agent;
      const registered = await fetch(`${client.url}/v1/scitt/entries`, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/cose' },
        body: new Uint8Array(statement(key, { sub: 'a' })),
      });
      expect(registered.status).toBe(201);
      await service.container.get(CheckpointRound).run();

      const dump = async () => {
        const { write, texts } = dumpCollector();
        await service.container.get(TakeDump).execute({ withRound: true, write });
        return texts();
      };
      const verify = (texts: Awaited<ReturnType<typeof dump>>) =>
        verifyDump(sourceOf(texts), { trust });
      const before = await dump();
      const rows = rowsOf(before.vault_checkpoints);
      const place = rows.findIndex((row) => row['position'] === 0);
      expect(rows[place]).toMatchObject({ chain_key: `schema:${String(org['id'])}` });
      expect(await verify(before)).toMatchObject({ verdict: 'valid', failures: [] });

      // It is a leaf as any other.
      const without = textOf(rows.filter((_row, index) => index !== place));
      expect((await verify({ ...before, vault_checkpoints: without })).verdict).toBe('invalid');
      const round = rows.find((row) => row['chain_key'] === PLATFORM_CHAIN)!;
      const moved = textOf(rows.map((row) => (row === round ? { ...row, position: 0 } : row)));
      expect((await verify({ ...before, vault_checkpoints: moved })).verdict).toBe('invalid');

      const admin = new Client(client.url, String(org['bootstrapKey'].apiKey));
      await ok(admin.post('/v1/schemas', { ...NOTE_TYPE, publisher: org['slug'] }));
      expect(await verify(await dump())).toMatchObject({ verdict: 'valid', failures: [] });
    }));
});
