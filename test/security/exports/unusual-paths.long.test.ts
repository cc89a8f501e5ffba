import { describe, expect, it } from 'vitest';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../../support/service/api.ts';
import { useCoSigners } from '../../support/clients/co-signing.ts';
import { atDatabaseTime } from '../../support/databases/database-time.ts';
import { createTwoOrgs } from '../../support/stories/disputes.ts';
import { createEncryptedWorld } from '../../support/stories/encrypted-world.ts';
import { OIDC_ENV } from '../../support/peers/oidc.ts';
import {
  GOAL,
  JOB_TYPE,
  ok,
  addAgent,
  type Client,
  type Body,
} from '../../support/service/world.ts';

const api = useApi({ ...OIDC_ENV });
const signers = useCoSigners(
  api,
  'records:read records:write disputes:read disputes:write audit:read completions:write',
);
const DAY = 86_400;
const names = new Map<string, string>();
const stories: [string, () => Promise<void>][] = [];
const story = (name: string, run: (note: (id: unknown) => string) => Promise<void>) =>
  stories.push([
    name,
    () =>
      run((id) => {
        names.set(String(id), name);
        return String(id);
      }),
  ]);
const R = (id: string, s = '') => `/v1/records/${id}${s}`;
const create = async (c: Client, body: Body) =>
  String((await ok(c.post('/v1/records', { type: 'job', criteria: GOAL, ...body })))['id']);
const submit = async (c: Client, id: string, score = 9) =>
  String((await ok(c.post(R(id, '/completions'), { evidence: { score } })))['id']);
const tr = (c: Client, id: string, action: string, more: Body = {}) =>
  ok(c.post(R(id, '/transition'), { action, ...more }));
const verdict = (c: Client, id: string, completionId: string, v: string, more: Body = {}) =>
  ok(c.post(R(id, '/verdict'), { verdict: v, completionId, ...more }));

