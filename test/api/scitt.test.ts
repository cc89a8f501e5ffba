import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decode, type Tag } from 'cbor2';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { IntegrateEntries } from '../../application/transparency/integrate-entries.ts';
import { GENESIS_HASH } from '../../domain/vault/chain.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { checkInclusion } from '../support/vectors/independent-receipts.ts';
import { issuer, registerKey, statement, withTwin } from '../support/vectors/statements.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import {
  addAgent,
  createWorld,
  mintKey,
  ok,
  openDecided,
  type Body,
  type Client,
} from '../support/service/world.ts';

const ISSUER = 'https://issuer.example';
const ENTRIES = '/v1/scitt/entries';
const COSE = { 'content-type': 'application/cose' };
const CONCISE = 'application/concise-problem-details+cbor';

interface Bytes {
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

const send = async (
  { url, key }: Client,
  method: string,
  path: string,
  body?: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Bytes> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, bytes, headers: response.headers };
};

describe.each(quickDatabases())('the transparency log of an org on $name', (kind) => {
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });
  const ed = issuer('Ed25519');
  const ec = issuer('ES256');

  beforeAll(async () => {
    await rig.prepare();
    await rig.run(async (service) => {
      const { principal, admin } = rig.world;
      for (const key of [ed, ec])
        await registerKey(rig.at(service, admin), principal.id, key, [ISSUER]);
    });
  });
  afterAll(() => rig.end());

  const principal = (service: RunningService): Client =>
    rig.at(service, rig.world.principal.client);
  const post = (service: RunningService, body: Uint8Array, headers = {}): Promise<Bytes> =>
    send(principal(service), 'POST', ENTRIES, body, { ...COSE, ...headers });
  const spkiOf = async (service: RunningService): Promise<Uint8Array> => {
    const [key] = await service.container.get(TOKENS.vaultKeyReads).keys();
    return key!.publicKey;
  };

  it.each([
    ['Ed25519', ed],
    ['ES256', ec],
  ] as const)(
    'registers a statement by %s and gives a receipt that an independent verifier takes',
    (name, key) =>
      rig.run(async (service) => {
        const bytes = statement(key, { sub: name });
        const made = await post(service, bytes);
        expect(made.status).toBe(201);
        expect(made.headers.get('content-type')).toBe('application/cose');
        const seen = checkInclusion(made.bytes, bytes, await spkiOf(service));
        expect(seen).toMatchObject({
          iss: `urn:service:${service.vault.hubId}`,
          sub: `scitt:${rig.world.orgId}`,
          kid: service.vault.keyId,
        });
        const location = made.headers.get('location')!;
        expect(location).toBe(`${ENTRIES}/${toHex(leafHash(bytes))}`);

        const stored = await send(principal(service), 'GET', location);
        expect(stored.headers.get('content-type')).toBe('application/cose');
        const { tag, contents } = decode<Tag>(stored.bytes, { tags: new Map() });
        const [, unprotected] = contents as [Uint8Array, Map<number, Uint8Array[]>];
        expect(tag).toBe(18);
        const receipts = unprotected.get(394)!;
        expect(receipts).toHaveLength(1);
        checkInclusion(receipts[0]!, bytes, await spkiOf(service));
        const alone = await send(principal(service), 'GET', location, undefined, {
          accept: 'application/scitt-receipt+cose',
        });
        expect(alone.headers.get('content-type')).toBe('application/scitt-receipt+cose');
        checkInclusion(alone.bytes, bytes, await spkiOf(service));
      }),
  );

  it('answers the same statement again, under either ECDSA signature, with the entry that stands there', () =>
    rig.run(async (service) => {
      const bytes = statement(ec, { sub: 'again' });
      const twin = withTwin(bytes);
      const made = await post(service, bytes);
      const again = await post(service, twin);
      expect([made.status, again.status]).toEqual([201, 200]);
      expect(again.headers.get('location')).toBe(made.headers.get('location'));
      checkInclusion(again.bytes, bytes, await spkiOf(service));
      expect(() => checkInclusion(again.bytes, twin, new Uint8Array())).toThrow();
      const atOnce = statement(ec, { sub: 'at once' });
      const many = await Promise.all(Array.from({ length: 6 }, () => post(service, atOnce)));
      expect(many.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 201]);
    }));

  it('takes the keyId as kid, and high-s and low-s signatures', () =>
    rig.run(async (service) => {
      const kid = new TextEncoder().encode(ec.thumbprint.slice(0, 32));
      const one = statement(ec, { sub: 'low or high', kid });
      const other = withTwin(statement(ec, { sub: 'the other', kid }));
      expect((await post(service, one)).status).toBe(201);
      expect((await post(service, other)).status).toBe(201);
    }));

  it.each([
    [
      'an issuer that the key is not registered for',
      () => statement(ed, { iss: 'urn:other' }),
      'rejected',
    ],
    ['a key that nobody registered', () => statement(issuer('Ed25519')), 'rejected'],
    [
      'another algorithm than the key has',
      () => statement(ed, { alg: -7 }),
      'bad_signature_algorithm',
    ],
    ['a changed byte', () => changed(statement(ed)), 'rejected'],
    [
      'crit in the unprotected header',
      () => statement(ed, { unprotected: new Map([[2, [99]]]) }),
      'rejected',
    ],
    ['exp in the past', () => statement(ed, { claims: [[4, seconds() - 1]] }), 'rejected'],
    ['exp that is text', () => statement(ed, { claims: [[4, 'tomorrow']] }), 'rejected'],
    ['nbf in the future', () => statement(ed, { claims: [[5, seconds() + 600]] }), 'rejected'],
    ['no COSE', () => new Uint8Array([1]), 'malformed_request'],
    ['nothing', () => new Uint8Array(0), 'malformed_request'],
  ])('refuses a statement with %s, in JSON and in CBOR', (_what, make, reason) =>
    rig.run(async (service) => {
      const refused = await post(service, make());
      expect(refused.status).toBe(400);
      const problem = JSON.parse(Buffer.from(refused.bytes).toString()) as Body;
      expect(problem).toMatchObject({ code: 'VALIDATION_ERROR', reason });
      const concise = await post(service, make(), { accept: CONCISE });
      expect(concise.status).toBe(400);
      expect(concise.headers.get('content-type')).toBe(CONCISE);
      const told = decode<Map<number, string>>(concise.bytes, { preferMap: true });
      expect(told.get(-1)!.toLowerCase().replaceAll(' ', '_')).toBe(reason);
      expect(told.get(-2)).toBe(problem['detail']);
    }),
  );

  it('accepts a statement within its validity period, as application/scitt-statement+cose', () =>
    rig.run(async (service) => {
      const claims = [
        [4, seconds() + 600],
        [5, seconds() - 1],
      ] as const;
      const bytes = statement(ed, { sub: 'timely', claims });
      const type = { 'content-type': 'application/scitt-statement+cose' };
      expect((await post(service, bytes, type)).status).toBe(201);
    }));

  it('takes no other media type, no key of another org, and no platform key', () =>
    rig.run(async (service) => {
      const json = { 'content-type': 'application/json' };
      expect((await post(service, statement(ed), json)).status).toBe(415);
      const globex = await createWorld(
        String(service.url),
        String(rig.world.platform.key),
        `Globex ${kind.name}`,
      );
      const foreign = await send(globex.principal.client, 'POST', ENTRIES, statement(ed), COSE);
      expect(foreign.status).toBe(400);
      for (const path of ['/v1/scitt/checkpoint', '/v1/scitt/consistency?from=1']) {
        const refused = await rig.at(service, rig.world.platform).get(path);
        expect(refused).toMatchObject({ status: 403, body: { code: 'ORG_REQUIRED' } });
      }
      const made = await post(service, statement(ed, { sub: 'ours' }));
      const hidden = await send(globex.principal.client, 'GET', made.headers.get('location')!);
      expect(hidden.status).toBe(404);
    }));

  it('holds the chain entries of the org within seconds, each with a receipt', () =>
    rig.run(async (service) => {
      const record = await ok(
        principal(service).post('/v1/records', { type: 'note', criteria: { text: 'a note' } }),
      );
      const bytes = new Uint8Array(Buffer.from(record['signedStatement'].coseSign1, 'base64'));
      const path = `${ENTRIES}/${toHex(leafHash(bytes))}`;
      await expect.poll(async () => (await send(principal(service), 'GET', path)).status).toBe(200);
      const alone = await send(principal(service), 'GET', path, undefined, {
        accept: 'application/scitt-receipt+cose',
      });
      checkInclusion(alone.bytes, bytes, await spkiOf(service));
    }));

  it('shows an entry to the readers of its record, and a statement to its agent, and to no other agent of the org', () =>
    rig.run(async (service) => {
      const { world } = rig;
      const admin = rig.at(service, world.admin);
      const stranger = rig.at(service, (await addAgent(admin, world.orgId, 'stranger')).client);
      const bytes = statement(ed, { sub: 'for its own agent' });
      const registered = (await post(service, bytes)).headers.get('location')!;
      const note = { type: 'note', criteria: { of: 'the principal' } };
      const { id } = await ok(principal(service).post('/v1/records', note));
      await service.container.get(IntegrateEntries).run(new AbortController().signal);
      const [entry] = await service.container.get(TOKENS.chainReads).entries(String(id), 1, 1);
      const sealed = `${ENTRIES}/${toHex(leafHash(entry!.coseSign1))}`;
      for (const path of [registered, sealed])
        for (const accept of ['application/cose', 'application/scitt-receipt+cose'])
          expect(
            await Promise.all(
              [principal(service), admin, stranger].map(
                async (who) => (await send(who, 'GET', path, undefined, { accept })).status,
              ),
            ),
            `${path} ${accept}`,
          ).toEqual([200, 200, 404]);
    }));

  it('holds every entry of a record, the signals beside its steps too, and those of the schema chain', () =>
    rig.run(async (service) => {
      const at = <T extends { readonly client: Client }>(who: T): T => ({
        ...who,
        client: rig.at(service, who.client),
      });
      const { principal: buyer, performer: seller } = rig.world;
      const world = { ...rig.world, principal: at(buyer), performer: at(seller) };
      const { id } = await openDecided(world, 'accept');
      const entries = await service.container.get(TOKENS.chainReads).entries(id, 1, 100);
      const schema = await service.container
        .get(TOKENS.chainReads)
        .entries(`schema:${rig.world.orgId}`, 1, 100);
      expect(entries.map(({ entryType }) => entryType)).toContain('SIGNAL_EMITTED');
      expect(schema.length).toBeGreaterThan(0);
      await service.container.get(IntegrateEntries).run();
      const logs = service.container.get(TOKENS.statementLogReads);
      const chainKeys = [id, `schema:${rig.world.orgId}`];
      expect(await logs.unlogged(chainKeys)).toEqual([]);
      for (const { coseSign1, position, chainKey } of [...entries, ...schema])
        expect((await logs.leaf(`scitt:${rig.world.orgId}`, leafHash(coseSign1)))?.entry).toEqual({
          chainKey,
          position,
        });
    }));

  it('is told by a round of what nobody finds by the time of its change', async () => {
    rig.env = { ...rig.env, ROLE: 'api' };
    const note = await rig.run(async (service) => {
      await service.container.get(CheckpointRound).run();
      return ok(
        principal(service).post('/v1/records', { type: 'note', criteria: { text: 'late' } }),
      );
    });
    const id = String(note['id']).replaceAll('-', '');
    await rig.database.raw(`UPDATE records SET updated_at = 1 WHERE id = x'${id}'`);
    await rig.run(async (service) => {
      const logs = service.container.get(TOKENS.statementLogReads);
      await service.container.get(IntegrateEntries).run();
      expect(await logs.unlogged([String(note['id'])])).toHaveLength(1);
      await service.container.get(CheckpointRound).run();
      expect(await logs.unlogged([String(note['id'])])).toEqual([]);
    });
    await rig.database.raw(`UPDATE records SET updated_at = created_at WHERE id = x'${id}'`);
    rig.env = { CHECKPOINT_INTERVAL: '1440' };
  });

  it('takes over no entry that does not verify, and stops at no other', async () => {
    rig.env = { ...rig.env, ROLE: 'api' };
    const notes = await rig.run(async (service) => {
      const note = () =>
        ok(principal(service).post('/v1/records', { type: 'note', criteria: { text: 'n' } }));
      return [await note(), await note()];
    });
    const [broken, whole] = notes.map(({ id }) => String(id)) as [string, string];
    const [row] = await rig.database.raw(
      `SELECT cose_sign1 FROM chain_entries WHERE chain_key = '${broken}'`,
    );
    const genuine = Buffer.from(row!['cose_sign1'] as Uint8Array).toString('hex');
    const set = (hex: string): Promise<unknown> =>
      rig.database.raw(
        `UPDATE chain_entries SET cose_sign1 = x'${hex}' WHERE chain_key = '${broken}'`,
      );
    const last = genuine.endsWith('0') ? '1' : '0';
    await set(`${genuine.slice(0, -1)}${last}`);
    await rig.run(async (service) => {
      const logs = service.container.get(TOKENS.statementLogReads);
      await service.container.get(IntegrateEntries).run();
      expect(await logs.unlogged([broken, whole])).toMatchObject([
        { chainKey: broken, from: 1, to: 1 },
      ]);
      // It is told of once.
      expect(await service.container.get(IntegrateEntries).isNeeded()).toBe(false);
    });
    await set(genuine);
    rig.env = { CHECKPOINT_INTERVAL: '1440' };
  });

  it('keeps its answer under an Idempotency-Key, which takes no other statement', () =>
    rig.run(async (service) => {
      const once = { 'idempotency-key': 'a statement' };
      const bytes = statement(ed, { sub: 'once' });
      const made = await post(service, bytes, once);
      const again = await post(service, bytes, once);
      expect([made.status, again.status]).toEqual([201, 201]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.bytes).toEqual(made.bytes);
      expect((await post(service, statement(ed, { sub: 'other' }), once)).status).toBe(422);
    }));

  it('has its head signed in each round in which it grew, each of which begins with the one before', () =>
    rig.run(async (service) => {
      const round = service.container.get(CheckpointRound);
      const integrate = service.container.get(IntegrateEntries);
      await integrate.run();
      await round.run();
      const client = principal(service);
      const first = await ok(client.get('/v1/scitt/checkpoint'));
      expect((await round.run())!.covered).toBe(0);
      await post(service, statement(ed, { sub: 'makes it grow' }));
      await round.run();
      const second = await ok(client.get('/v1/scitt/checkpoint'));
      expect(second['treeSize']).toBe(first['treeSize'] + 1);
      const sealed = readEntry(new Uint8Array(Buffer.from(second['coseSign1'], 'base64')))!;
      expect(sealed.predicate).toMatchObject({
        chainKey: `schema:${rig.world.orgId}`,
        treeSize: second['treeSize'],
        treeRoot: second['rootHex'],
      });
      const query = `from=${first['treeSize']}&to=${second['treeSize']}`;
      const proof = await ok(client.get(`/v1/scitt/consistency?${query}`));
      expect(proof).toMatchObject({ fromRoot: first['rootHex'], toRoot: second['rootHex'] });
      expect((await client.get('/v1/scitt/consistency?from=99999')).status).toBe(400);
    }));

  it('of an org without record types is signed at position 0', () =>
    rig.run(async (service) => {
      const platform = rig.at(service, rig.world.platform);
      const org = await ok(platform.post('/v1/admin/orgs', { name: `Initech ${kind.name}` }));
      const agent = await ok(platform.post('/v1/admin/agents', { orgId: org['id'], name: 'solo' }));
      const { client } = await mintKey(platform, agent['id'], { role: 'admin' });
      const head = await ok(client.get('/v1/scitt/checkpoint'));
      const sealed = readEntry(new Uint8Array(Buffer.from(head['coseSign1'], 'base64')))!;
      expect(sealed.predicate).toMatchObject({
        position: 0,
        headHash: toHex(GENESIS_HASH),
        treeSize: 0,
      });
    }));

  it('signs nothing over nodes or leaves that were changed behind it', async () => {
    const log = `scitt:${rig.world.orgId}`;
    const location = await rig.run(async (service) => {
      await service.container.get(CheckpointRound).run();
      return (await post(service, statement(ed, { sub: 'before the edit' }))).headers.get(
        'location',
      )!;
    });
    await rig.database.raw('DROP TRIGGER scitt_leaves_no_update');
    const hash = location.split('/').at(-1)!;
    await rig.database.raw(
      `UPDATE scitt_leaves SET hash = x'${'00'.repeat(32)}' WHERE log_key = '${log}' AND hash = x'${hash}'`,
    );
    await rig.run(async (service) => {
      const refused = await post(service, statement(ed, { sub: 'after the edit' }));
      expect(refused.status).toBe(409);
      const result = await service.container.get(CheckpointRound).run();
      expect(result!.uncovered).toContainEqual({
        chainKey: `schema:${rig.world.orgId}`,
        finding: 'payload_drift',
      });
    });
    await rig.database.raw(
      `UPDATE scitt_leaves SET hash = x'${hash}' WHERE log_key = '${log}' AND hash = x'${'00'.repeat(32)}'`,
    );
    await rig.run(async (service) => {
      expect((await send(principal(service), 'GET', location)).status).toBe(200);
    });
  });

  it('keeps the key of a receipt at the well-known address until it is retired as compromised', () =>
    rig.run(async (service) => {
      const nobody = rig.at(service, rig.world.anonymous);
      const { keyId } = service.vault;
      const setOf = async (): Promise<readonly string[]> => {
        const { bytes, headers } = await send(nobody, 'GET', '/.well-known/scitt-keys');
        expect(headers.get('content-type')).toBe('application/cbor');
        return decode<Map<number, Uint8Array>[]>(bytes, { preferMap: true }).map((key) =>
          Buffer.from(key.get(2)!).toString(),
        );
      };
      const [current] = await setOf();
      expect(current).toBe(keyId);
      for (const kid of [keyId, Buffer.from(keyId).toString('base64url')]) {
        const { status, bytes } = await send(nobody, 'GET', `/.well-known/scitt-keys/${kid}`);
        expect(status).toBe(200);
        expect(decode<Map<number, unknown>>(bytes, { preferMap: true }).get(3)).toBe(-8);
      }
      const rotate = '/v1/admin/vault/signing-keys/rotate';
      const platform = rig.at(service, rig.world.platform);
      const next = await ok(platform.post(rotate, { reason: 'scheduled' }));
      expect(await setOf()).toEqual([next['newKeyId'], keyId]);
      await ok(platform.post(rotate, { reason: 'compromised' }));
      expect(await setOf()).not.toContain(next['newKeyId']);
      const gone = await send(nobody, 'GET', `/.well-known/scitt-keys/${next['newKeyId']}`);
      expect(gone.status).toBe(404);
    }));
});

const seconds = (): number => Math.floor(Date.now() / 1000);

/** One byte of the payload is another. */
const changed = (bytes: Uint8Array): Uint8Array => {
  const copy = bytes.slice();
  copy[copy.length - 67]! ^= 1;
  return copy;
};
