import { rmSync } from 'node:fs';
import { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, ok } from '../support/service/world.ts';
import type * as Parts from './parts/verify-parts.ts';
import { asBuilt } from './as-built.ts';
import type { Row } from './table.ts';

const { trustOf, HubKeys, verifyAuditExport, hashWithRuntime } =
  await asBuilt<typeof Parts>('parts/verify-parts.ts');
hashWithRuntime();

const EXPORTS = 200;
const ROUNDS = 8;

/** Real exports of gated records, verified again and again: signed structures a second, beside raw verification. */
export const exportAndVerify = async (limit: number): Promise<Row> => {
  const service = new ServiceProcess();
  try {
    const { apiKey, signingKeyFingerprint } = await service.bootstrap();
    await service.start();
    const { principal } = await createWorld(service.url, apiKey);
    const texts: string[] = [];
    for (let i = 0; i < EXPORTS; i++) {
      const record = await ok(
        principal.client.post('/v1/records', {
          type: 'job',
          criteria: { goal: `goal ${i}`, threshold: 1 },
          autoActivate: true,
        }),
      );
      const completion = await ok(
        principal.client.post(`/v1/records/${record['id']}/completions`, {
          evidence: { score: 5, log: 'y'.repeat(500) },
        }),
      );
      await ok(
        principal.client.post(`/v1/records/${record['id']}/verdict`, {
          verdict: 'accept',
          completionId: completion['id'],
        }),
      );
      texts.push(
        JSON.stringify(
          await ok(principal.client.get(`/v1/records/${record['id']}/audit-export?evidence=true`)),
        ),
      );
    }
    const trust = trustOf({ kind: 'fingerprint', sha256Hex: signingKeyFingerprint });
    const keys = new HubKeys();
    let signatures = 0;
    let started = 0;
    for (let round = 0; round <= ROUNDS; round++) {
      // The first round warms up and does not count.
      if (round === 1) [signatures, started] = [0, performance.now()];
      const reports = await Promise.all(
        texts.map((text) => verifyAuditExport(text, { trust, keys })),
      );
      for (const report of reports) {
        if (report.verdict !== 'valid')
          throw new Error(JSON.stringify(report.failures[0] ?? report.reasons));
        // The entries and the closing checkpoint; the key statement is remembered after the first export.
        signatures += report.subject.entries + 1;
      }
    }
    const perSecond = (signatures * 1000) / (performance.now() - started);
    return {
      what: 'offline verify, signatures of audit exports',
      perSecond,
      ratio: perSecond / limit,
      of: 'raw Ed25519 verify',
    };
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
  }
};