story('platform does everything', async (note) => {
  const { platform: p, principal, performer } = api.world;
  const id = note(
    await create(p, { principalAgentId: principal.id, performerAgentId: performer.id }),
  );
  await tr(p, id, 'counter-propose', { criteria: { ...GOAL, threshold: 3 }, message: '' });
  await tr(p, id, 'counter-propose', { criteria: GOAL });
  await tr(p, id, 'accept-counter');
  await submit(p, id);
  await tr(p, id, 'revision', { reason: '' });
  const c2 = await submit(p, id, 0);
  await verdict(p, id, c2, 'reject', { reason: '' });
  await verdict(p, id, c2, 'accept');
  await ok(p.post(R(id, '/references'), { kind: 'k', uri: 'urn:1' }));
});
story('platform cancels a proposal', async (note) => {
  const { platform: p, principal, performer } = api.world;
  const id = note(
    await create(p, { principalAgentId: principal.id, performerAgentId: performer.id }),
  );
  await tr(p, id, 'counter-propose', { criteria: { ...GOAL, threshold: 3 } });
  await tr(p, id, 'cancel', { reason: 'parent_cancelled' });
});
story('admin cancels own both', async (note) => {
  const { admin, principal, performer } = api.world;
  for (const st of [{}, { autoActivate: true }]) {
    const id = note(
      await create(admin, {
        principalAgentId: principal.id,
        performerAgentId: performer.id,
        ...st,
      }),
    );
    await tr(admin, id, 'cancel');
  }
});
story('performer proposes, admin of other org', async (note) => {
  const two = await createTwoOrgs(api.world, 'gen1');
  const id = note(
    await create(two.performer.client, {
      principalAgentId: two.principal.id,
      performerAgentId: two.performer.id,
      message: 'm',
    }),
  );
  await tr(two.principalAdmin, id, 'counter-propose', { criteria: { ...GOAL, threshold: 3 } });
  await tr(two.performerAdmin, id, 'cancel').catch(() => undefined);
  const id2 = note(
    await create(two.performerAdmin, {
      principalAgentId: two.principal.id,
      performerAgentId: two.performer.id,
    }).catch(() => 'x'),
  );
  if (id2 !== 'x') await tr(two.performerAdmin, id2, 'cancel');
  const id3 = note(
    await create(two.performer.client, {
      principalAgentId: two.principal.id,
      performerAgentId: two.performer.id,
    }),
  );
  await tr(two.performer.client, id3, 'cancel');
  const id4 = note(
    await create(two.principalAdmin, {
      principalAgentId: two.principal.id,
      performerAgentId: two.performer.id,
    }),
  );
  await tr(two.performerAdmin, id4, 'accept');
  const c = await submit(two.performerAdmin, id4);
  await tr(two.performerAdmin, id4, 'cancel').catch(() => undefined);
  await verdict(two.principalAdmin, id4, c, 'reject');
  await ok(two.performerAdmin.post(R(id4, '/dispute'), { grounds: 'QUALITY' }));
  await ok(two.principal.client.post(R(id4, '/dispute/evidence'), { evidence: { a: 1 } }));
  await ok(
    two.principalAdmin.post(R(id4, '/dispute/resolve'), { outcome: 'OVERTURNED', resolution: 'r' }),
  );
});
story('draft, propose, reject; draft self activate; propose self', async (note) => {
  const { principal, performer, admin } = api.world;
  const id = note(await create(principal.client, {}));
  await ok(admin.post(R(id, '/references'), { kind: 'k', uri: 'urn:1' }));
  await tr(principal.client, id, 'propose', { performerAgentId: performer.id });
  await tr(performer.client, id, 'reject', { reason: 'no' });
  const id2 = note(await create(principal.client, { performerAgentId: principal.id }));
  await tr(principal.client, id2, 'activate');
  const c = await submit(principal.client, id2);
  await verdict(principal.client, id2, c, 'accept');
  await ok(principal.client.post(R(id2, '/dispute'), {}));
  await ok(principal.client.post(R(id2, '/dispute/escalate'), {}));
  await ok(principal.client.post(R(id2, '/dispute/evidence'), { evidence: { a: 1 } }));
  await ok(admin.post(R(id2, '/dispute/resolve'), { outcome: 'OVERTURNED', resolution: 'x' }));
  const id3 = note(await create(principal.client, { performerAgentId: principal.id }));
  await tr(principal.client, id3, 'propose', { performerAgentId: performer.id });
  await tr(performer.client, id3, 'counter-propose', { criteria: GOAL });
  await tr(principal.client, id3, 'reject');
  const id4 = note(
    await create(principal.client, { performerAgentId: principal.id, autoActivate: true }),
  );
  await tr(principal.client, id4, 'cancel');
  const id5 = note(
    await create(principal.client, { performerAgentId: principal.id, autoActivate: true }),
  );
  await submit(principal.client, id5);
  await tr(principal.client, id5, 'cancel');
});
story('overturned twice, override after overturn', async (note) => {
  await ok(api.world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'dd', maxDisputes: 4 }));
  const { principal, performer, platform } = api.world;
  const id = note(
    await create(principal.client, {
      type: 'dd',
      performerAgentId: performer.id,
      autoActivate: true,
    }),
  );
  const c = await submit(performer.client, id);
  await verdict(principal.client, id, c, 'accept');
  await ok(principal.client.post(R(id, '/dispute'), {}));
  await ok(principal.client.post(R(id, '/dispute/withdraw'), {}));
  await ok(principal.client.post(R(id, '/dispute'), {}));
  await ok(
    performer.client.post(R(id, '/dispute/resolve'), { outcome: 'OVERTURNED', resolution: 'x' }),
  );
  await ok(performer.client.post(R(id, '/dispute'), {}));
  await ok(platform.post(R(id, '/dispute/escalate'), {}));
  await ok(platform.post(R(id, '/dispute/resolve'), { outcome: 'UPHELD', resolution: 'x' }));
  await verdict(principal.client, id, c, 'accept');
});
story('expiry of everything', async (note) => {
  const { principal, performer } = api.world;
  const a = note(await create(principal.client, { ttlSeconds: 600 }));
  const b = note(
    await create(principal.client, { ttlSeconds: 600, performerAgentId: performer.id }),
  );
  const c = note(
    await create(principal.client, {
      ttlSeconds: 600,
      performerAgentId: performer.id,
      autoActivate: true,
    }),
  );
  const d = note(
    await create(principal.client, {
      ttlSeconds: 600,
      performerAgentId: performer.id,
      autoActivate: true,
    }),
  );
  await submit(performer.client, d);
  await tr(principal.client, d, 'revision');
  const e = note(
    await create(principal.client, { performerAgentId: performer.id, autoActivate: true }),
  );
  await submit(performer.client, e);
  await atDatabaseTime(7 * DAY + 600, async () => {
    for (const id of [a, b, c, d, e]) await ok(principal.client.get(R(id)));
    await ok(performer.client.post(R(e, '/dispute'), { evidence: { x: 1 } }));
  });
  await atDatabaseTime(14 * DAY, async () => {
    await ok(principal.client.get(R(e)));
    await ok(performer.client.post(R(e, '/dispute/evidence'), { evidence: { z: 2 } }));
  });
  await atDatabaseTime(80 * DAY, async () => {
    for (const id of [a, b, c, d, e]) await ok(principal.client.get(R(id)));
    await ok(principal.client.post(R(e, '/references'), { kind: 'k', uri: 'urn:1' }));
  });
});
story('hold ends', async (note) => {
  const { principal, performer } = api.world;
  const id = note(
    await create(principal.client, { performerAgentId: performer.id, autoActivate: true }),
  );
  const c = await submit(performer.client, id);
  await verdict(principal.client, id, c, 'reject');
  await atDatabaseTime(8 * DAY, async () => {
    await ok(principal.client.get(R(id)));
    await verdict(principal.client, id, c, 'accept');
  });
});
story('auto', async (note) => {
  const { principal, performer } = api.world;
  for (const score of [9, 0]) {
    const id = note(
      await create(principal.client, {
        type: 'auto-job',
        performerAgentId: performer.id,
        autoActivate: true,
      }),
    );
    await submit(performer.client, id, score);
    await ok(
      (score ? principal : performer).client.post(R(id, '/dispute'), { evidence: { x: 1 } }),
    );
    await atDatabaseTime(4 * DAY, async () => {
      await ok(principal.client.get(R(id)));
    });
    await atDatabaseTime(20 * DAY, async () => {
      await ok(principal.client.get(R(id)));
    });
  }
});
for (const mode of ['principal', 'auto'] as const)
  for (const rule of ['all-fulfilled', 'any-fulfilled', 'none'] as const)
    story(`cascade ${rule} ${mode}`, async (note) => {
      const type = `t-${rule}-${mode}`;
      await ok(
        api.world.admin.post('/v1/schemas', {
          ...JOB_TYPE,
          type,
          gateMode: mode,
          cascade: { rule },
          maxDisputes: 3,
        }),
      );
      const { principal, performer, admin, platform } = api.world;
      const body = { type, performerAgentId: performer.id, autoActivate: true };
      for (const end of [
        'fulfil',
        'fail',
        'cancel',
        'expire',
        'cancel-tree',
        'overturn',
        'verify',
      ]) {
        const root = note(await create(principal.client, body));
        const child = note(
          await create(performer.client, {
            type: 'job',
            performerAgentId: performer.id,
            autoActivate: true,
            parentRecordId: root,
          }),
        );
        note(
          await create(performer.client, {
            type: 'note',
            parentRecordId: root,
            references: [{ kind: 'a', uri: 'urn:x' }],
          }),
        );
        const mid = note(
          await create(performer.client, { ...body, parentRecordId: root, ttlSeconds: 3600 }),
        );
        const leaf = note(await create(performer.client, { ...body, parentRecordId: mid }));
        const prop = note(
          await create(performer.client, {
            type: 'job',
            performerAgentId: principal.id,
            parentRecordId: mid,
          }),
        );
        if (end === 'cancel-tree') {
          await tr(performer.client, root, 'cancel', { cascade: true });
          continue;
        }
        await tr(principal.client, prop, 'reject');
        if (end === 'expire') {
          await tr(performer.client, child, 'cancel');
          await atDatabaseTime(2 * DAY, async () => {
            await ok(performer.client.get(R(mid)));
            await ok(performer.client.get(R(leaf)));
            await ok(principal.client.get(R(root)));
            await submit(performer.client, root).catch(() => undefined);
          });
          await atDatabaseTime(20 * DAY, async () => {
            for (const x of [leaf, mid, root]) await ok(performer.client.get(R(x)));
          });
          continue;
        }
        const lc = await submit(performer.client, leaf);
        if (mode === 'principal') await verdict(performer.client, leaf, lc, 'accept');
        const mc = await submit(performer.client, mid);
        if (mode === 'principal')
          await verdict(performer.client, mid, mc, end === 'fail' ? 'reject' : 'accept');
        const cc = await submit(performer.client, child);
        if (end === 'cancel') await tr(performer.client, child, 'cancel');
        else
          await verdict(
            performer.client,
            child,
            cc,
            end === 'fail' || end === 'overturn' ? 'reject' : 'accept',
          );
        if (end === 'overturn') {
          await ok(performer.client.post(R(child, '/dispute'), {}));
          await performer.client.post(R(root, '/transition'), {
            action: 'verify-cascade',
          });
          await ok(
            platform.post(R(child, '/dispute/resolve'), { outcome: 'OVERTURNED', resolution: 'x' }),
          );
        }
        if (end === 'verify') {
          await performer.client.post(R(root, '/transition'), { action: 'verify-cascade' });
          note(await create(performer.client, { type: 'note', parentRecordId: root }));
          await performer.client.post(R(root, '/transition'), { action: 'verify-cascade' });
        }
        await submit(performer.client, root);
        if (mode === 'principal') {
          await tr(principal.client, root, 'revision');
          note(await create(performer.client, { type: 'note', parentRecordId: root }));
          const rc2 = await submit(performer.client, root);
          await verdict(admin, root, rc2, 'accept');
        }
      }
    });
