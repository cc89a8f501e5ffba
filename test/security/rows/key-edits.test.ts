import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Vault } from '../../../application/sealing/vault.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { keyIdOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { platformEntry } from '../../support/service/key-rotation.ts';
import { literal, VaultRig } from '../../support/service/vault-rig.ts';
import { ok, openJob, type Body } from '../../support/service/world.ts';

const YEAR_2099 = Date.parse('2099-01-01T00:00:00.000Z');
const OTHER_ID = '00112233445566778899aabbccddeeff';

/** A key pair of the attacker's own, as a row would hold it. */
const forged = (() => {
  const spki = new Uint8Array(
    generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }),
  );
  return { keyId: keyIdOf(publicKeyFromSpki(spki)), spki: `x'${toHex(spki)}'` };
})();
const insertKey = (status: string, at: number | string): string =>
  `INSERT INTO vault_signing_keys (key_id, algorithm, public_key, status, activated_at, retired_at)
   VALUES ('${forged.keyId}', 'Ed25519', ${forged.spki}, '${status}', ${at}, ${status === 'retired' ? at : 'NULL'})`;

/** In each, whoever writes the database changes a row of the vault and waits for the next start. */
const EDITS: readonly (readonly [string, readonly string[], string | RegExp])[] = [
  [
    'a retired key put in',
    [insertKey('retired', 1)],
    `the key ${forged.keyId} in vault_signing_keys has no KEY_ACTIVATED on the platform chain`,
  ],
  [
    'an active key put in',
    [insertKey('active', YEAR_2099)],
    `the key ${forged.keyId} in vault_signing_keys has no KEY_ACTIVATED`,
  ],
  [
    'a key put in with a copy of a statement that was never sealed',
    [
      insertKey('active', YEAR_2099),
      `INSERT INTO vault_key_statements (chain_position, key_id, statement, cose_sign1, created_at) SELECT 999, '${forged.keyId}', 'activated', cose_sign1, created_at FROM (SELECT * FROM vault_key_statements) old`,
    ],
    'the row of vault_key_statements at position 999 is not the entry',
  ],
  [
    'the time of activation',
    [`UPDATE vault_signing_keys SET activated_at = ${YEAR_2099}`],
    /in vault_signing_keys has another activated_at than its statements/,
  ],
  [
    'the status',
    [`UPDATE vault_signing_keys SET status = 'retired', retired_at = ${YEAR_2099}`],
    /in vault_signing_keys has another status/,
  ],
  [
    'the time of retirement',
    [`UPDATE vault_signing_keys SET retired_at = ${YEAR_2099}`],
    /in vault_signing_keys has another retired_at/,
  ],
  [
    'the algorithm',
    [`UPDATE vault_signing_keys SET algorithm = 'ES256'`],
    /in vault_signing_keys has another algorithm/,
  ],
  [
    'the public key',
    [`UPDATE vault_signing_keys SET public_key = ${forged.spki}`],
    /in vault_signing_keys has another public_key/,
  ],
  [
    'the row of the key deleted',
    ['DELETE FROM vault_signing_keys'],
    /is not in vault_signing_keys/,
  ],
  [
    'the base of the predicates',
    [`UPDATE instance SET predicate_base = 'https://attacker.example'`],
    'the row of instance has another predicate_base than position 1 of the platform chain',
  ],
  [
    'the id of the hub',
    [`UPDATE instance SET hub_id = x'${OTHER_ID}'`],
    'the row of instance has another hub_id',
  ],
  ['the row of the hub deleted', ['DELETE FROM instance'], 'the row of instance is missing'],
  [
    'the key id of a statement',
    [`UPDATE vault_key_statements SET key_id = '${forged.keyId}'`],
    'the row of vault_key_statements at position 1 has another key_id',
  ],
  [
    'the kind of a statement',
    [`UPDATE vault_key_statements SET statement = 'retired'`],
    'the row of vault_key_statements at position 1 has another statement',
  ],
  [
    'the time of a statement',
    [`UPDATE vault_key_statements SET created_at = ${YEAR_2099}`],
    'the row of vault_key_statements at position 1 has another created_at',
  ],
  [
    'the position of a statement',
    ['UPDATE vault_key_statements SET chain_position = 2'],
    'the row of vault_key_statements at position 2 is not the entry',
  ],
  [
    'the bytes of a statement',
    [`UPDATE vault_key_statements SET cose_sign1 = x'd2'`],
    'the row of vault_key_statements at position 1 is not the entry',
  ],
  ['a statement deleted', ['DELETE FROM vault_key_statements'], 'are no succession of keys'],
  [
    'the statement changed in the chain and its copy alike',
    [
      `UPDATE vault_key_statements SET cose_sign1 = x'd2'`,
      `UPDATE chain_entries SET cose_sign1 = x'd2' WHERE chain_key = '${PLATFORM_CHAIN}' AND position = 1`,
    ],
    'position 1 of the platform chain is not that of its bytes',
  ],
  [
    'the newest entry of the platform chain changed',
    [
      `UPDATE chain_entries SET cose_sign1 = x'd2' WHERE chain_key = '${PLATFORM_CHAIN}' AND position > 1`,
    ],
    'the newest entry of the platform chain',
  ],
];

