import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashJson } from '../../../domain/kernel/digest.ts';
import { manifestDigest, type Manifest } from '../../../domain/record-type/manifest.ts';
import { PLATFORM_CHAIN, schemaChain } from '../../../domain/vault/chain-key.ts';
import { ServiceProcess } from '../../support/service/service-process.ts';
import {
  Client,
  JOB_TYPE,
  addAgent,
  createWorld,
  ok,
  openJob,
  type Answer,
  type Body,
  type World,
} from '../../support/service/world.ts';

/** Longer than a row is remembered anywhere. */
const FORGOTTEN = 1100;

type Value = string | number | null | Uint8Array;
interface Party {
  readonly id: string;
  readonly client: Client;
}

/** What a scenario has at hand: the world, one record, and the database as somebody else's connection sees it. */
interface Scene {
  readonly world: World;
  readonly intruder: Party;
  readonly record: Body;
  readonly completions: readonly string[];
  readonly sql: (text: string, ...values: readonly Value[]) => void;
  readonly one: (text: string, ...values: readonly Value[]) => Record<string, any>;
}

interface Scenario {
  readonly name: string;
  readonly prepare: (world: World) => Promise<{ record: Body; completions: readonly string[] }>;
  readonly edit: (scene: Scene) => void;
  readonly act: (scene: Scene) => Promise<Answer<Body>>;
  /** The code and the reason of the refusal; left out: that of drift. */
  readonly refusal?: readonly [code: string, reason: string];
}

const DRIFT = ['CONFLICT', 'payload_drift'] as const;
/** The chain ends before a checkpoint saw it end. */
const REWIND = ['CHAIN_REWIND_DETECTED', 'CHAIN_REWIND_DETECTED'] as const;

const bytes = (id: unknown): Uint8Array => Buffer.from(String(id).replaceAll('-', ''), 'hex');
const binary = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

const open = async (world: World, type = 'job'): Promise<Body> =>
  ok(
    world.principal.client.post('/v1/records', {
      type,
      criteria: { goal: 'g', threshold: 5 },
      performerAgentId: world.performer.id,
      autoActivate: true,
    }),
  );
const deliver = async (world: World, record: Body, score = 1): Promise<string> =>
  String(
    (
      await ok(
        world.performer.client.post(`/v1/records/${record['id']}/completions`, {
          evidence: { score },
        }),
      )
    )['id'],
  );

const active = async (world: World): ReturnType<Scenario['prepare']> => ({
  record: await open(world),
  completions: [],
});
const pending = async (world: World): ReturnType<Scenario['prepare']> => {
  const record = await open(world);
  return { record, completions: [await deliver(world, record)] };
};
const revised = async (world: World): ReturnType<Scenario['prepare']> => {
  const record = await open(world);
  const first = await deliver(world, record, 1);
  await ok(world.principal.client.post(`/v1/records/${record['id']}/revision`, {}));
  return { record, completions: [first, await deliver(world, record, 9)] };
};
const ended =
  (action: 'accept' | 'reject' | 'cancel') =>
  async (world: World): ReturnType<Scenario['prepare']> => {
    const { record, completions } = await pending(world);
    if (action === 'cancel')
      await ok(world.principal.client.post(`/v1/records/${record['id']}/cancel`, {}));
    else
      await ok(
        world.principal.client.post(`/v1/records/${record['id']}/verdict`, {
          verdict: action,
          completionId: completions[0],
        }),
      );
    return { record, completions };
  };

const judge =
  (verdict: 'accept' | 'reject', which = 0) =>
  ({ world, record, completions }: Scene): Promise<Answer<Body>> =>
    world.principal.client.post(`/v1/records/${record['id']}/verdict`, {
      verdict,
      completionId: completions[which],
    });
const submit = ({ world, record }: Scene): Promise<Answer<Body>> =>
  world.performer.client.post(`/v1/records/${record['id']}/completions`, {
    evidence: { score: 9 },
  });
const cancel = ({ world, record }: Scene): Promise<Answer<Body>> =>
  world.principal.client.post(`/v1/records/${record['id']}/cancel`, {});