story('encrypted', async (note) => {
  const e = await createEncryptedWorld(api.world);
  const make = async (type: string, extra = {}) =>
    note(
      (
        await ok(
          e.principal.client.post('/v1/records', {
            type,
            criteria: await e.encrypt({ goal: 'x' }),
            ...(type === 'sealed-note' ? {} : { performerAgentId: e.performer.id }),
            ...extra,
          }),
        )
      )['id'],
    );
  await make('sealed-note');
  const id = await make('sealed-job');
  await tr(e.performer.client, id, 'counter-propose', {
    criteria: await e.encrypt({ goal: 'y' }),
    message: 'm',
  });
  await tr(e.principal.client, id, 'accept-counter');
  (
    await ok(
      e.performer.client.post(R(id, '/completions'), { evidence: await e.encrypt({ score: 3 }) }),
    )
  )['id'];
  await tr(e.principal.client, id, 'revision');
  const c2 = String(
    (
      await ok(
        e.performer.client.post(R(id, '/completions'), { evidence: await e.encrypt({ score: 9 }) }),
      )
    )['id'],
  );
  await verdict(e.principal.client, id, c2, 'reject', {
    gateResults: [{ gateId: 'score', outcome: 'pass' }],
  });
  await verdict(e.principal.client, id, c2, 'accept', {
    gateResults: [{ gateId: 'log', outcome: 'fail', detail: 'x' }],
  });
  const id2 = await make('sealed-job', { autoActivate: true });
  const c3 = String(
    (
      await ok(
        e.performer.client.post(R(id2, '/completions'), {
          evidence: await e.encrypt({ score: 9 }),
        }),
      )
    )['id'],
  );
  await verdict(api.world.admin, id2, c3, 'accept', { gateResults: [] });
  await ok(e.principal.client.post(R(id2, '/dispute'), { evidence: await e.encrypt({ a: 1 }) }));
  await ok(
    e.performer.client.post(R(id2, '/dispute/evidence'), { evidence: await e.encrypt({ a: 2 }) }),
  );
  await atDatabaseTime(4 * DAY, async () => {
    await ok(e.principal.client.get(R(id2)));
  });
});
story('deactivated', async (note) => {
  const { admin, orgId, principal } = api.world;
  const x = await addAgent(admin, orgId, 'x');
  const id = note(
    await create(principal.client, {
      performerAgentId: x.id,
      autoActivate: true,
      onBehalfOf: { subject: { iss: 'i', sub: 's' } },
    }),
  );
  await ok(admin.post(`/v1/admin/agents/${x.id}/deactivate`, { reason: 'r' }));
  const c = await submit(admin, id);
  await verdict(admin, id, c, 'accept');
});
story('co-signed', async (note) => {
  const h = await signers.holder();
  const q = await signers.holder(api.world.performer.id);
  const send = async (who: typeof h, path: string, body: unknown) => {
    const a = await signers.send(who, 'POST', path, JSON.stringify(body));
    if (a.status >= 300)
      throw new Error(`${path} ${a.status} ${JSON.stringify(a.body).slice(0, 300)}`);
    return a.body;
  };
  const base = { type: 'job', criteria: GOAL, performerAgentId: api.world.performer.id };
  const id = note(
    (
      await send(h, '/v1/records', {
        ...base,
        autoActivate: true,
        ttlSeconds: 1000,
        references: [
          { kind: 'a', uri: 'urn:x' },
          { kind: 'b', uri: 'urn:y' },
        ],
        onBehalfOf: { subject: { iss: 'i', sub: 's' } },
        platformRef: 'p',
      })
    )['id'],
  );
  await send(q, R(id, '/references'), { kind: 'c', uri: 'urn:z', label: 'l' });
  note((await send(q, '/v1/records', { type: 'note', criteria: {}, parentRecordId: id }))['id']);
  const kid2 = note(
    (
      await send(q, '/v1/records', {
        ...base,
        autoActivate: true,
        parentRecordId: id,
        expiresAt: '2099-01-01T00:00:00Z',
      })
    )['id'],
  );
  const kid3 = note(
    (
      await send(q, '/v1/records', {
        ...base,
        autoActivate: true,
        parentRecordId: id,
        platform: 'x',
        message: 'm',
      })
    )['id'],
  );
  note((await send(q, '/v1/records', { ...base, autoActivate: true, parentRecordId: kid3 }))['id']);
  await send(q, R(kid3, '/cancel'), { cascade: true, reason: 'why' });
  const c = (await send(q, R(kid2, '/completions'), { evidence: { score: 9 } }))['id'];
  await send(q, R(kid2, '/verdict'), {
    verdict: 'reject',
    completionId: String(c).toUpperCase(),
    reason: 'bad',
  }).catch(() => undefined);
  await send(q, R(kid2, '/dispute'), {
    grounds: 'QUALITY',
    statement: 's',
    evidence: { a: 1 },
  }).catch(() => undefined);
  await send(q, R(kid2, '/dispute/evidence'), { evidence: { b: 1 } }).catch(() => undefined);
  await send(q, R(kid2, '/dispute/escalate'), { reason: 'x' }).catch(() => undefined);
  await send(q, R(kid2, '/dispute/withdraw'), {}).catch(() => undefined);
  const bulk = await send(h, '/v1/records/bulk', [
    base,
    { ...base, type: 'nope' },
    { type: 'note', criteria: {} },
    { ...base, autoActivate: true, expiresAt: '2099-01-01T01:00:00+01:00' },
  ]);
  for (const item of bulk['data']) if (item.record) note(item.record.id);
  const p0 = String(bulk['data'][0].record.id);
  await send(q, R(p0, '/transition'), {
    action: 'counter-propose',
    criteria: { ...GOAL, threshold: 1 },
    message: 'hm',
  });
  await send(h, R(p0, '/transition'), { action: 'accept-counter' });
  const d = note((await send(h, '/v1/records', { type: 'job', criteria: GOAL }))['id']);
  await send(h, R(d, '/transition'), {
    action: 'propose',
    performerAgentId: api.world.performer.id.toUpperCase(),
  });
  await send(q, R(d, '/accept'), {});
  const dd = note(
    (
      await send(h, '/v1/records', {
        type: 'job',
        criteria: GOAL,
        performerAgentId: api.world.principal.id,
      })
    )['id'],
  );
  await send(h, R(dd, '/transition'), { action: 'activate' });
  await ok(
    api.world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'ttl', defaultTtlSeconds: 5000 }),
  );
  note((await send(h, '/v1/records', { type: 'ttl', criteria: GOAL }))['id']);
  note(
    (
      await send(q, '/v1/records', {
        ...base,
        type: 'ttl',
        principalAgentId: api.world.principal.id,
      })
    )['id'],
  );
  const auto = note(
    (await send(h, '/v1/records', { ...base, type: 'auto-job', autoActivate: true }))['id'],
  );
  await send(q, R(auto, '/completions'), { evidence: { score: 9 } });
  // reference in a bulk that repeats one of the record
  note(
    (
      await send(h, '/v1/records', {
        ...base,
        references: [
          { kind: 'a', uri: 'urn:x' },
          { kind: 'a', uri: 'urn:x' },
        ],
      })
    )['id'],
  );
});
describe('a chain that the service wrote on an unusual path', () => {
  it('is valid', async () => {
    for (const [, run] of stories) await run();
    const trust = trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint });
    const found: string[] = [];
    for (const [id, name] of names) {
      if (id === 'x') continue;
      const answer = await fetch(`${api.world.url}/v1/records/${id}/audit-export?evidence=true`, {
        headers: { authorization: `Bearer ${api.world.platform.key}` },
      });
      const report = await verifyAuditExport(await answer.text(), { trust });
      if (report.verdict !== 'valid') found.push(`${name}: ${JSON.stringify(report.failures)}`);
    }
    expect(found).toEqual([]);
    expect(names.size).toBeGreaterThan(300);
  }, 300_000);
});
