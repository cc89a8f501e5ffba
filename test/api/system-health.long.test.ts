import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JobBeats } from '../../adapters/jobs/job-beats.ts';
import { repeat } from '../../adapters/jobs/repeat.ts';
import { SCHEMA_NAME } from '../../adapters/sql/schema/migrations.ts';
import { DEGRADED_REASONS } from '../../application/operations/degraded-reasons.ts';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { copyOf } from '../support/databases/database-copy.ts';
import { databases } from '../support/databases/databases.ts';
import { metricsOf, reasonsOf } from '../support/service/health.ts';
import { TransitServer } from '../support/peers/transit-server.ts';
import { literal, VaultRig } from '../support/service/vault-rig.ts';
import { mintKey, ok, sleep, type Body } from '../support/service/world.ts';
import { freePort } from '../support/service/free-port.ts';

// Contract of application/operations/health-reads.port.ts
// Contract of application/operations/process-facts.port.ts

const FEW_ROUNDS = { CHECKPOINT_INTERVAL: '1440', ANCHOR_INTERVAL: '2880' };
const HEALTH = '/v1/admin/system-health';

const raised = new Set<string>();

describe.each(databases())('the health of the service on $name', (kind) => {
  let rig: VaultRig;
  beforeEach(async () => {
    rig = new VaultRig(kind, FEW_ROUNDS);
    await rig.prepare();
  });
  afterEach(() => rig.end());

  const platform = (service: RunningService) => rig.at(service, rig.world.platform);
  const client = (service: RunningService) => rig.at(service, rig.world.principal.client);
  const note = (service: RunningService) =>
    client(service).post('/v1/records', { type: 'note', criteria: { text: 'a note' } });
  const health = (service: RunningService): Promise<Body> => ok(platform(service).get(HEALTH));
  const anchor = async (service: RunningService): Promise<void> => {
    await service.container.get(CheckpointRound).run();
    await service.container.get(AnchorSweep).run();
  };
  const anchors = (): string => join(rig.directory, 'data-anchors');
  /** It is found, and shown alike by the route and by the metrics. */
  const raises = async (service: RunningService, reason: keyof typeof DEGRADED_REASONS) => {
    await expect.poll(() => reasonsOf(service), { interval: 250 }).toContain(reason);
    raised.add(reason);
  };

  it('is ok, with every job looked after, and degraded for nothing', () =>
    rig.run(async (service) => {
      let shown: Body = {};
      // A look that takes longer than a second says that nothing is known.
      const workers = async (): Promise<unknown> =>
        ((shown = await health(service))['workers'] as Body)['status'];
      await expect.poll(workers, { interval: 250 }).not.toBe('unknown');
      expect(shown).toMatchObject({
        status: 'ok',
        degradedReasons: [],
        database: { reachable: true, migrated: true },
        workers: { status: 'ok' },
        webhookDeadLetters: 0,
        process: { pid: process.pid },
      });
      const jobs = (shown['workers'] as { jobs: { name: string; status: string }[] }).jobs;
      expect(jobs.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['anchor-sweep', 'checkpoint-round', 'settle-deadlines']),
      );
      expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['ok']));
      expect(await reasonsOf(service)).toEqual([]);
      const reads = service.container.get(TOKENS.healthReads);
      const facts = await reads.facts();
      expect((await reads.jobs()).map(({ name }) => name)).toEqual(
        facts.jobs.map(({ name }) => name),
      );
      expect(Math.abs(Date.parse(facts.now) - Date.now())).toBeLessThan(60_000);
      const state = service.container.get(TOKENS.processFacts).state();
      expect(state).toMatchObject({ pid: process.pid, nodeVersion: process.version });
      expect(state.residentBytes).toBeGreaterThan(state.heapUsedBytes);
      await anchor(service);
      const summary = await ok(platform(service).get('/v1/admin/ops-summary'));
      expect(summary).toMatchObject({
        status: 'ok',
        vault: {
          fingerprint: service.vault.fingerprint,
          algorithm: 'Ed25519',
          keys: 1,
          rewoundChains: 0,
          anchoring: { backend: 'filesystem', intervalMinutes: 2_880, pending: 0, failures: 0 },
        },
      });
      const { anchoring } = summary['vault'] as { anchoring: Body };
      expect(anchoring['lastSuccessAt']).toBe(anchoring['lastSweepAt']);
      expect(Date.parse(String(anchoring['lastSweepAt']))).toBeGreaterThan(Date.now() - 60_000);
      expect((await rig.at(service, rig.world.admin).get(HEALTH)).status).toBe(403);
    }));

  it('shows no job that the service does not have, whatever rows somebody writes into the table', () =>
    rig.run(async (service) => {
      const names = async (): Promise<unknown> => [
        ((await health(service))['workers'] as { jobs: Body[] }).jobs.map(({ name }) => name),
        new Set(
          [...(await metricsOf(service)).text.matchAll(/job_name="([^"]*)"/g)].map(
            ([, name]) => name,
          ),
        ),
        (await reasonsOf(service)).length,
      ];
      await expect.poll(async () => JSON.stringify(await names())).toContain('forget-events');
      const before = await names();
      expect(before).toMatchObject([expect.arrayContaining(['vault-scan']), expect.anything(), 0]);
      for (const name of ['made-up', 'x"} 1\nevil{', 'VAULT-SCAN ', ...Array(200).keys()])
        await rig.database.raw(
          `INSERT INTO jobs (name, lease_until, every_ms, seen_at, last_failure) VALUES (${literal(`${name}`)}, 0, 1000, ${Date.now()}, 'made up')`,
        );
      // What was read before is shown for a moment.
      await sleep(1_500);
      expect(await names()).toEqual(before);
    }));

  it('the support bundle has every section, and no secret', () =>
    rig.run(async (service) => {
      const bundle = await ok(platform(service).get('/v1/admin/support-bundle'));
      const { sections } = bundle['manifest'] as { sections: string[] };
      expect(Object.keys(bundle).sort()).toEqual([...sections].sort());
      expect(bundle).toMatchObject({
        license: { tier: 'unlimited' },
        health: { status: 'ok' },
        config: { SIGNER_KEK: '********', API_KEY_PEPPER: '********', ROLE: 'all' },
        database: { kind: kind.name, reachable: true, migrated: true },
      });
      const text = JSON.stringify(bundle);
      for (const secret of Object.values(rig.secrets)) expect(text).not.toContain(secret);
      expect((await rig.at(service, rig.world.admin).get('/v1/admin/support-bundle')).status).toBe(
        403,
      );
    }));

  it('conformance lists the versions of every contract, under both names', () =>
    rig.run(async (service) => {
      const shown = await ok(client(service).get('/v1/conformance'));
      expect(shown['contracts']).toContainEqual({ name: 'a2a', versions: ['1.0', '0.3'] });
      expect(await ok(client(service).get('/conformance'))).toEqual(shown);
    }));

  it('row_tampered: a row that somebody else wrote was met', () =>
    rig.run(async (service) => {
      await rig.database.raw(
        `UPDATE agents SET display_name = 'somebody else' WHERE id = (SELECT id FROM (SELECT MAX(id) AS id FROM agents) a)`,
      );
      expect((await platform(service).get('/v1/admin/agents')).status).toBe(409);
      await raises(service, 'row_tampered');
      expect((await metricsOf(service)).text).toMatch(
        /\nservice_stored_faults\{fault="row_tampered"\} [1-9]/,
      );
    }));

  it('event_hole: numbered events were removed', () =>
    rig.run(async (service) => {
      await rig.database.raw('DELETE FROM outbox WHERE sequence = 3');
      const { key } = rig.world.platform;
      const pulled = await fetch(`${service.url}/v1/siem/stream?format=ocsf&limit=1000`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(pulled.status).toBe(200);
      await raises(service, 'event_hole');
    }));

  it('revocations_lost: an older copy of the database brought a revoked key back', async () => {
    const { keyId } = await rig.run((service) =>
      mintKey(platform(service), rig.world.principal.id, { label: 'x' }),
    );
    const copy = await copyOf(rig.database, rig.directory);
    const revoke = (service: RunningService) =>
      ok(platform(service).patch(`/v1/admin/api-keys/${keyId}`, { isActive: false }));
    try {
      await rig.run(async (service) => {
        await revoke(service);
        await anchor(service);
      });
      rig.env = { ...FEW_ROUNDS, DATABASE_URL: copy.url };
      await rig.run(async (service) => {
        await raises(service, 'revocations_lost');
        await ok(platform(service).post('/v1/admin/vault/rewind/acknowledge', {}));
        await revoke(service);
        await expect.poll(() => reasonsOf(service)).not.toContain('revocations_lost');
      });
    } finally {
      await copy.drop();
    }
  });

  it('chain_rewound: an older copy of the database was put back', async () => {
    const copy = await copyOf(rig.database, rig.directory);
    try {
      await rig.run(async (service) => {
        await ok(platform(service).post('/v1/admin/orgs', { name: 'Lost', slug: 'lost' }));
        await anchor(service);
      });
      rig.env = { ...FEW_ROUNDS, DATABASE_URL: copy.url };
      await rig.run(async (service) => {
        await raises(service, 'chain_rewound');
        const summary = await ok(platform(service).get('/v1/admin/ops-summary'));
        expect(summary).toMatchObject({ status: 'degraded', vault: { rewoundChains: 1 } });
      });
    } finally {
      await copy.drop();
    }
  });

  it('anchors_unread: the anchors cannot be compared at the start, until they can', async () => {
    await rig.run(anchor);
    renameSync(anchors(), `${anchors()}-away`);
    writeFileSync(anchors(), 'no folder');
    await rig.run(async (service) => {
      await raises(service, 'anchors_unread');
      rmSync(anchors());
      renameSync(`${anchors()}-away`, anchors());
      await expect.poll(() => reasonsOf(service)).not.toContain('anchors_unread');
    });
  });

  it('anchor_late: sweeps fail for three intervals', () =>
    rig.run(async (service) => {
      await anchor(service);
      renameSync(anchors(), `${anchors()}-away`);
      writeFileSync(anchors(), 'no folder');
      await note(service);
      await service.container.get(CheckpointRound).run();
      await expect(service.container.get(AnchorSweep).run()).rejects.toThrow();
      expect(await reasonsOf(service)).not.toContain('anchor_late');
      // Nine days later.
      await rig.database.raw(
        'UPDATE anchor_sweeps SET last_success_at = last_success_at - 777600000',
      );
      await raises(service, 'anchor_late');
    }));

  it('anchor_missing: copies of checkpoints are gone', () =>
    rig.run(async (service) => {
      await anchor(service);
      rmSync(anchors(), { recursive: true });
      // A day later, when a sample is compared again.
      await rig.database.raw('UPDATE anchor_sweeps SET last_verify = NULL');
      await service.container
        .get(AnchorSweep)
        .run()
        .catch(() => undefined);
      await raises(service, 'anchor_missing');
    }));

  it('sink_blocked and sink_behind: the collector of a sink is away', async () => {
    rig.env = {
      ...FEW_ROUNDS,
      SIEM_PUSH_FLUSH_MS: '1',
      SIEM_HTTP_URL: `https://127.0.0.1:${await freePort()}/in`,
    };
    await rig.run(async (service) => {
      await note(service);
      await raises(service, 'sink_blocked');
      expect(await reasonsOf(service)).not.toContain('sink_behind');
      const jobs = (await health(service))['workers'] as { jobs: Body[] };
      expect(jobs.jobs.find(({ name }) => name === 'siem-http-sink')).toMatchObject({
        status: 'failing',
        running: true,
      });
      // Two minutes later.
      await rig.database.raw('UPDATE outbox SET numbered_at = numbered_at - 120000');
      await raises(service, 'sink_behind');
    });
  });

  it('lane_behind and lane_blocked: deliveries are overdue, and a peer refuses a message', async () => {
    rig.env = { ...FEW_ROUNDS, ROLE: 'api' };
    await rig.run(async (service) => {
      const hook = { url: 'https://receiver.example/in', eventTypes: ['record.created'] };
      await ok(rig.at(service, rig.world.admin).post('/v1/webhooks', hook));
      expect(await reasonsOf(service)).not.toContain('lane_behind');
      await rig.database.raw(`UPDATE webhook_readers SET due_at = ${Date.now() - 600_000}`);
      await raises(service, 'lane_behind');
      const id = "x'0190b6f25a6e7c3d8e4f2a1b3c4d5e6f'";
      await rig.database.raw(
        `INSERT INTO federation_lanes (record_id, peer_hub_id, attempts, due_at, stopped_reason, stopped_at, lease_until) VALUES (${id}, ${id}, 3, 0, 'refused', ${Date.now()}, 0)`,
      );
      await raises(service, 'lane_blocked');
    });
  });

  it('job_late: an api process shows that no worker is there, in /status as well', async () => {
    rig.env = { ...FEW_ROUNDS, ROLE: 'api' };
    await rig.run(async (service) => {
      await raises(service, 'job_late');
      const status = (await (await fetch(`${service.url}/status`)).json()) as Body;
      expect(status).toMatchObject({ status: 'degraded' });
      expect(status['components']).toContainEqual({ name: 'Workers', status: 'degraded' });
      expect(await health(service)).toMatchObject({ workers: { status: 'degraded' } });
      rig.env = { ...FEW_ROUNDS, ROLE: 'worker' };
      await rig.run(async (worker) => {
        await expect.poll(() => reasonsOf(service)).not.toContain('job_late');
        expect((await metricsOf(worker)).status).toBe(200);
        expect((await fetch(`${worker.url}/v1/admin/system-health`)).status).toBe(404);
      });
    });
  });

  it('job_failing: the last run of a job failed', () =>
    rig.run(async (service) => {
      const { container } = service;
      const job = {
        name: 'anchor-sweep' as const,
        everyMs: 50,
        leaseMs: 5_000,
        isNeeded: () => Promise.resolve(true),
        run: () => Promise.reject(new Error('the disk is full')),
      };
      const leases = container.get(TOKENS.jobLeases);
      const failing = repeat(job, leases, new JobBeats(), container.get(TOKENS.log));
      try {
        await raises(service, 'job_failing');
        const { jobs } = (await health(service))['workers'] as { jobs: Body[] };
        expect(jobs.find(({ name }) => name === 'anchor-sweep')).toMatchObject({
          status: 'failing',
          lastFailure: 'the disk is full',
        });
      } finally {
        await failing.stop();
      }
    }));

  it('signer_away: the key service refuses, until it signs again though nobody writes', async () => {
    const transit = new TransitServer();
    await transit.start();
    transit.addKey('first');
    const other = new VaultRig(kind, { ...FEW_ROUNDS, ...transit.env('first') });
    try {
      await other.prepare();
      await other.run(async (service) => {
        expect(await reasonsOf(service)).toEqual([]);
        transit.mood = () => 503;
        const refused = await other
          .at(service, other.world.principal.client)
          .post('/v1/records', { type: 'note', criteria: { text: 'a note' } });
        expect(refused.status).toBe(503);
        await raises(service, 'signer_away');
        transit.mood = () => undefined;
        await expect.poll(() => reasonsOf(service), { interval: 500 }).not.toContain('signer_away');
      });
    } finally {
      await other.end();
      await transit.stop();
    }
  });

  it('migrations_pending: a migration is not applied', () =>
    rig.run(async (service) => {
      await rig.database.raw('DELETE FROM schema_migrations');
      await raises(service, 'migrations_pending');
      await rig.database.raw(
        `INSERT INTO schema_migrations (name, applied_at) VALUES ('${SCHEMA_NAME}', 0)`,
      );
    }));

  it('database_away: the metrics say so, from what is known without it', async () => {
    const run = rig.run(async (service) => {
      await service.container.get(TOKENS.sql).close();
      await raises(service, 'database_away');
      const began = performance.now();
      expect((await metricsOf(service)).text).toContain('\nservice_health_known 0\n');
      // A scrape that waited for the database would run into its time limit.
      expect(performance.now() - began).toBeLessThan(15_000);
    });
    // A service that lost its database says so when it stops.
    await expect(run).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

it('every reason of the table was raised', () => {
  // test/crash/full-disk.long.test.ts and test/e2e/damaged-database.long.test.ts raise the others.
  const others: readonly string[] = ['disk_full', 'database_read_only', 'database_damaged'];
  expect([...raised].sort()).toEqual(
    Object.keys(DEGRADED_REASONS)
      .filter((reason) => !others.includes(reason))
      .sort(),
  );
});
