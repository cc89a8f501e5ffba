import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../config/service.ts';
import { followSuccession } from '../../domain/vault/key-succession.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { KmsServer } from '../support/peers/kms-server.ts';
import { SoftHsm, softHsmAnnouncement } from '../support/peers/soft-hsm.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';

const hsm = SoftHsm.open();

it('says in one line whether the suites with an HSM run', () => {
  console.log(softHsmAnnouncement());
  expect(softHsmAnnouncement().includes('did not')).toBe(hsm === null);
});

const SOFTWARE = { SIGNER: 'software' };

describe.runIf(hsm).each(quickDatabases())('the signer changes, on $name', (kind) => {
  const kms = new KmsServer();
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
  const used: string[] = [];

  beforeAll(async () => {
    process.env['AWS_ACCESS_KEY_ID'] = 'AKIDEXAMPLE';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'not-a-secret';
    await kms.start();
    kms.addKey('notary');
    hsm!.addKey(`ed-${kind.name}`, 'EC:edwards25519').addKey(`es-${kind.name}`, 'EC:prime256v1');
    await rig.prepare();
  });
  afterAll(async () => {
    delete process.env['AWS_ACCESS_KEY_ID'];
    delete process.env['AWS_SECRET_ACCESS_KEY'];
    await rig.end();
    await kms.stop();
  });

  const client = (service: RunningService) => rig.at(service, rig.world.principal.client);
  let record: Body;

  /** Starts with these settings, continues one record, and exports it. */
  const onward = (env: Record<string, string>, algorithm: string) => {
    rig.env = { CHECKPOINT_INTERVAL: '1440', ...env };
    return rig.run(async (service) => {
      record ??= await ok(
        client(service).post('/v1/records', { type: 'note', criteria: { text: 'across signers' } }),
      );
      await ok(
        client(service).post(`/v1/records/${record['id']}/references`, {
          kind: 'ticket',
          uri: `https://example.org/${used.length}`,
        }),
      );
      const listed = await ok(rig.at(service, rig.world.anonymous).get('/v1/verification-keys'));
      expect(listed['data'][0]).toMatchObject({ algorithm, status: 'active' });
      used.unshift(listed['data'][0].keyId);
      const statements = listed['keyStatements'].map(({ coseSign1 }: { coseSign1: string }) =>
        Uint8Array.from(Buffer.from(coseSign1, 'base64')),
      );
      const succession = await followSuccession(statements);
      expect(succession.faults).toEqual([]);
      expect(succession.keys.map(({ keyId }) => keyId).reverse()).toEqual([...new Set(used)]);
      const file = await ok(client(service).get(`/v1/records/${record['id']}/audit-export`));
      for (const { publicKey } of listed['data']) {
        const spki = [new Uint8Array(Buffer.from(publicKey, 'base64'))];
        const report = await verifyAuditExport(JSON.stringify(file), {
          trust: trustOf({ kind: 'keys', spki }),
        });
        expect(report).toMatchObject({ verdict: 'valid', failures: [] });
      }
    });
  };

  it('from the database to a token and on to another key in it, to AWS KMS, and back; each export is valid under every key', async () => {
    await onward(SOFTWARE, 'Ed25519');
    await onward({ ...hsm!.env(`ed-${kind.name}`), SIGNER_PREVIOUS: 'software' }, 'Ed25519');
    expect(await rig.database.raw('SELECT key_id FROM sealed_keys')).toHaveLength(0);
    await onward(
      { ...hsm!.env(`es-${kind.name}`), SIGNER_PREVIOUS: `pkcs11:ed-${kind.name}` },
      'ES256',
    );
    await onward(hsm!.env(`es-${kind.name}`), 'ES256');
    await onward(
      { ...hsm!.env(`es-${kind.name}`), ...kms.env('notary'), SIGNER_PREVIOUS: 'pkcs11' },
      'ES256',
    );
    await onward(
      { ...kms.env('notary'), SIGNER: 'software', SIGNER_PREVIOUS: 'aws-kms' },
      'Ed25519',
    );
    expect(new Set(used).size).toBe(5);
  });

  it('not to a key that was retired', async () => {
    rig.env = { ...hsm!.env(`es-${kind.name}`), SIGNER_PREVIOUS: 'software' };
    await expect(rig.run(() => Promise.resolve())).rejects.toThrow(
      /SIGNER names pkcs11, whose key [0-9a-f]{32} was retired at .*No key is activated twice/,
    );
  });

  it('not where its settings are not whole', async () => {
    rig.env = { SIGNER: 'pkcs11', PKCS11_PIN: '1234' };
    await expect(rig.run(() => Promise.resolve())).rejects.toThrow(
      /PKCS11_MODULE[\s\S]*PKCS11_TOKEN[\s\S]*PKCS11_KEY/,
    );
    rig.env = { ...hsm!.env('es'), SIGNER_PREVIOUS: 'pkcs11' };
    await expect(rig.run(() => Promise.resolve())).rejects.toThrow(/add the name of the old key/);
    rig.env = { SIGNER: 'vault-transit', TRANSIT_KEY: 'k', VAULT_ADDR: 'http://10.0.0.1:8200' };
    await expect(rig.run(() => Promise.resolve())).rejects.toThrow(/VAULT_ADDR: must be https/);
  });
});
