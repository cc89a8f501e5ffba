import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { ScanOnHost } from '../../application/vault/scan/scan-on-host.ts';
import { RunScan, SCAN_JOB } from '../../application/vault/scan/run-scan.ts';
import { TOKENS } from '../../config/tokens.ts';
import { databases } from '../support/databases/databases.ts';
import { until } from '../support/peers/receiver.ts';
import { longestGap } from '../support/service/event-loop-gap.ts';
import { completed, scanned } from '../support/service/scans.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Answer, type Body } from '../support/service/world.ts';
import { dataIn } from '../support/databases/stored-values.ts';

// Contract of application/vault/scan/vault-scanner.port.ts

const SCAN = '/v1/admin/vault/scan';

describe.each(databases())('scans of the vault on $name', (kind) => {
  const rig = new VaultRig(kind);

  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  /** Holds the lease of scans while `act` runs, so that no scan begins or ends meanwhile. */
  const held = async (act: () => Promise<unknown>): Promise<void> => {
    const { jobLeases } = rig.database.another();
    await until(() => jobLeases.acquire(SCAN_JOB, 60_000));
    try {
      await act();
    } finally {
      await jobLeases.release(SCAN_JOB, { durationMs: 0, failure: null });
    }
  };

  it('run one at a time over all nodes, and tell what they found', () =>
    rig.run(async (service) => {
      const platform = rig.at(service, rig.world.platform);
      let jobId: unknown;
      await rig.run(async (other) => {
        await held(async () => {
          const started = await platform.post(SCAN);
          expect(started).toMatchObject({ status: 202, body: { state: 'created' } });
          ({ jobId } = started.body);
          expect(await platform.post(SCAN)).toMatchObject({
            status: 409,
            body: { code: 'CONFLICT', reason: 'VAULT_SCAN_IN_FLIGHT', jobId },
          });
          expect(await rig.at(other, rig.world.platform).post(SCAN)).toMatchObject({
            status: 409,
            body: { reason: 'VAULT_SCAN_IN_FLIGHT', jobId },
          });
        });
        const scan = await completed(platform, jobId);
        expect(scan).toMatchObject({
          jobId,
          state: 'completed',
          failure: null,
          result: { broken: 0, signatureErrors: 0, brokenRecords: [], omitted: 0 },
        });
        const { healthy, chains, entries } = scan['result'];
        expect(healthy).toBe(chains);
        expect(entries).toBeGreaterThan(chains);
        expect(scan['progress']).toEqual({ entries, chains });
      });
      const [event] = await rig.database.raw(
        "SELECT data FROM outbox WHERE type = 'vault.scan_completed'",
      );
      expect(dataIn(event!)).toMatchObject({ jobId, broken: 0 });
    }));

  it('of two that are asked for at once only one is', () =>
    rig.run(async (service) =>
      rig.run(async (other) => {
        const nodes = [service, other, service, other];
        let answers: Answer<Body>[] = [];
        await held(async () => {
          const all = nodes.map((node) => rig.at(node, rig.world.platform).post(SCAN));
          answers = await Promise.all(all);
        });
        const [started, ...more] = answers.filter(({ status }) => status === 202);
        expect(more).toEqual([]);
        const { jobId } = started!.body;
        expect(
          answers.filter(({ status, body }) => status === 409 && body['jobId'] === jobId),
        ).toHaveLength(3);
        await completed(rig.at(service, rig.world.platform), jobId);
      }),
    ));

  it('find nothing wrong after rotations of the signing key, and rounds of checkpoints', () =>
    rig.run(async (service) => {
      const platform = rig.at(service, rig.world.platform);
      const principal = rig.at(service, rig.world.principal.client);
      for (let round = 0; round < 2; round++) {
        await ok(principal.post('/v1/records', { type: 'note', criteria: { round } }));
        await service.container.get(CheckpointRound).run();
        await ok(platform.post('/v1/admin/vault/signing-keys/rotate'));
      }
      expect((await scanned(platform))['result']).toMatchObject({ broken: 0, brokenRecords: [] });
    }));

  it('are of the platform alone, and one that nobody asked for is not found', () =>
    rig.run(async (service) => {
      expect((await rig.at(service, rig.world.admin).post(SCAN)).status).toBe(403);
      const platform = rig.at(service, rig.world.platform);
      expect((await platform.get(`${SCAN}/${crypto.randomUUID()}`)).status).toBe(404);
    }));

  it('are taken over from a node that died, and begun by the next that runs', async () => {
    const dead = rig.database.another();
    await dead.jobLeases.acquire(SCAN_JOB, 2_000);
    await rig.run(async (service) => {
      const platform = rig.at(service, rig.world.platform);
      const { jobId } = await ok(platform.post(SCAN));
      await completed(platform, jobId);
    });
  });

  it('stay asked for where the process ends, which does not count as an attempt', async () => {
    const jobId = await rig.run(async (service) => {
      const started = await ok(rig.at(service, rig.world.platform).post(SCAN));
      const stopping = new AbortController();
      const running = service.container.get(RunScan).run(stopping.signal);
      stopping.abort(new Error('the process ends'));
      await running.catch(() => undefined);
      return started['jobId'];
    });
    await rig.run(async (service) => {
      const scan = await completed(rig.at(service, rig.world.platform), jobId);
      expect(scan).toMatchObject({ failure: null, result: { broken: 0 } });
    });
  });

  it('are given up after three attempts, so that another one can be asked for', () =>
    rig.run(async (service) => {
      const platform = rig.at(service, rig.world.platform);
      const scans = service.container.get(TOKENS.unitOfWork);
      const id = service.container.get(TOKENS.ids).next();
      await scans.transaction((stores) =>
        stores.vaultScans.insert({
          id,
          createdAt: '2026-01-01T00:00:00.000Z',
          attempts: 3,
          progress: null,
          completedAt: null,
          result: null,
          failure: null,
        }),
      );
      expect(await completed(platform, id)).toMatchObject({
        result: null,
        failure: expect.stringContaining('3 times') as string,
      });
      await scanned(platform);
    }));

  it('find an edit, tell of it as an event, and are run by the command of the host as well', () =>
    rig.run(async (service) => {
      const { id } = await ok(
        rig.at(service, rig.world.principal.client).post('/v1/records', {
          type: 'note',
          criteria: { text: 'a note' },
        }),
      );
      const where = `WHERE id = x'${String(id).replaceAll('-', '')}'`;
      await rig.database.raw(`UPDATE records SET status = 'FAILED' ${where}`);
      const scan = await scanned(rig.at(service, rig.world.platform));
      const fault = {
        recordId: id,
        chainKey: id,
        position: 1,
        reason: 'payload_drift',
        class: 'CHAIN_PAYLOAD_BINDING_MISMATCH',
        detail: 'records: status',
      };
      expect(scan['result']).toMatchObject({ broken: 1, brokenRecords: [fault], omitted: 0 });
      const [event] = await rig.database.raw(
        "SELECT data FROM outbox WHERE type = 'vault.tamper_detected'",
      );
      expect(dataIn(event!)).toMatchObject({ broken: 1 });
      await rig.database.raw(`UPDATE records SET status = 'RECORDED' ${where}`);
      const told: unknown[] = [];
      const onHost = service.container.get(ScanOnHost);
      expect(await onHost.execute((progress) => told.push(progress))).toMatchObject({ broken: 0 });
    }));

  it('are run by the command of the host where no process runs jobs, what is in flight first', async () => {
    rig.env = { ROLE: 'api' };
    await rig.run(async (service) => {
      const platform = rig.at(service, rig.world.platform);
      const { jobId } = await ok(platform.post(SCAN));
      const onHost = service.container.get(ScanOnHost);
      expect(await onHost.execute(() => undefined)).toMatchObject({ broken: 0 });
      expect(await ok(platform.get(`${SCAN}/${String(jobId)}`))).toMatchObject({
        state: 'completed',
        failure: null,
      });
    });
    rig.env = {};
  });

  it(
    'leave the thread of the service free',
    () =>
      rig.run(async (service) => {
        const principal = rig.at(service, rig.world.principal.client);
        const notes = Array.from({ length: 100 }, (_, at) => ({ type: 'note', criteria: { at } }));
        for (let call = 0; call < 30; call++) await ok(principal.post('/v1/records/bulk', notes));
        let entries = 0;
        const scan = async (): Promise<void> => {
          const result = await service.container.get(TOKENS.sql).vaultScanner.scan({
            fingerprint: service.vault.fingerprint,
            onProgress: () => undefined,
            stopping: new AbortController().signal,
          });
          ({ entries } = result);
          expect(result.brokenRecords).toEqual([]);
        };
        // Something else may be done on the thread during one of them.
        let best = Infinity;
        for (let tries = 0; tries < 3 && best >= 50; tries++)
          best = Math.min(best, await longestGap(scan));
        expect(entries).toBeGreaterThan(3_000);
        expect(best).toBeLessThan(50);
      }),
    300_000,
  );
});