const set =
  (columns: string, values: (scene: Scene) => readonly Value[]) =>
  (scene: Scene): void =>
    scene.sql(
      `UPDATE records SET ${columns} WHERE id = ?`,
      ...values(scene),
      bytes(scene.record['id']),
    );

const LOWERED = { goal: 'g', threshold: 0 };
const BETTER = { score: 10 };
const weakened = (manifest: Manifest): Manifest => ({
  ...manifest,
  gates: manifest.gates.map((gate) => ({ ...gate, expression: 'true' })),
});

/** In each, whoever has the password of the database changes a row, and then a call would have it sealed. */
const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a fulfilled record set back to one that waits for its verdict',
    prepare: ended('accept'),
    edit: set(
      "status = 'ACTIVE', completion_pending = 1, terminal_at = NULL, awaiting = 'principal'",
      () => [],
    ),
    act: judge('reject'),
  },
  {
    name: 'a cancelled record set back to active',
    prepare: ended('cancel'),
    edit: set("status = 'ACTIVE', completion_pending = 0, terminal_at = NULL", () => []),
    act: submit,
  },
  {
    name: 'an active record set to failed',
    prepare: pending,
    edit: set("status = 'FAILED'", () => []),
    act: judge('accept'),
  },
  {
    name: 'criteria changed',
    prepare: active,
    edit: set('criteria = ?', () => [JSON.stringify(LOWERED)]),
    act: submit,
  },
  {
    name: 'criteria changed together with their hash',
    prepare: active,
    edit: set('criteria = ?, criteria_hash = ?', () => [
      JSON.stringify(LOWERED),
      binary(hashJson(LOWERED)),
    ]),
    act: submit,
  },
  {
    name: 'the hash of the criteria changed',
    prepare: active,
    edit: set('criteria_hash = ?', () => [randomBytes(32)]),
    act: cancel,
  },
  {
    name: 'the evidence of a pending completion changed',
    prepare: pending,
    edit: ({ sql, completions }) =>
      sql(
        'UPDATE completions SET evidence = ? WHERE id = ?',
        JSON.stringify(BETTER),
        bytes(completions[0]),
      ),
    act: judge('accept'),
  },
  {
    name: 'the evidence of a pending completion changed together with every hash of it',
    prepare: pending,
    edit: ({ sql, completions, record }) => {
      const hash = binary(hashJson(BETTER));
      sql(
        'UPDATE completions SET evidence = ?, evidence_hash = ? WHERE id = ?',
        JSON.stringify(BETTER),
        hash,
        bytes(completions[0]),
      );
      sql('UPDATE records SET latest_evidence_hash = ? WHERE id = ?', hash, bytes(record['id']));
    },
    act: judge('accept'),
  },
  {
    name: 'the completion of a pending one deleted',
    prepare: pending,
    edit: ({ sql, completions }) =>
      sql('DELETE FROM completions WHERE id = ?', bytes(completions[0])),
    act: judge('accept'),
  },
  {
    name: 'the latest completion set back to an earlier one',
    prepare: revised,
    edit: ({ sql, one, completions, record }) =>
      sql(
        'UPDATE records SET latest_completion_id = ?, latest_evidence_hash = ? WHERE id = ?',
        bytes(completions[0]),
        one('SELECT evidence_hash FROM completions WHERE id = ?', bytes(completions[0]))[
          'evidence_hash'
        ] as Uint8Array,
        bytes(record['id']),
      ),
    act: judge('accept', 0),
  },
  {
    name: 'a stranger made the performer',
    prepare: active,
    edit: set('performer_agent_id = ?', ({ intruder }) => [bytes(intruder.id)]),
    act: ({ intruder, record }) =>
      intruder.client.post(`/v1/records/${record['id']}/completions`, { evidence: { score: 9 } }),
  },
  {
    name: 'a stranger made the principal',
    prepare: pending,
    edit: set('principal_agent_id = ?', ({ intruder }) => [bytes(intruder.id)]),
    act: ({ intruder, record, completions }) =>
      intruder.client.post(`/v1/records/${record['id']}/verdict`, {
        verdict: 'accept',
        completionId: completions[0],
      }),
  },
  {
    name: 'the org of the record changed',
    prepare: active,
    edit: set('org_id = ?', () => [randomBytes(16)]),
    act: submit,
  },
  {
    name: 'a record of which the principal decides made one that its gates decide',
    prepare: pending,
    edit: set("gate_mode = 'auto'", () => []),
    act: ({ world, record }) =>
      world.principal.client.post(`/v1/records/${record['id']}/transition`, { action: 'evaluate' }),
  },
  {
    name: 'a pending completion made to look judged',
    prepare: pending,
    edit: set("completion_pending = 0, awaiting = 'performer'", () => []),
    act: submit,
  },
  {
    name: 'another manifest pinned, with its right digest',
    prepare: active,
    edit: ({ sql, one, record }) => {
      const other = one(
        "SELECT type_version, manifest_digest FROM records WHERE type = 'auto-job' LIMIT 1",
      );
      sql(
        "UPDATE records SET type = 'auto-job', type_version = ?, manifest_digest = ?, gate_mode = 'auto' WHERE id = ?",
        other['type_version'] as number,
        other['manifest_digest'] as Uint8Array,
        bytes(record['id']),
      );
    },
    act: submit,
  },
  {
    name: 'the head of the chain given another hash',
    prepare: active,
    edit: ({ sql, record }) =>
      sql(
        'UPDATE chain_heads SET hash = ? WHERE chain_key = ?',
        randomBytes(32),
        String(record['id']),
      ),
    act: cancel,
  },
  {
    name: 'the head of the chain moved to a position that does not exist',
    prepare: active,
    edit: ({ sql, record }) =>
      sql('UPDATE chain_heads SET position = 7 WHERE chain_key = ?', String(record['id'])),
    act: cancel,
  },
  {
    name: 'the head of another chain put in the place of this one',
    prepare: active,
    edit: ({ sql, one, record }) =>
      sql(
        'UPDATE chain_heads SET hash = ? WHERE chain_key = ?',
        one('SELECT hash FROM chain_heads WHERE chain_key = ?', PLATFORM_CHAIN)[
          'hash'
        ] as Uint8Array,
        String(record['id']),
      ),
    act: cancel,
  },
  {
    name: 'record and head set back together to an earlier entry',
    prepare: pending,
    edit: ({ sql, one, record }) => {
      const first = one(
        'SELECT hash, at FROM chain_entries WHERE chain_key = ? AND position = 1',
        String(record['id']),
      );
      sql(
        'UPDATE chain_heads SET position = 1, hash = ?, at = ? WHERE chain_key = ?',
        first['hash'] as Uint8Array,
        first['at'] as number,
        String(record['id']),
      );
      sql(
        "UPDATE records SET latest_completion_id = NULL, latest_evidence_hash = NULL, completion_pending = 0, awaiting = 'performer', version = 1 WHERE id = ?",
        bytes(record['id']),
      );
    },
    act: cancel,
    refusal: REWIND,
  },
  {
    name: 'the time of the head moved into the future',
    prepare: active,
    edit: ({ sql, record }) =>
      sql(
        'UPDATE chain_heads SET at = at + 315360000000 WHERE chain_key = ?',
        String(record['id']),
      ),
    act: cancel,
  },
  {
    name: 'the head of the chain deleted',
    prepare: active,
    edit: ({ sql, record }) =>
      sql('DELETE FROM chain_heads WHERE chain_key = ?', String(record['id'])),
    act: cancel,
  },
];

