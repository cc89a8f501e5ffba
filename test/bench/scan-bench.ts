import { rmSync } from 'node:fs';
import { completed } from '../support/scans.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { createWorld, ok } from '../support/world.ts';
import type { Row } from './table.ts';

const CALLS = 100;
const NOTES = 100;
const ROUNDS = 3;

/** Entries a second of a scan of the vault by the running service, rows compared, beside raw verification. */
export const scanVaultOften = async (limit: number): Promise<Row> => {
  const service = new ServiceProcess();
  try {
    const { apiKey } = await service.bootstrap();
    await service.start();
    const { platform, principal } = await createWorld(service.url, apiKey);
    const notes = Array.from({ length: NOTES }, (_, at) => ({ type: 'note', criteria: { at } }));
    for (let call = 0; call < CALLS; call++)
      await ok(principal.client.post('/v1/records/bulk', notes));
    let best = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { jobId } = await ok(platform.post('/v1/admin/vault/scan'));
      const { result } = await completed(platform, jobId);
      if (result.broken > 0) throw new Error(JSON.stringify(result.brokenRecords[0]));
      best = Math.max(best, (result.entries * 1000) / result.durationMs);
    }
    return {
      what: 'scan of the vault, entries with their rows',
      perSecond: best,
      ratio: best / limit,
      of: 'raw Ed25519 verify',
    };
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
  }
};
