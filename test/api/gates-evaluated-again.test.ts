import { describe, expect, it } from 'vitest';
import { CelGateEvaluator } from '../../adapters/cel/cel-gate-evaluator.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { useApi } from '../support/service/api.ts';
import { gatesOf } from '../support/attackers/genuine-steps.ts';
import { TestHub } from '../support/attackers/make-export.ts';
import { AUTO_TYPE, deliver, ok, openDecided, openJob } from '../support/service/world.ts';
import {
  created,
  passed,
  settle,
  signStory,
  submitted,
  verifyUnder,
} from '../support/attackers/lying-operator.ts';

const api = useApi();
const gates = new CelGateEvaluator();

const verified = async (id: unknown, evidence = true): Promise<VerificationReport> => {
  const path = `/v1/records/${String(id)}/audit-export?evidence=${evidence}`;
  return verifyAuditExport(JSON.stringify(await ok(api.world.principal.client.get(path))), {
    trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }),
    gates,
  });
};

describe('the gates of an export, evaluated again', () => {
  it('give what was sealed, on inputs that have the digest that was sealed: advice of principal mode', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const report = await verified(id);
    expect(report.failures).toEqual([]);
    expect(report.checks.gates).toEqual({ result: 'passed', count: 1 });
  });

  it.each([9, 0])(
    'give what was sealed: auto mode, score %d, with a revision behind',
    async (score) => {
      await ok(api.world.admin.post('/v1/schemas', { ...AUTO_TYPE, type: `again${score}` }));
      const { id } = await openJob(api.world, { type: `again${score}` });
      await deliver(api.world, id, { score });
      const report = await verified(id);
      expect(report.failures).toEqual([]);
      expect(report.checks.gates).toEqual({ result: 'passed', count: 1 });
    },
  );

  it('are not settled without the evidence, which is said by the name of the check', async () => {
    const { id } = await openDecided(api.world, 'reject');
    const report = await verified(id, false);
    expect(report).toMatchObject({
      verdict: 'valid',
      checks: { gates: { result: 'skipped_no_input', count: 1 } },
    });
  });

  describe('signed by an operator who lies', () => {
    const type = {
      gateMode: 'auto',
      gates: [{ id: 'total', expression: 'evidence.total > 100.0' }],
    } as const;
    const evidence = { invoice: 'F-2026-118' };

    const judged = async (): Promise<VerificationReport> => {
      const hub = await TestHub.start();
      const story = { type, steps: [created, submitted(), passed, settle] };
      const chain = await signStory(
        hub,
        story,
        3,
        (sealed, _, { record, manifest, statements }) => {
          const { at } = statements[1]!.predicate;
          const inputs = {
            criteria: record.criteria,
            evidence,
            record: {
              id: record.id,
              orgId: record.orgId,
              type: record.type,
              contractVersion: record.contractVersion,
              platform: record.platform,
              platformRef: record.platformRef,
              principalAgentId: record.principalAgentId,
              performerAgentId: record.performerAgentId,
              depth: record.depth,
              revisionCount: record.revisionCount,
              createdAt: record.createdAt,
              activatedAt: record.activatedAt,
            },
            completion: {
              id: record.latestCompletionId,
              revision: 1,
              evidenceHash: hashJson(evidence),
              submittedAt: at!,
            },
            children: [],
            dispute: null,
            now: at!,
          };
          const gate = gatesOf(manifest, 'auto', String(at));
          const inputsDigest = hashJson(inputs);
          const results = gate.results.map((result) => ({ ...result, inputsDigest }));
          return { ...sealed, gate: { ...gate, inputsDigest, results } };
        },
      );
      const document = structuredClone(await hub.export(chain));
      Object.assign(document.chain.entries[1]!, { evidence });
      expect((await verifyUnder(hub, document)).failures).toEqual([]);
      return verifyAuditExport(JSON.stringify(document), {
        trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
        gates,
      });
    };

    it('a gate that fails is not sealed as passed', async () => {
      const report = await judged();
      expect(report.failures.map(({ position, detail }) => [position, detail])).toEqual([
        [3, 'evaluated again, the gates give total: error'],
      ]);
    });

    it('the inputs are those of the chain and the evidence', async () => {
      const hub = await TestHub.start();
      const story = { type, steps: [created, submitted(), passed, settle] };
      const document = structuredClone(await hub.export(await signStory(hub, story)));
      Object.assign(document.chain.entries[1]!, { evidence });
      const report = await verifyAuditExport(JSON.stringify(document), {
        trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
        gates,
      });
      expect(report.failures.map(({ position, detail }) => [position, detail])).toEqual([
        [3, 'the gates judged other inputs than the chain and the evidence make'],
      ]);
    });
  });
});