describe.each([
  { what: 'a service that wrote the chains itself', restart: false },
  { what: 'a service that finds the chains as they are stored', restart: true },
])('$what signs nothing on top of', ({ restart }) => {
  const service = new ServiceProcess();
  let database: InstanceType<typeof DatabaseSync>;
  let world: World;
  let intruder: Party;
  const scenes = new Map<string, Scene>();

  beforeAll(async () => {
    const { apiKey } = await service.bootstrap();
    await service.start();
    world = await createWorld(service.url, apiKey);
    intruder = await addAgent(world.admin, world.orgId, 'intruder');
    await open(world, 'auto-job');
    const prepared = [];
    for (const { name, prepare, refusal } of SCENARIOS)
      prepared.push({ name, refusal, ...(await prepare(world)) });
    // Their checkpoints: of a record whose end one has to have seen, whenever the first round of them was.
    for (const { record, refusal } of prepared)
      if (refusal === REWIND)
        await ok(world.platform.get(`/v1/records/${record['id']}/audit-export`));
    if (restart) {
      await service.stop();
      await service.start();
      const here = (client: Client): Client => new Client(service.url, client.key);
      world = {
        ...world,
        url: service.url,
        platform: here(world.platform),
        admin: here(world.admin),
        principal: { ...world.principal, client: here(world.principal.client) },
        performer: { ...world.performer, client: here(world.performer.client) },
      };
      intruder = { ...intruder, client: here(intruder.client) };
    }
    database = new DatabaseSync(join(service.directory, 'data', 'notary.sqlite'), {
      timeout: 60_000,
      enableForeignKeyConstraints: false,
    });
    for (const { name, record, completions } of prepared)
      scenes.set(name, { world, intruder, record, completions, sql, one });
    // The first round of checkpoints has to be over; the next one is an hour away.
    const rounds = 'SELECT COUNT(*) AS n FROM vault_checkpoints WHERE chain_key = ?';
    while (one(rounds, PLATFORM_CHAIN)['n'] === 0)
      await new Promise((resolve) => setTimeout(resolve, 200));
  });
  afterAll(async () => {
    database?.close();
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
  });

  const sql = (text: string, ...values: readonly Value[]): void =>
    expect(database.prepare(text).run(...values).changes, text).toBeGreaterThan(0);
  const one = (text: string, ...values: readonly Value[]): Record<string, any> =>
    database.prepare(text).get(...values) as Record<string, any>;
  // That a key was used is told in passing, some time after it was.
  const signed = (): unknown => [
    one('SELECT COUNT(*) AS entries FROM chain_entries')['entries'],
    one(
      "SELECT COUNT(*) AS events FROM outbox WHERE type NOT IN ('key.used', 'vault.rewind_detected')",
    )['events'],
    one('SELECT COUNT(*) AS checkpoints FROM vault_checkpoints')['checkpoints'],
  ];

  /** A call is refused because of what is stored, and leaves nothing behind. */
  const refused = async (
    call: () => Promise<Answer<Body>>,
    refusal: NonNullable<Scenario['refusal']> = DRIFT,
  ): Promise<void> => {
    const before = signed();
    const { status, body } = await call();
    expect(
      [status, body['code'], body['reason']],
      String(body['detail'] ?? 'it was carried out'),
    ).toEqual([409, ...refusal]);
    expect(signed()).toEqual(before);
  };

  it.each(SCENARIOS)('$name', async ({ name, edit, act, refusal }) => {
    const scene = scenes.get(name)!;
    edit(scene);
    await refused(() => act(scene), refusal);
  });

  it('an edited record whose time is out: it cannot expire, and the rest of the page is shown all the same', async () => {
    // Edited before its time is out, on a slow machine as well; the other one ends after it.
    const short = { ttlSeconds: 4 };
    const edited = await openJob(world, short);
    sql('UPDATE records SET criteria = ? WHERE id = ?', '{"goal":"another"}', bytes(edited['id']));
    const genuine = await openJob(world, short);
    const shown = async (): Promise<unknown[]> => {
      const { status, body } = await world.principal.client.get('/v1/records?limit=200');
      expect(status).toBe(200);
      const found = new Map((body['data'] as Body[]).map((row) => [row['id'], row['status']]));
      return [found.get(edited['id']), found.get(genuine['id'])];
    };
    await expect.poll(shown, { interval: 250 }).toEqual(['ACTIVE', 'EXPIRED']);
  });

  it('an edited manifest, with or without its digest', async () => {
    const { record } = await active(world);
    const row = one("SELECT manifest, manifest_digest FROM record_types WHERE type = 'job'");
    const manifest = JSON.parse(String(row['manifest'])) as Manifest;
    const edited = weakened(manifest);
    const scene = { world, intruder, record, completions: [], sql, one };
    try {
      sql("UPDATE record_types SET manifest = ? WHERE type = 'job'", JSON.stringify(edited));
      await sleep(FORGOTTEN);
      await refused(() => submit(scene));
      sql(
        "UPDATE record_types SET manifest_digest = ? WHERE type = 'job'",
        binary(manifestDigest(edited)),
      );
      await sleep(FORGOTTEN);
      await refused(() => submit(scene));
      sql(
        'UPDATE records SET manifest_digest = ? WHERE id = ?',
        binary(manifestDigest(edited)),
        bytes(record['id']),
      );
      await refused(() => submit(scene));
    } finally {
      sql(
        "UPDATE record_types SET manifest = ?, manifest_digest = ? WHERE type = 'job'",
        row['manifest'] as string,
        row['manifest_digest'] as Uint8Array,
      );
      await sleep(FORGOTTEN);
    }
  });

  it('an edited manifest, when a new record would be sealed under it', async () => {
    const row = one("SELECT manifest FROM record_types WHERE type = 'job'");
    try {
      sql(
        "UPDATE record_types SET manifest = ? WHERE type = 'job'",
        JSON.stringify(weakened(JSON.parse(String(row['manifest'])) as Manifest)),
      );
      await sleep(FORGOTTEN);
      await refused(() =>
        world.principal.client.post('/v1/records', { type: 'job', criteria: { goal: 'g' } }),
      );
    } finally {
      sql("UPDATE record_types SET manifest = ? WHERE type = 'job'", row['manifest'] as string);
      await sleep(FORGOTTEN);
    }
  });

  it.each<[string, () => string, () => Promise<Answer<Body>>]>([
    [
      'platform',
      () => PLATFORM_CHAIN,
      () => world.admin.post('/v1/admin/agents', { name: 'late', orgId: world.orgId }),
    ],
    [
      'schema',
      () => schemaChain(world.orgId),
      () => world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'late' }),
    ],
  ])('an edited head of the %s chain', async (name, chainKey, act) => {
    const head = one('SELECT position, hash FROM chain_heads WHERE chain_key = ?', chainKey());
    try {
      sql('UPDATE chain_heads SET hash = ? WHERE chain_key = ?', randomBytes(32), chainKey());
      await refused(act);
      const earlier = one(
        'SELECT position, hash FROM chain_entries WHERE chain_key = ? AND position = ?',
        chainKey(),
        (head['position'] as number) - 1,
      );
      sql(
        'UPDATE chain_heads SET position = ?, hash = ? WHERE chain_key = ?',
        earlier['position'] as number,
        earlier['hash'] as Uint8Array,
        chainKey(),
      );
      // What ends a rewind is sealed on the platform chain, so that one is refused by its entries.
      await refused(act, name === 'platform' ? DRIFT : REWIND);
    } finally {
      sql(
        'UPDATE chain_heads SET position = ?, hash = ? WHERE chain_key = ?',
        head['position'] as number,
        head['hash'] as Uint8Array,
        chainKey(),
      );
    }
    // A head that stood before its checkpoint also looks like an older database, until an operator says that it is none.
    await ok(world.platform.post('/v1/admin/vault/rewind/acknowledge'));
    expect((await act()).status).toBe(201);
  });

  it('an edited API key: it opens nothing at all', async () => {
    const [platformRow, adminRow] = [
      one("SELECT * FROM api_keys WHERE role = 'platform'"),
      one("SELECT * FROM api_keys WHERE role = 'admin'"),
    ];
    const fresh = async (
      mint: Body = {},
    ): Promise<{ client: Client; id: Uint8Array; keyHash: Uint8Array }> => {
      const minted = await ok(
        world.admin.post('/v1/admin/api-keys', {
          role: 'agent',
          ownerType: 'agent',
          ownerId: intruder.id,
          scopeProfile: 'agent-readonly',
          ...mint,
        }),
      );
      const id = bytes(minted['keyId']);
      return {
        client: new Client(service.url, minted['apiKey'] as string),
        id,
        keyHash: one('SELECT key_hash FROM api_keys WHERE id = ?', id)['key_hash'] as Uint8Array,
      };
    };
    type Edit = readonly [string, (key: { id: Uint8Array; keyHash: Uint8Array }) => void];
    const edits: readonly Edit[] = [
      [
        'its role',
        ({ id }) =>
          sql(
            "UPDATE api_keys SET role = 'platform', scopes = ?, org_id = NULL WHERE id = ?",
            platformRow['scopes'] as string,
            id,
          ),
      ],
      ['its role alone', ({ id }) => sql("UPDATE api_keys SET role = 'admin' WHERE id = ?", id)],
      [
        'its scopes',
        ({ id }) =>
          sql('UPDATE api_keys SET scopes = ? WHERE id = ?', adminRow['scopes'] as string, id),
      ],
      [
        'its owner',
        ({ id }) =>
          sql('UPDATE api_keys SET owner_id = ? WHERE id = ?', bytes(world.principal.id), id),
      ],
      [
        'its org',
        ({ id }) => sql('UPDATE api_keys SET org_id = ? WHERE id = ?', randomBytes(16), id),
      ],
      [
        'its addresses',
        ({ id }) => sql('UPDATE api_keys SET allowed_ips = ? WHERE id = ?', '["127.0.0.1/32"]', id),
      ],
      [
        'its expiry',
        ({ id }) =>
          sql('UPDATE api_keys SET expires_at = ? WHERE id = ?', Date.now() + 86_400_000, id),
      ],
    ];
    // Both need the row of the one platform key, so they come one after the other.
    const swaps: readonly Edit[] = [
      [
        'the row of its hash',
        ({ id, keyHash }) => {
          sql('UPDATE api_keys SET key_hash = ? WHERE id = ?', randomBytes(32), id);
          sql(
            'UPDATE api_keys SET key_hash = ? WHERE id = ?',
            keyHash,
            platformRow['id'] as Uint8Array,
          );
        },
      ],
      [
        'the row of its hash, with the code of the row',
        ({ id, keyHash }) => {
          const { row_mac: mac } = one('SELECT row_mac FROM api_keys WHERE id = ?', id);
          sql(
            'UPDATE api_keys SET key_hash = ?, row_mac = ? WHERE id = ?',
            randomBytes(32),
            randomBytes(32),
            id,
          );
          sql(
            'UPDATE api_keys SET key_hash = ?, row_mac = ? WHERE id = ?',
            keyHash,
            mac as Uint8Array,
            platformRow['id'] as Uint8Array,
          );
        },
      ],
    ];
    try {
      for (const together of [edits, ...swaps.map((swap) => [swap])]) {
        const keys = [];
        for (const [what, edit] of together) keys.push({ what, edit, ...(await fresh()) });
        for (const { what, client } of keys)
          expect((await client.get('/v1/auth/me')).status, what).toBe(200);
        const before = signed();
        for (const { edit, ...key } of keys) edit(key);
        await sleep(FORGOTTEN);
        for (const { what, client } of keys) {
          const { status, body } = await client.post('/v1/admin/orgs', { name: 'mine' });
          expect([status, body['code'], body['detail']], what).toEqual([
            401,
            'UNAUTHORIZED',
            'Invalid or inactive API key',
          ]);
          expect((await client.get('/v1/auth/me')).status, what).toBe(401);
          expect(signed(), what).toEqual(before);
        }
      }
    } finally {
      sql(
        'UPDATE api_keys SET key_hash = ?, row_mac = ? WHERE id = ?',
        platformRow['key_hash'] as Uint8Array,
        platformRow['row_mac'] as Uint8Array,
        platformRow['id'] as Uint8Array,
      );
    }
    await sleep(FORGOTTEN);
    expect((await world.platform.get('/v1/auth/me')).status).toBe(200);
  });

  it.each(['chain_entries', 'vault_checkpoints', 'vault_key_statements'])(
    'and the database itself refuses UPDATE and DELETE on %s',
    (table) => {
      const rows = database.prepare(`SELECT * FROM ${table}`).all();
      expect(rows.length).toBeGreaterThan(0);
      expect(() => database.exec(`UPDATE ${table} SET cose_sign1 = x'00'`)).toThrow(
        `${table} is append-only`,
      );
      expect(() => database.exec(`DELETE FROM ${table}`)).toThrow(`${table} is append-only`);
      expect(database.prepare(`SELECT * FROM ${table}`).all()).toEqual(rows);
    },
  );

  it('while records that nobody touched go on as before', async () => {
    const { record, completions } = await pending(world);
    expect(
      (await judge('accept')({ world, intruder, record, completions, sql, one })).body,
    ).toMatchObject({ status: 'FULFILLED' });
  });
});
