import { describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { recordChain } from '../../domain/vault/chain-key.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { expectProblem, HEX_256, NOBODY, TIMESTAMP } from '../support/stories/problems.ts';
import {
  addAgent,
  deliver,
  mintKey,
  ok,
  openDecided,
  openDelivered,
  openJob,
  type Body,
} from '../support/service/world.ts';

const api = useApi();
const principal = () => api.world.principal.client;
const exportOf = (id: unknown, query = '?evidence=true'): Promise<Body> =>
  ok(principal().get(`/v1/records/${String(id)}/audit-export${query}`));
/** As many as the keys of the world may have under way. */
const atOnce = (id: unknown): Promise<Body[]> => {
  const { principal: one, performer, admin, platform } = api.world;
  const clients = [one.client, performer.client, admin, platform];
  const path = `/v1/records/${String(id)}/audit-export?evidence=true`;
  return Promise.all([...clients, ...clients].map((client) => ok(client.get(path))));
};
const verify = (document: Body, sha256Hex = api.fingerprint) =>
  verifyAuditExport(JSON.stringify(document), {
    trust: trustOf({ kind: 'fingerprint', sha256Hex }),
  });

describe('an export', () => {
  it('200: every member of the format, and each entry with its bytes and its statement', async () => {
    const { id, completionId } = await openDecided(api.world, 'accept');
    const answer = await principal().get(`/v1/records/${id}/audit-export?evidence=true`);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const { body } = answer;
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining([
        'formatVersion',
        'canonicalization',
        'exportedAt',
        'service',
        'record',
        'parties',
        'chain',
        'keys',
        'keyStatements',
        'checkpoint',
        'checkpoints',
        'verificationGuide',
      ]),
    );
    expect(body).toMatchObject({
      formatVersion: '1.0',
      canonicalization: 'jcs',
      exportedAt: expect.stringMatching(TIMESTAMP),
      service: {
        baseUrl: expect.any(String),
        hubId: expect.any(String),
        version: expect.any(String),
      },
      record: { id, status: 'FULFILLED' },
    });
    expect(body['verificationGuide']).toMatchObject({
      summary: expect.any(String),
      steps: expect.any(Array),
      evidenceBinding: expect.any(String),
      commands: expect.any(Array),
      verifier: expect.stringMatching(
        /package notary-service, version \d+\.\d+\.\d+ .*no package registry/,
      ),
    });
    const { chainKey, head, entries } = body['chain'];
    expect({ chainKey, position: head.position, hash: head.hash }).toEqual({
      chainKey: id,
      position: 4,
      hash: entries[3].hash,
    });
    expect((entries as Body[]).map((entry) => entry['position'])).toEqual([1, 2, 3, 4]);
    for (const entry of entries as Body[])
      expect(Object.keys(entry)).toEqual(
        expect.arrayContaining([
          'position',
          'entryType',
          'hash',
          'previousHash',
          'signingKeyId',
          'algorithm',
          'createdAt',
          'coseSign1',
          'statement',
        ]),
      );
    expect(entries[2].statement.predicate).toMatchObject({ completionId, verdict: 'accept' });
    expect(body['checkpoint']).toMatchObject({
      chainKey: id,
      position: 4,
      headHash: head.hash,
      chainKind: 'record',
    });
    expect(body['keys'][0]).toMatchObject({
      status: 'active',
      algorithm: 'Ed25519',
      coseAlgorithm: -8,
    });
  });

  it('names the parties as they are called, in their order, and an agent on both sides once', async () => {
    const { admin, principal: one, performer: other } = api.world;
    const [orgs, ...agents] = await Promise.all([
      ok(api.world.platform.get('/v1/admin/orgs')),
      ...[one.id, other.id].map((id) => ok(admin.get(`/v1/agents/${id}`))),
    ]);
    const named = agents.map(({ id, orgId, name }) => ({
      agentId: id,
      orgId,
      name,
      orgName: (orgs['data'] as Body[]).find((org) => org['id'] === orgId)!['name'],
    }));
    expect((await exportOf((await openDecided(api.world, 'accept')).id))['parties']).toEqual(named);
    const alone = await openJob(api.world, { performerAgentId: one.id });
    expect((await exportOf(alone['id']))['parties']).toEqual([named[0]]);
  });

  it('evidence=true inlines the evidence at the COMPLETION_SUBMITTED entry, and nowhere else', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const entries = (await exportOf(id))['chain'].entries as Body[];
    expect(entries.map((entry) => entry['evidence'])).toEqual([
      undefined,
      { score: 9 },
      undefined,
      undefined,
    ]);
  });

  it('without evidence=true there is none', async () => {
    const { id } = await openDecided(api.world, 'accept');
    for (const query of ['', '?evidence=false'])
      expect(JSON.stringify(await exportOf(id, query))).not.toContain('"evidence":');
  });

  it.each<[string, () => Promise<{ id: unknown }>]>([
    [
      'notarized',
      async () => ({
        id: (
          await ok(
            principal().post('/v1/records', {
              type: 'note',
              criteria: { __proto__x: 1, text: '\u2028😀' },
            }),
          )
        )['id'],
      }),
    ],
    ['running', async () => ({ id: (await openJob(api.world))['id'] })],
    ['delivered', () => openDelivered(api.world)],
    ['accepted', () => openDecided(api.world, 'accept')],
    ['rejected', () => openDecided(api.world, 'reject')],
    [
      'decided by gates',
      async () => {
        const { id } = await openJob(api.world, { type: 'auto-job' });
        await deliver(api.world, id);
        return { id };
      },
    ],
    [
      'cancelled',
      async () => {
        const { id } = await openJob(api.world);
        await ok(principal().post(`/v1/records/${String(id)}/cancel`));
        return { id };
      },
    ],
  ])('of a %s record verifies offline, with and without evidence', async (_state, open) => {
    const { id } = await open();
    for (const query of ['', '?evidence=true']) {
      const report = await verify(await exportOf(id, query));
      expect({
        verdict: report.verdict,
        exitCode: report.exitCode,
        failures: report.failures,
        trust: report.trust,
      }).toEqual({ verdict: 'valid', exitCode: 0, failures: [], trust: 'out_of_band' });
      expect(report.checks.completeness.result).toBe('passed');
    }
  });

  it('taken twice verifies twice, and one of an earlier day still does', async () => {
    const { id } = await openJob(api.world);
    const early = await exportOf(id);
    await deliver(api.world, id);
    const late = await exportOf(id);
    for (const document of [early, late, await exportOf(id)])
      expect((await verify(document)).verdict).toBe('valid');
  });

  it('taken twice writes nothing: one checkpoint a head, also where many read at once', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const checkpoints = () =>
      api.service.container.get(TOKENS.checkpointReads).ofChain(recordChain(id));
    const first = await exportOf(id);
    const [made, ...more] = await checkpoints();
    expect(more).toEqual([]);
    expect(first['checkpoint'].id).toBe(made!.id);
    for (const document of await atOnce(id))
      expect(document['checkpoint']).toEqual(first['checkpoint']);
    expect(await checkpoints()).toEqual([made]);
    const target = { kind: 'ticket', uri: 'https://tickets.example/moved' };
    await ok(principal().post(`/v1/records/${id}/references`, target));
    const moved = await atOnce(id);
    expect(new Set(moved.map(({ checkpoint }) => String(checkpoint.id))).size).toBe(1);
    expect(moved[0]!['checkpoint'].position).toBe(first['checkpoint'].position + 1);
    expect(await checkpoints()).toHaveLength(2);
  });

  it('shows the checkpoints that it needs, and not those of every earlier export', async () => {
    const { id } = await openJob(api.world);
    for (let read = 0; read < 3; read++) {
      const target = { kind: 'ticket', uri: `https://tickets.example/${read}` };
      await ok(principal().post(`/v1/records/${String(id)}/references`, target));
      await exportOf(id);
    }
    const document = await exportOf(id);
    expect(document['checkpoints']).toEqual([]);
    expect((await verify(document)).verdict).toBe('valid');
  });

  it('HEAD: the headers of it, and no body', async () => {
    const { id } = await openJob(api.world);
    const { status, headers } = await principal().call(
      'HEAD',
      `/v1/records/${String(id)}/audit-export`,
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  });

  it('of another key is not trusted', async () => {
    const { id } = await openDecided(api.world, 'accept');
    expect((await verify(await exportOf(id), '0'.repeat(64))).verdict).not.toBe('valid');
    const alone = await verifyAuditExport(JSON.stringify(await exportOf(id)), {
      trust: trustOf({ kind: 'none' }),
    });
    expect(alone.exitCode).toBe(2);
  });

  it.each<[string, (document: Body) => void]>([
    [
      'other evidence',
      (d) => {
        d['chain'].entries[1].evidence.score = 10;
      },
    ],
    [
      'other criteria',
      (d) => {
        d['record'].criteria.goal = 'h';
      },
    ],
    [
      'another status',
      (d) => {
        d['record'].status = 'FAILED';
      },
    ],
    [
      'another verdict in the statement',
      (d) => {
        d['chain'].entries[2].statement.predicate.verdict = 'reject';
      },
    ],
    [
      'another time',
      (d) => {
        d['chain'].entries[0].createdAt = '2020-01-01T00:00:00.000Z';
      },
    ],
    [
      'another entry type',
      (d) => {
        d['chain'].entries[2].entryType = 'RECORD_CANCELLED';
      },
    ],
    [
      'another performer',
      (d) => {
        d['record'].performerAgentId = NOBODY;
      },
    ],
    [
      'one byte of an entry',
      (d) => {
        const bytes = Buffer.from(d['chain'].entries[1].coseSign1, 'base64');
        bytes[bytes.length - 70]! ^= 1;
        d['chain'].entries[1].coseSign1 = bytes.toString('base64');
      },
    ],
    [
      'two entries swapped',
      (d) => {
        const { entries } = d['chain'];
        [entries[0], entries[1]] = [entries[1], entries[0]];
      },
    ],
    [
      'the last entry cut off',
      (d) => {
        const { chain } = d;
        chain.entries.pop();
        chain.head = { position: 3, hash: chain.entries[2].hash };
      },
    ],
    [
      'the first entry cut off',
      (d) => {
        d['chain'].entries.shift();
      },
    ],
    [
      'another public key',
      (d) => {
        d['keys'][0].publicKeyRaw = Buffer.alloc(32, 9).toString('base64');
      },
    ],
  ])('with %s is refused', async (_what, alter) => {
    const { id } = await openDecided(api.world, 'accept');
    const document = await exportOf(id);
    expect((await verify(document)).verdict).toBe('valid');
    alter(document);
    const report = await verify(document);
    expect({ verdict: report.verdict, exitCode: report.exitCode }).toEqual({
      verdict: 'invalid',
      exitCode: 1,
    });
    expect(report.failures[0]).toMatchObject({
      class: expect.stringMatching(/^(?:CHAIN|CHECKPOINT)_/),
    });
  });

  it('the entries of two records are not interchangeable', async () => {
    const one = await exportOf((await openDecided(api.world, 'accept')).id);
    const other = await exportOf((await openDecided(api.world, 'accept')).id);
    const mixed = structuredClone(one);
    mixed['chain'].entries[1] = other['chain'].entries[1];
    expect((await verify(mixed)).verdict).toBe('invalid');
  });

  it('carries a signedStatement that a caller has kept', async () => {
    const { id, completionId } = await openDelivered(api.world);
    const { signedStatement } = await ok(
      principal().post(`/v1/records/${id}/verdict`, { verdict: 'accept', completionId }),
    );
    const kept = (await exportOf(id))['chain'].entries[2];
    expect(kept).toMatchObject({
      coseSign1: signedStatement.coseSign1,
      hash: signedStatement.hash,
      position: signedStatement.position,
    });
    expect(kept.hash).toMatch(HEX_256);
  });
});