describe.each(quickDatabases())('the vault on $name does not start on an edited row', (kind) => {
  const rig = new VaultRig(kind);
  beforeAll(() => rig.prepare(), 60_000);
  afterAll(() => rig.end());

  it.each(EDITS)('%s', async (_what, edit, sentence) => rig.refuses(edit, sentence), 30_000);

  it('and starts where nothing was edited, after every edit was taken back', async () => {
    await rig.run(async (service) => {
      await openJob({
        ...rig.world,
        principal: { ...rig.world.principal, client: rig.at(service, rig.world.principal.client) },
      });
    });
  });
});

describe.each(quickDatabases())('after a rotation, the vault on $name', (kind) => {
  const rig = new VaultRig(kind);
  let leaked: Signer;
  let record: Body;
  beforeAll(async () => {
    await rig.prepare();
    leaked = await rig.run(async (service) => {
      const client = rig.at(service, rig.world.principal.client);
      record = await ok(
        client.post('/v1/records', {
          type: 'job',
          criteria: { goal: 'g' },
          performerAgentId: rig.world.performer.id,
          autoActivate: true,
        }),
      );
      return service.container.get(Vault).seal.signer;
    });
    // The key is changed at the next start, which finds another algorithm in its settings.
    rig.env = { VAULT_ALGORITHM: 'ES256' };
    await rig.run(() => Promise.resolve());
  });
  afterAll(() => rig.end());

  it('signs with the new key, goes on with chains of the old one, and lists both with their statements', async () => {
    await rig.run(async (service) => {
      const { body } = await rig.at(service, rig.world.anonymous).get('/v1/verification-keys');
      expect(body['data']).toMatchObject([
        { algorithm: 'ES256', status: 'active', retiredAt: null },
        { keyId: leaked.keyId, status: 'retired', retiredAt: expect.any(String) },
      ]);
      const [newest] = body['data'];
      const statements = await rig.database.raw(
        'SELECT key_id, statement, chain_position, cose_sign1 FROM vault_key_statements ORDER BY chain_position',
      );
      expect(statements.map((row) => row['statement'])).toEqual([
        'activated',
        'activated',
        'retired',
      ]);
      expect(body['keyStatements']).toEqual(
        statements.map((row) => ({
          keyId: row['key_id'],
          statement: row['statement'],
          position: row['chain_position'],
          coseSign1: Buffer.from(row['cose_sign1'] as Uint8Array).toString('base64'),
        })),
      );
      const client = rig.at(service, rig.world.performer.client);
      const delivered = await ok(
        client.post(`/v1/records/${record['id']}/completions`, { evidence: { score: 1 } }),
      );
      expect(delivered['signedStatement'].signingKeyId).toBe(newest.keyId);
    });
  });

  const hide = [
    'DELETE FROM vault_key_statements WHERE chain_position > 1',
    `DELETE FROM vault_signing_keys WHERE status = 'active'`,
    `UPDATE vault_signing_keys SET status = 'active', retired_at = NULL`,
  ];

  it.each<readonly [string, readonly string[], string | RegExp]>([
    ['the rotation hidden', hide, 'is not signed by'],
    [
      'its retirement hidden',
      [`DELETE FROM vault_key_statements WHERE statement = 'retired'`],
      /nothing retires the key before it/,
    ],
    [
      'its activation hidden',
      [`DELETE FROM vault_key_statements WHERE chain_position > 1 AND statement = 'activated'`],
      /is retired without a successor/,
    ],
    [
      'the retired key made active again',
      [`UPDATE vault_signing_keys SET status = 'active', retired_at = NULL`],
      /another status|another retired_at/,
    ],
    [
      'its window made longer',
      [`UPDATE vault_signing_keys SET retired_at = ${YEAR_2099} WHERE status = 'retired'`],
      /another retired_at/,
    ],
  ])(
    'does not start with %s',
    async (_what, edit, sentence) => rig.refuses(edit, sentence),
    30_000,
  );

  it('does not start on an entry of the platform chain that the retired key signed', async () => {
    const entry = await rig.run(async (service) => {
      const [{ hubId, predicateBase }, head] = await Promise.all([
        service.container.get(TOKENS.vaultKeyReads).hub(),
        service.container.get(TOKENS.chainReads).head(PLATFORM_CHAIN),
      ]).then(([hub, found]) => [hub!, found!] as const);
      return platformEntry(
        { hubId, predicateBase, canonicalization: 'jcs', at: head.at },
        leaked,
        head,
        'ORG_CREATED',
        { orgId: hubId },
      );
    });
    await rig.refuses(
      [
        `INSERT INTO chain_entries (chain_key, position, entry_type, signing_key_id, previous_hash, hash, cose_sign1, at) VALUES ('${PLATFORM_CHAIN}', ${entry.position}, 'ORG_CREATED', '${leaked.keyId}', ${literal(entry.previousHash)}, ${literal(entry.hash)}, ${literal(entry.coseSign1)}, ${Date.parse(entry.at)})`,
        `UPDATE chain_heads SET position = ${entry.position}, hash = ${literal(entry.hash)} WHERE chain_key = '${PLATFORM_CHAIN}'`,
      ],
      /the newest entry of the platform chain, at position \d+, is not signed by/,
    );
  });
});
