import { beforeAll, describe, expect, it } from 'vitest';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { useApi } from '../support/service/api.ts';
import {
  childBody,
  judged,
  openChild,
  openTeam,
  registerTeams,
  type Party,
} from '../support/stories/tree.ts';
import { addAgent, ok, openDecided, type Body, type Client } from '../support/service/world.ts';

const api = useApi();
let worker: Party;
let helper: Party;
beforeAll(async () => {
  await registerTeams(api.world.admin);
  worker = await addAgent(api.world.admin, api.world.orgId, 'worker');
  helper = await addAgent(api.world.admin, api.world.orgId, 'helper');
});

const textOf = async ({ url, key }: Client, id: unknown, query: string): Promise<string> => {
  const answer = await fetch(`${url}/v1/records/${String(id)}/audit-export?subtree=true${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  return answer.text();
};
const verify = (text: string) =>
  verifyFile(text, { trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }) });

/** A team whose two children ended, the second with a child of its own, and which was verified and fulfilled. */
const openTree = async () => {
  const { world } = api;
  const team = String((await openTeam(world, 'all-fulfilled'))['id']);
  const first = String((await openChild(world, team, worker))['id']);
  const second = String((await openChild(world, team, worker))['id']);
  const below = await ok(worker.client.post('/v1/records', childBody(second, helper)));
  await judged(world, worker, first, 'accept');
  await judged(world, worker, second, 'accept');
  await ok(
    world.performer.client.post(`/v1/records/${team}/completions`, { evidence: { score: 9 } }),
  );
  await ok(
    world.principal.client.post(`/v1/records/${team}/transition`, { action: 'verify-cascade' }),
  );
  return { team, first, second, below: String(below['id']) };
};

describe('an export with subtree=true', () => {
  it.each(['', '&format=ndjson', '&evidence=true'])(
    'holds each record below that the caller may read, and is VALID (%s)',
    async (query) => {
      const { team, first, second, below } = await openTree();
      const text = await textOf(api.world.platform, team, query);
      if (query !== '&format=ndjson') {
        const document = JSON.parse(text) as Body;
        expect(document['omitted']).toBe(0);
        expect(document['records'].map(({ record }: Body) => record.id)).toEqual([
          team,
          first,
          second,
          below,
        ]);
        expect(Object.keys(document['records'][0])).not.toContain('keys');
      }
      expect(await verify(text)).toMatchObject({
        failures: [],
        reasons: [],
        verdict: 'valid',
        subject: { kind: 'audit-export', chainKey: team, records: 4 },
      });
    },
  );

  it('leaves out what the caller may not read, and counts it', async () => {
    const { team, below } = await openTree();
    const text = await textOf(api.world.performer.client, team, '');
    const document = JSON.parse(text) as Body;
    expect(document['omitted']).toBe(1);
    expect(document['records']).toHaveLength(3);
    expect(text).not.toContain(`"chainKey":"${below}"`);
    const report = await verify(text);
    expect(report).toMatchObject({ verdict: 'valid', failures: [] });
    expect(report.notes).toContainEqual(expect.stringContaining('1 records below are left out'));
  });

  it('of a record without children holds that one', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const text = await textOf(api.world.principal.client, id, '');
    expect(await verify(text)).toMatchObject({ verdict: 'valid', subject: { records: 1 } });
  });

  it('a child that is left out, doubled, or shown as another than the parent sealed is found', async () => {
    const { team } = await openTree();
    const text = await textOf(api.world.platform, team, '');
    const changed = async (change: (document: Body) => void) => {
      const document = JSON.parse(text) as Body;
      change(document);
      return verify(JSON.stringify(document));
    };
    expect(await changed((document) => document['records'].splice(1, 1))).toMatchObject({
      verdict: 'cannot_tell',
      failures: [],
      reasons: [expect.stringContaining('1 children are not in the file')],
    });
    expect((await changed(({ records }) => records.push(records[1]))).failures).toContainEqual(
      expect.objectContaining({ detail: 'a record stands twice in the export' }),
    );
    expect((await changed(({ records }) => (records[1].keys = []))).verdict).toBe('invalid');
    expect((await changed((document) => (document['extra'] = 1))).verdict).toBe('invalid');
    // A child's chain cut short, with its checkpoint: its own export alone would be "cannot tell" at most.
    const cut = await changed(({ records }) => {
      const [, child] = records;
      child.chain.entries.pop();
      child.checkpoint = null;
    });
    expect(cut.failures).toContainEqual(
      expect.objectContaining({ chainKey: team, class: 'CHAIN_PAYLOAD_BINDING_MISMATCH' }),
    );
  });

  it('as CSV says of each row which record it is of', async () => {
    const { team, first } = await openTree();
    const rows = (await textOf(api.world.platform, team, '&format=csv')).trimEnd().split('\r\n');
    expect(rows[0]).toMatch(/^recordId,position,/);
    expect(rows.some((row) => row.startsWith(`${first},1,`))).toBe(true);
  });
});
