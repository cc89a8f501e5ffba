import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../../config/service.ts';
import { ed25519Pair, proofOf, x25519Jwk } from '../../support/clients/agent-keys.ts';
import { databases, type TestDatabase } from '../../support/databases/databases.ts';
import { AUDIENCE, exchangeOf, OIDC_ENV, startOidc, type Oidc } from '../../support/peers/oidc.ts';
import { settingsIn } from '../../support/service/settings-in.ts';
import { startWatched } from '../../support/service/watched-service.ts';
import {
  addAgent,
  Client,
  createWorld,
  NOTE_TYPE,
  ok,
  sleep,
  type Answer,
  type Body,
  type World,
} from '../../support/service/world.ts';

/** Longer than a row is remembered anywhere. */
const FORGOTTEN = 1_100;

/** Whoever has the password of the database: edits any row, and keeps copies of earlier ones to put them back. */
class Thief {
  constructor(private readonly database: TestDatabase) {}

  async run(sql: string): Promise<void> {
    await this.database.raw(sql);
  }

  copy(table: string, condition: string): Promise<readonly Body[]> {
    return this.database.raw(`SELECT * FROM ${table} WHERE ${condition}`);
  }

  /** The row byte for byte as it was, with its genuine MAC. */
  async putBack(table: string, rows: readonly Body[], key = 'id'): Promise<void> {
    expect(rows).toHaveLength(1);
    const [row] = rows as [Body];
    const assignments = Object.entries(row).map(([name, value]) => `${name} = ${this.text(value)}`);
    await this.run(
      `UPDATE ${table} SET ${assignments.join(', ')} WHERE ${key} = ${this.text(row[key])}`,
    );
  }