describe('who may', () => {
  it('the parties, the admin and the platform, with one and the same chain', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const heads = await Promise.all(
      [principal(), api.world.performer.client, api.world.admin, api.world.platform].map(
        async (client) =>
          (await ok(client.get(`/v1/records/${id}/audit-export`)))['chain'].head.hash as string,
      ),
    );
    expect(new Set(heads).size).toBe(1);
  });

  it('404: strangers; 403: a key without audit:read', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const stranger = await addAgent(api.world.admin, api.world.orgId, 'stranger');
    expectProblem(await stranger.client.get(`/v1/records/${id}/audit-export`), 404, 'NOT_FOUND');
    expectProblem(await principal().get(`/v1/records/${NOBODY}/audit-export`), 404, 'NOT_FOUND');
    const { client } = await mintKey(api.world.admin, api.world.performer.id, {
      scopeProfile: 'agent-performer',
    });
    expectProblem(await client.get(`/v1/records/${id}/audit-export`), 403, 'INSUFFICIENT_SCOPE', {
      missingScopes: ['audit:read'],
    });
  });
});

it('400: parameters that it does not have; 406: a form that it does not have', async () => {
  const { id } = await openDecided(api.world, 'accept');
  for (const query of ['evidence=maybe', 'evidence=1', 'evidenc=true', 'format=xml'])
    expectProblem(
      await principal().get(`/v1/records/${id}/audit-export?${query}`),
      400,
      'VALIDATION_ERROR',
    );
  expectProblem(
    await principal().get(`/v1/records/${id}/audit-export`, { accept: 'image/png' }),
    406,
    'NOT_ACCEPTABLE',
  );
});
