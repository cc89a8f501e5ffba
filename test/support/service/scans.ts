import { setTimeout as sleep } from 'node:timers/promises';
import { ok, type Body, type Client } from './world.ts';

const PATH = '/v1/admin/vault/scan';

/** Waits until a scan that was asked for is completed. */
export const completed = async (platform: Client, jobId: unknown): Promise<Body> => {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    const scan = await ok(platform.get(`${PATH}/${String(jobId)}`));
    if (scan['state'] === 'completed') return scan;
    if (Date.now() > giveUpAt) throw new Error(`the scan does not end: ${JSON.stringify(scan)}`);
    await sleep(100);
  }
};

export const scanned = async (platform: Client): Promise<Body> =>
  completed(platform, (await ok(platform.post(PATH)))['jobId']);