  async insert(table: string, rows: readonly Body[]): Promise<void> {
    expect(rows).toHaveLength(1);
    const [row] = rows as [Body];
    const values = Object.values(row).map((value) => this.text(value));
    await this.run(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`,
    );
  }

  private text(value: unknown): string {
    if (value === null) return 'NULL';
    if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`;
    if (typeof value !== 'string') return String(value);
    const quoted = value.replaceAll("'", "''");
    return `'${this.database.kind === 'mysql' ? quoted.replaceAll('\\', '\\\\') : quoted}'`;
  }
}

const hex = (id: unknown): string => `X'${String(id).replaceAll('-', '')}'`;

interface Scene {
  readonly world: World;
  readonly thief: Thief;
  /** The admin of another org, who is in league with whoever edits. */
  readonly intruder: { readonly orgId: string; readonly client: Client };
  readonly oidc: Oidc;
}

interface Attack {
  /** Before the service is told to forget, or is started anew. */
  readonly edit: () => Promise<void>;
  /** What the edit was meant for. */
  readonly act: (at: (client: Client) => Client) => Promise<Answer<Body>>;
  readonly expected: readonly [status: number, why: string];
  /** What must hold afterwards. */
  readonly after?: (at: (client: Client) => Client) => Promise<void>;
}

type Scenario = readonly [name: string, prepare: (scene: Scene) => Promise<Attack>];

const DRIFT = [409, 'payload_drift'] as const;
const INVALID = [401, 'UNAUTHORIZED'] as const;
let serial = 0;
const name = (): string => `n${(serial += 1)}${randomBytes(3).toString('hex')}`;

const agentOf = ({ world }: Scene) => addAgent(world.admin, world.orgId, name());
const keyIdOf = async (client: Client): Promise<string> =>
  String((await ok(client.get('/v1/auth/me')))['apiKeyId']);
const mint = (client: Client, ownerId: string) =>
  client.post('/v1/admin/api-keys', { role: 'agent', ownerType: 'agent', ownerId, label: 'mine' });
const whoami = (client: Client) => client.get('/v1/auth/me');

const issuerOf = async ({ world, oidc }: Scene, changes: Body = {}): Promise<Body> =>
  ok(
    world.platform.post('/v1/admin/trusted-issuers', {
      orgId: world.orgId,
      issuerUrl: oidc.issuer,
      expectedAudience: `${AUDIENCE}/${name()}`,
      jwksUri: `${oidc.issuer}/jwks`,
      ...changes,
    }),
  );
const certOf = async ({ world, oidc }: Scene, issuer: Body): Promise<Client> => {
  const claims = { aud: issuer['expectedAudience'] as string, agent_id: world.principal.id };
  const { certJws } = await ok(
    world.anonymous.post('/v1/auth/oidc/cert', exchangeOf(await oidc.forge(claims))),
  );
  return new Client(world.url, String(certJws));
};

const SCENARIOS: readonly Scenario[] = [
  [
    'an agent moved into another org: no key is minted for it there',
    async (scene) => {
      const agent = await agentOf(scene);
      return {
        edit: () =>
          scene.thief.run(
            `UPDATE agents SET org_id = ${hex(scene.intruder.orgId)} WHERE id = ${hex(agent.id)}`,
          ),
        act: (at) => mint(at(scene.intruder.client), agent.id),
        expected: DRIFT,
        after: async (at) => expect((await whoami(at(agent.client))).status).toBe(401),
      };
    },
  ],
  [
    'an agent moved together with its key',
    async (scene) => {
      const agent = await agentOf(scene);
      const org = hex(scene.intruder.orgId);
      return {
        edit: async () => {
          await scene.thief.run(`UPDATE agents SET org_id = ${org} WHERE id = ${hex(agent.id)}`);
          await scene.thief.run(
            `UPDATE api_keys SET org_id = ${org} WHERE owner_id = ${hex(agent.id)}`,
          );
        },
        act: (at) => whoami(at(agent.client)),
        expected: INVALID,
      };
    },
  ],
  [
    'the capabilities of an agent',
    async (scene) => {
      const agent = await agentOf(scene);
      await ok(
        scene.world.admin.call('PUT', `/v1/agents/${agent.id}/capabilities`, { types: ['note'] }),
      );
      return {
        edit: () =>
          scene.thief.run(`UPDATE agents SET capabilities = '[]' WHERE id = ${hex(agent.id)}`),
        act: (at) =>
          at(scene.world.principal.client).post('/v1/records', {
            type: 'job',
            criteria: { goal: 'g', threshold: 1 },
            performerAgentId: agent.id,
          }),
        expected: DRIFT,
      };
    },
  ],
  [
    'an encryption key, so that parties would encrypt to another',
    async (scene) => {
      const agent = await agentOf(scene);
      const path = `/v1/agents/${agent.id}`;
      await ok(
        scene.world.admin.call('PUT', `${path}/encryption-key`, { publicKeyJwk: x25519Jwk() }),
      );
      return {
        edit: () =>
          scene.thief.run(
            `UPDATE agent_keys SET public_key = X'${Buffer.from(String(x25519Jwk()['x']), 'base64url').toString('hex')}' WHERE agent_id = ${hex(agent.id)}`,
          ),
        act: (at) => at(scene.world.admin).get(path),
        expected: DRIFT,
      };
    },
  ],
  [
    'a replaced encryption key put back',
    async (scene) => {
      const agent = await agentOf(scene);
      const path = `/v1/agents/${agent.id}`;
      const set = () =>
        ok(scene.world.admin.call('PUT', `${path}/encryption-key`, { publicKeyJwk: x25519Jwk() }));
      await set();
      const before = await scene.thief.copy('agent_keys', `agent_id = ${hex(agent.id)}`);
      await set();
      return {
        edit: async () => {
          await scene.thief.run(
            `DELETE FROM agent_keys WHERE agent_id = ${hex(agent.id)} AND ended_at IS NULL`,
          );
          await scene.thief.putBack('agent_keys', before, 'thumbprint');
        },
        act: (at) => at(scene.world.admin).get(path),
        expected: DRIFT,
      };
    },
  ],
  [
    'a revoked signing key put back',
    async (scene) => {
      const agent = await agentOf(scene);
      const path = `/v1/agents/${agent.id}`;
      const pair = ed25519Pair();
      await ok(
        scene.world.admin.post(`${path}/signing-keys`, {
          publicKeyJwk: pair.jwk,
          proofOfPossession: proofOf(pair, agent.id),
        }),
      );
      const before = await scene.thief.copy('agent_keys', `agent_id = ${hex(agent.id)}`);
      await ok(scene.world.admin.call('DELETE', `${path}/signing-keys/${pair.thumbprint}`));
      return {
        edit: () => scene.thief.putBack('agent_keys', before, 'thumbprint'),
        act: (at) => at(scene.world.admin).get(path),
        expected: DRIFT,
      };
    },
  ],
  [
    'a reference of an agent',
    async (scene) => {
      const agent = await agentOf(scene);
      const path = `/v1/agents/${agent.id}`;
      await ok(
        scene.world.admin.post(`${path}/references`, { kind: 'site', uri: 'https://a.example' }),
      );
      return {
        edit: () =>
          scene.thief.run(
            `UPDATE agent_references SET uri = 'https://b.example' WHERE agent_id = ${hex(agent.id)}`,
          ),
        act: (at) => at(scene.world.admin).get(path),
        expected: DRIFT,
      };
    },
  ],
  [
    'a deactivated agent put back, with its keys',
    async (scene) => {
      const agent = await agentOf(scene);
      const rows = await scene.thief.copy('agents', `id = ${hex(agent.id)}`);
      const keys = await scene.thief.copy('api_keys', `owner_id = ${hex(agent.id)}`);
      await ok(scene.world.admin.post(`/v1/admin/agents/${agent.id}/deactivate`, {}));
      return {
        edit: async () => {
          await scene.thief.putBack('agents', rows);
          await scene.thief.putBack('api_keys', keys);
        },
        act: (at) => whoami(at(agent.client)),
        expected: INVALID,
        after: async (at) =>
          expect((await mint(at(scene.world.admin), agent.id)).body['reason']).toBe(DRIFT[1]),
      };
    },
  ],
  [
    'a revoked API key, put back whole',
    async (scene) => {
      const agent = await agentOf(scene);
      const keyId = await keyIdOf(agent.client);
      const rows = await scene.thief.copy('api_keys', `id = ${hex(keyId)}`);
      await ok(scene.world.admin.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false }));
      return {
        edit: () => scene.thief.putBack('api_keys', rows),
        act: (at) => whoami(at(agent.client)),
        expected: INVALID,
      };
    },
  ],
  [
    'a revoked API key, by its flag alone',
    async (scene) => {
      const agent = await agentOf(scene);
      const keyId = await keyIdOf(agent.client);
      await ok(scene.world.admin.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false }));
      return {
        edit: () =>
          scene.thief.run(
            `UPDATE api_keys SET is_active = 1, revoked_at = NULL WHERE id = ${hex(keyId)}`,
          ),
        act: (at) => whoami(at(agent.client)),
        expected: INVALID,
      };
    },
  ],
  [
    'a rotated API key, put back whole',
    async (scene) => {
      const agent = await agentOf(scene);
      const rows = await scene.thief.copy('api_keys', `owner_id = ${hex(agent.id)}`);
      await ok(agent.client.post('/v1/auth/keys/rotate', {}));
      return {
        edit: () => scene.thief.putBack('api_keys', rows),
        act: (at) => whoami(at(agent.client)),
        expected: INVALID,
      };
    },
  ],
  [
    'an issuer without its demands, put back',
    async (scene) => {
      const issuer = await issuerOf(scene);
      const rows = await scene.thief.copy('trusted_issuers', `id = ${hex(issuer['id'])}`);
      const path = `/v1/admin/trusted-issuers/${String(issuer['id'])}`;
      await ok(scene.world.platform.patch(path, { enabled: false, requireCoSignature: 'request' }));
      return {
        edit: () => scene.thief.putBack('trusted_issuers', rows),
        act: async (at) =>
          at(scene.world.anonymous).post(
            '/v1/auth/oidc/cert',
            exchangeOf(
              await scene.oidc.forge({
                aud: issuer['expectedAudience'] as string,
                agent_id: scene.world.principal.id,
              }),
            ),
          ),
        // Other issuers with the URL, which nobody edited, still answer for their own audiences.
        expected: [401, expect.stringMatching(/^(unknown_issuer|audience_mismatch)$/) as string],
        after: async (at) => {
          const { status, body } = await at(scene.world.platform).patch(path, { enabled: false });
          expect([status, body['reason']]).toEqual(DRIFT);
        },
      };
    },
  ],
  [
    'a deleted issuer, put back',
    async (scene) => {
      const issuer = await issuerOf(scene, { issuerUrl: `https://${name()}.example` });
      const path = `/v1/admin/trusted-issuers/${String(issuer['id'])}`;
      const rows = await scene.thief.copy('trusted_issuers', `id = ${hex(issuer['id'])}`);
      await ok(scene.world.platform.call('DELETE', path));
      return {
        edit: () => scene.thief.insert('trusted_issuers', rows),
        act: (at) => at(scene.world.platform).get(path),
        expected: DRIFT,
      };
    },
  ],
  [
    'a revoked certificate, put back whole',
    async (scene) => {
      const client = await certOf(scene, await issuerOf(scene));
      const certId = String((await ok(whoami(client)))['cert'].id);
      const rows = await scene.thief.copy('ephemeral_certs', `id = ${hex(certId)}`);
      await ok(scene.world.platform.post(`/v1/admin/ephemeral-certs/${certId}/revoke`));
      return {
        edit: () => scene.thief.putBack('ephemeral_certs', rows),
        act: (at) => whoami(at(client)),
        expected: INVALID,
      };
    },
  ],
  [
    'the agent of a certificate',
    async (scene) => {
      const client = await certOf(scene, await issuerOf(scene));
      const certId = String((await ok(whoami(client)))['cert'].id);
      return {
        edit: () =>
          scene.thief.run(
            `UPDATE ephemeral_certs SET agent_id = ${hex(scene.world.performer.id)} WHERE id = ${hex(certId)}`,
          ),
        act: (at) => whoami(at(client)),
        expected: INVALID,
      };
    },
  ],
  [
    'the slug of an org: nobody else publishes under it',
    async (scene) => {
      const slug = name();
      const org = await ok(
        scene.world.platform.post('/v1/admin/orgs', { name: slug, slug, bootstrapAdmin: true }),
      );
      const admin = new Client(scene.world.url, String(org['bootstrapKey'].apiKey));
      return {
        edit: () =>
          scene.thief.run(`UPDATE orgs SET slug = '${name()}' WHERE id = ${hex(org['id'])}`),
        act: (at) =>
          at(scene.intruder.client).post('/v1/schemas', { ...NOTE_TYPE, publisher: slug }),
        expected: [409, 'RESERVED_PUBLISHER_LABEL'],
        after: async (at) => {
          const { status } = await at(scene.world.platform).post('/v1/admin/orgs', {
            name: slug,
            slug,
          });
          expect(status).toBe(409);
          expect((await at(admin).post('/v1/schemas', NOTE_TYPE)).body['reason']).toBe(DRIFT[1]);
        },
      };
    },
  ],
  [
    'the row of a publisher label deleted',
    async (scene) => {
      const publisher = name();
      const type = name();
      await ok(scene.world.admin.post('/v1/schemas', { ...NOTE_TYPE, type, publisher }));
      return {
        edit: () => scene.thief.run(`DELETE FROM publishers WHERE label = '${publisher}'`),
        act: (at) =>
          at(scene.intruder.client).post('/v1/schemas', { ...NOTE_TYPE, type, publisher }),
        expected: [409, 'RESERVED_PUBLISHER_LABEL'],
      };
    },
  ],
  [
    'a disabled type set active: it takes no record',
    async (scene) => {
      const type = name();
      await ok(scene.world.admin.post('/v1/schemas', { ...NOTE_TYPE, type }));
      await ok(scene.world.admin.patch(`/v1/schemas/${type}`, { status: 'disabled' }));
      return {
        edit: () =>
          scene.thief.run(`UPDATE record_types SET status = 'active' WHERE type = '${type}'`),
        act: (at) => at(scene.world.principal.client).post('/v1/records', { type, criteria: {} }),
        expected: [422, 'VALIDATION_ERROR'],
        after: async (at) =>
          expect((await ok(at(scene.world.admin).get(`/v1/schemas/${type}`)))['status']).toBe(
            'disabled',
          ),
      };
    },
  ],
  [
    'an active type that only looks disabled: disabling it has its effect',
    async (scene) => {
      const type = name();
      await ok(scene.world.admin.post('/v1/schemas', { ...NOTE_TYPE, type }));
      return {
        edit: () =>
          scene.thief.run(`UPDATE record_types SET status = 'disabled' WHERE type = '${type}'`),
        act: async (at) => {
          const changed = await ok(
            at(scene.world.admin).patch(`/v1/schemas/${type}`, { status: 'disabled' }),
          );
          expect(JSON.stringify(changed)).toContain('SCHEMA_STATUS_CHANGED');
          await scene.thief.run(`UPDATE record_types SET status = 'active' WHERE type = '${type}'`);
          await sleep(FORGOTTEN);
          return at(scene.world.principal.client).post('/v1/records', { type, criteria: {} });
        },
        expected: [422, 'VALIDATION_ERROR'],
      };
    },
  ],
  [
    'a deleted type, put back',
    async (scene) => {
      const type = name();
      await ok(scene.world.admin.post('/v1/schemas', { ...NOTE_TYPE, type }));
      const rows = await scene.thief.copy('record_types', `type = '${type}'`);
      await ok(scene.world.admin.patch(`/v1/schemas/${type}`, { status: 'disabled' }));
      await ok(scene.world.admin.call('DELETE', `/v1/schemas/${type}`));
      return {
        edit: () => scene.thief.insert('record_types', rows),
        act: (at) => at(scene.world.principal.client).post('/v1/records', { type, criteria: {} }),
        expected: DRIFT,
      };
    },
  ],
];

