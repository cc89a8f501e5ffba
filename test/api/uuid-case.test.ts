import { describe, expect, it } from 'vitest';
import { ed25519Pair, possession } from '../support/clients/agent-keys.ts';
import { useApi } from '../support/service/api.ts';
import { readAndCovered } from '../support/stories/reads-checkpoint.ts';
import { until } from '../support/peers/receiver.ts';
import { exempt } from '../support/service/exemptions.ts';
import { scanned } from '../support/service/scans.ts';
import { Stranger } from '../support/hubs/stranger.ts';
import {
  addAgent,
  GOAL,
  mintKey,
  ok,
  openDecided,
  openJob,
  type Body,
} from '../support/service/world.ts';

const api = useApi();
const upper = (id: unknown): string => String(id).toUpperCase();
const UPPER_UUID = /[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}/;
/** Whether an answer shows an id in capitals; ids of digits alone are in both cases at once. */
const isLower = (body: Body): boolean =>
  (JSON.stringify(body).match(new RegExp(UPPER_UUID, 'g')) ?? []).every(
    (id) => id === id.toLowerCase(),
  );

describe('an id in capitals is the same id, and is written in lower case', () => {
  it('in every path', async () => {
    const { id, completionId } = await openDecided(api.world, 'accept');
    const dispute = await ok(api.world.principal.client.post(`/v1/records/${id}/dispute`));
    const { admin, principal, orgId, platform } = api.world;
    const issuer = await ok(
      platform.post('/v1/admin/trusted-issuers', {
        orgId: upper(orgId),
        issuerUrl: 'https://idp.example',
        expectedAudience: 'x',
      }),
    );
    expect(issuer['orgId']).toBe(orgId);
    const webhook = await ok(
      admin.post('/v1/webhooks', {
        url: 'https://receiver.example/hook',
        eventTypes: ['record.failed'],
      }),
    );
    const compliance = await ok(
      admin.post('/v1/compliance/exports', {
        from: '2020-01-01T00:00:00.000Z',
        to: '2100-01-01T00:00:00.000Z',
      }),
    );
    await until(async () => {
      const { state } = await ok(admin.get(`/v1/compliance/exports/${String(compliance['id'])}`));
      return state === 'completed';
    });
    const checkpoint = await readAndCovered(api);
    const scan = await scanned(platform);
    const peer = new Stranger();
    await ok(platform.post('/v1/admin/federation/peers', peer.registration));
    await ok(exempt(platform, principal.id));
    const values: Record<string, string> = {
      id,
      recordId: id,
      completionId,
      disputeId: String(dispute['id']),
      agentId: principal.id,
      ownerId: principal.id,
      jobId: String(scan['jobId']),
      hubId: peer.hubId,
    };
    const { paths } = await ok(api.world.anonymous.get('/docs/openapi.json'));
    const found = Object.entries(paths as Body)
      // The ids of an entry of a log and of a key are hashes, and no UUIDs.
      .filter(([path, methods]) => 'get' in methods && /\{(?!entryId|kid)\w*[iI]d\}/.test(path))
      .map(([path]) => path);
    expect(found.length).toBeGreaterThan(8);
    for (const path of found) {
      const [lowerPath, upperPath] = [String, upper].map((spell) =>
        path
          .replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
            spell(
              path.includes('trusted-issuers')
                ? issuer['id']
                : path.startsWith('/v1/webhooks/')
                  ? webhook['id']
                  : path.startsWith('/v1/compliance/')
                    ? compliance['id']
                    : path.includes('/checkpoints/')
                      ? checkpoint['id']
                      : values[name],
            ),
          )
          .replace(/\/proof$/, '/proof?leaf=0'),
      );
      const client = /trusted-issuers|vault\/scan|federation|exemptions/.test(path)
        ? platform
        : admin;
      const [expected, answer] = [await client.get(lowerPath!), await client.get(upperPath!)];
      expect({ path, status: answer.status, isLower: isLower(answer.body) }).toEqual({
        path,
        status: expected.status,
        isLower: true,
      });
      expect(expected.status).toBe(200);
    }
  });

  it('in every filter of a listing', async () => {
    const { admin, platform, principal, performer, orgId } = api.world;
    const record = await openJob(api.world);
    const { keyId } = await mintKey(admin, principal.id, {});
    const found = async (path: string, client = admin): Promise<unknown[]> =>
      (await ok(client.get(path)))['data'] as unknown[];
    for (const [name, value] of [
      ['principalAgentId', principal.id],
      ['performerAgentId', performer.id],
      ['rootRecordId', record['id']],
      ['q', record['id']],
      ['q', String(record['id']).slice(0, 13)],
    ] as const) {
      const path = `/v1/records?limit=200&${name}=`;
      const expected = await found(`${path}${String(value)}`);
      expect(expected.length, name).toBeGreaterThan(0);
      expect(await found(`${path}${upper(value)}`), name).toEqual(expected);
    }
    expect(await found(`/v1/admin/agents?orgId=${upper(orgId)}`, platform)).toEqual(
      await found(`/v1/admin/agents?orgId=${orgId}`, platform),
    );
    const keys = (await found(`/v1/admin/api-keys?ownerId=${upper(principal.id)}`)) as Body[];
    expect(keys.map((key) => key['keyId'])).toContain(keyId);
  });

  it('in bodies, also among those that repeat it in the other case', async () => {
    const { admin, principal, performer, orgId } = api.world;
    const agent = await ok(admin.post('/v1/admin/agents', { name: 'upper', orgId: upper(orgId) }));
    expect(agent['orgId']).toBe(orgId);
    const { keyId } = await mintKey(admin, upper(agent['id']), {});
    const other = await mintKey(admin, String(agent['id']), {});
    const record = await ok(
      admin.post('/v1/records', {
        type: 'job',
        criteria: GOAL,
        principalAgentId: upper(principal.id),
        performerAgentId: upper(performer.id),
        autoActivate: true,
      }),
    );
    expect([record['principalAgentId'], record['performerAgentId']]).toEqual([
      principal.id,
      performer.id,
    ]);
    const bulk = await ok(
      performer.client.post('/v1/records/bulk', [
        { type: 'job', criteria: GOAL, parentRecordId: upper(record['id']) },
      ]),
    );
    expect(isLower(bulk)).toBe(true);
    const swept = await ok(
      admin.post('/v1/admin/api-keys/bulk-revoke', {
        keyIds: [upper(keyId), keyId, upper(other.keyId)],
      }),
    );
    expect([swept['revoked'], swept['keyIds']]).toEqual([2, [keyId, other.keyId]]);
  });

  it('in what is repeated under an Idempotency-Key', async () => {
    const { admin, principal } = api.world;
    const send = (principalAgentId: string) =>
      admin.post(
        '/v1/records',
        { type: 'note', criteria: {}, principalAgentId },
        { 'idempotency-key': 'either-case' },
      );
    const first = await send(principal.id);
    const again = await send(upper(principal.id));
    expect([again.status, again.body['id'], again.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.body['id'],
      'true',
    ]);
  });

  it('in the path under which a key is registered: what is signed names it in lower case', async () => {
    const agent = await addAgent(api.world.admin, api.world.orgId, 'prover');
    const pair = ed25519Pair();
    const add = (id: string) =>
      api.world.admin.post(`/v1/agents/${upper(agent.id)}/signing-keys`, {
        publicKeyJwk: pair.jwk,
        proofOfPossession: pair.sign(possession(id, pair.thumbprint)).toString('base64'),
      });
    const refused = await add(upper(agent.id));
    expect([refused.status, refused.body['detail']]).toEqual([
      422,
      expect.stringContaining(`for the agent ${agent.id}`),
    ]);
    expect((await add(agent.id)).status).toBe(201);
  });
});