describe.each(databases())('on $name, rows that somebody else wrote are believed by', (kind) => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-rows-'));
  let database: TestDatabase;
  let service: RunningService;
  let oidc: Oidc;
  let world: World;
  let intruder: Scene['intruder'];

  const start = async (): Promise<void> => {
    const settings = settingsIn(directory, {
      DATABASE_URL: database.url,
      ...SECRETS,
      ...OIDC_ENV,
      // Certificates are for the address of the service, whatever its port is after a restart.
      PUBLIC_URL: 'https://notary.example',
    });
    service = await startWatched(settings);
  };
  const restart = async (): Promise<void> => {
    await service.stop();
    await start();
  };
  const here = (client: Client): Client => new Client(String(service.url), client.key);

  beforeAll(async () => {
    database = await kind.open({ migrated: false });
    oidc = await startOidc();
    await start();
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    world = await createWorld(String(service.url), apiKey);
    const org = await ok(
      world.platform.post('/v1/admin/orgs', { name: 'intruder', bootstrapAdmin: true }),
    );
    intruder = {
      orgId: String(org['id']),
      client: new Client(world.url, String(org['bootstrapKey'].apiKey)),
    };
  });
  afterAll(async () => {
    await service?.stop();
    await oidc?.close();
    await database?.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  const attack = async (scenario: Scenario[1]): Promise<Attack> => {
    const current = { ...world, url: String(service.url), platform: here(world.platform) };
    const prepared = await scenario({
      world: {
        ...current,
        admin: here(world.admin),
        anonymous: here(world.anonymous),
        principal: { ...world.principal, client: here(world.principal.client) },
      },
      thief: new Thief(database),
      intruder: { ...intruder, client: here(intruder.client) },
      oidc,
    });
    await prepared.edit();
    return prepared;
  };
  const judge = async ({ act, expected, after }: Attack): Promise<void> => {
    const { status, body } = await act(here);
    expect([status, body['reason'] ?? body['code']], JSON.stringify(body)).toEqual(expected);
    await after?.(here);
  };

  describe('nobody who runs and has read them before:', () => {
    it.each(SCENARIOS)('%s', async (_name, scenario) => {
      const prepared = await attack(scenario);
      await sleep(FORGOTTEN);
      await judge(prepared);
    });
  });

  describe('nobody who starts anew:', () => {
    const prepared = new Map<string, Attack>();
    beforeAll(async () => {
      for (const [what, scenario] of SCENARIOS) prepared.set(what, await attack(scenario));
      await restart();
    });
    it.each(SCENARIOS)('%s', (what) => judge(prepared.get(what)!));
  });

  it('while whoever was left alone goes on', async () => {
    await ok(here(world.principal.client).post('/v1/records', { type: 'note', criteria: {} }));
    await ok(mint(here(world.admin), world.principal.id));
  });
});

const SECRETS = {
  API_KEY_PEPPER: randomBytes(32).toString('base64'),
  SECRETS_KEY: randomBytes(32).toString('base64'),
  SIGNER_KEK: randomBytes(32).toString('base64'),
};
