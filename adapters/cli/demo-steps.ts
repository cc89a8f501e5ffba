import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VerificationReport } from '../../domain/verification/report.ts';
import type { DemoService } from './demo-service.ts';

export interface DemoStep {
  readonly title: string;
  /** Rejects where the step does not hold; gives the lines that say what it proved. */
  run(): Promise<readonly string[]>;
}

interface Key {
  readonly apiKey: string;
}
interface Named {
  readonly id: string;
}
interface Entry {
  readonly hash: string;
  readonly position: number;
}
interface RecordAnswer extends Named {
  readonly status: string;
  readonly signedStatement: Entry & { readonly signingKeyId: string };
  readonly nextActions: readonly string[];
}

const EVIDENCE = { tests: { passed: 128, failed: 0 }, coverage: 91, commit: '9f2c1e7' };

/** The tour, in order. Each step stands on what the ones before it left in `seen`. */
export const demoSteps = (service: DemoService, directory: string): readonly DemoStep[] => {
  const seen = {
    platformKey: '',
    fingerprint: '',
    orgId: '',
    adminKey: '',
    principalId: '',
    principalKey: '',
    performerId: '',
    performerKey: '',
    recordId: '',
    completionId: '',
  };
  const exported = join(directory, 'export.json');
  const tampered = join(directory, 'tampered.json');
  const post = <T>(path: string, key: string, body: unknown, expected: number): Promise<T> =>
    service.call<T>('POST', path, key, body, expected);

  const addAgent = async (name: string): Promise<readonly [string, string]> => {
    const agent = await post<Named>(
      '/v1/admin/agents',
      seen.adminKey,
      { name, orgId: seen.orgId },
      201,
    );
    const key = await post<Key>(
      '/v1/admin/api-keys',
      seen.adminKey,
      {
        role: 'agent',
        ownerType: 'agent',
        ownerId: agent.id,
        scopeProfile: 'agent-full',
        label: name,
      },
      201,
    );
    return [agent.id, key.apiKey];
  };

  return [
    {
      title: 'The service starts and makes its signing key',
      run: async () => {
        const first = await service.run('bootstrap', '--json');
        if (first.code !== 0) throw new Error(first.stderr);
        const { apiKey, signingKeyFingerprint } = JSON.parse(first.stdout) as {
          apiKey: string;
          signingKeyFingerprint: string;
        };
        Object.assign(seen, { platformKey: apiKey, fingerprint: signingKeyFingerprint });
        await service.start();
        return [
          `it answers at ${service.url}`,
          `an auditor writes down its fingerprint: sha256:${seen.fingerprint}`,
        ];
      },
    },
    {
      title: 'An org with two agents, each with a key of its own',
      run: async () => {
        const org = await post<Named & { bootstrapKey: Key }>(
          '/v1/admin/orgs',
          seen.platformKey,
          { name: 'Acme', bootstrapAdmin: true },
          201,
        );
        Object.assign(seen, { orgId: org.id, adminKey: org.bootstrapKey.apiKey });
        [seen.principalId, seen.principalKey] = await addAgent('planner');
        [seen.performerId, seen.performerKey] = await addAgent('builder');
        return ['the keys were shown once; the service keeps only their HMAC'];
      },
    },
    {
      title: 'Two record types: one to notarize, one with a gate',
      run: async () => {
        await post(
          '/v1/schemas',
          seen.adminKey,
          {
            type: 'deployment',
            completionSchema: {},
            criteriaSchema: {
              type: 'object',
              required: ['service', 'version'],
              properties: { service: { type: 'string' }, version: { type: 'string' } },
            },
          },
          201,
        );
        await post(
          '/v1/schemas',
          seen.adminKey,
          {
            type: 'build',
            criteriaSchema: {
              type: 'object',
              required: ['branch'],
              properties: { branch: { type: 'string' }, minCoverage: { type: 'integer' } },
            },
            completionSchema: {
              type: 'object',
              required: ['tests', 'coverage', 'commit'],
              properties: {
                tests: {
                  type: 'object',
                  required: ['failed'],
                  properties: { passed: { type: 'integer' }, failed: { type: 'integer' } },
                },
                coverage: { type: 'integer' },
                commit: { type: 'string' },
              },
            },
            gates: [
              {
                id: 'green',
                description: 'No test fails and the coverage is reached',
                expression:
                  'evidence.tests.failed == 0 && evidence.coverage >= criteria.minCoverage',
              },
            ],
          },
          201,
        );
        return ['each registration is an entry of the schema chain of the org'];
      },
    },
    {
      title: 'Notarize: one call seals an action for good',
      run: async () => {
        const record = await post<RecordAnswer>(
          '/v1/records',
          seen.principalKey,
          { type: 'deployment', criteria: { service: 'billing', version: '2.4.0' } },
          201,
        );
        expect(record.status, 'RECORDED');
        return [
          `RECORDED, chain entry ${record.signedStatement.hash.slice(0, 16)}… signed by ${record.signedStatement.signingKeyId}`,
        ];
      },
    },
    {
      title: 'Gate: the principal proposes, the performer accepts',
      run: async () => {
        const proposed = await post<RecordAnswer>(
          '/v1/records',
          seen.principalKey,
          {
            type: 'build',
            criteria: { branch: 'main', minCoverage: 90 },
            performerAgentId: seen.performerId,
          },
          201,
        );
        expect(proposed.status, 'PROPOSED');
        seen.recordId = proposed.id;
        const accepted = await post<RecordAnswer>(
          `/v1/records/${seen.recordId}/accept`,
          seen.performerKey,
          undefined,
          200,
        );
        expect(accepted.status, 'ACTIVE');
        return ['PROPOSED → ACTIVE: both consented, both acts are sealed'];
      },
    },
    {
      title: 'Evidence that does not fit is refused, and nothing is stored',
      run: async () => {
        const problem = await post<{ errors: readonly { path: string; message: string }[] }>(
          `/v1/records/${seen.recordId}/completions`,
          seen.performerKey,
          { evidence: { coverage: 'high' } },
          422,
        );
        return [
          `422 with ${problem.errors.length} findings, the first at ${problem.errors[0]?.path}: ${problem.errors[0]?.message}`,
        ];
      },
    },
    {
      title: 'The performer delivers, the gate advises, the principal accepts',
      run: async () => {
        const completion = await post<Named & { gate: { state: string }; evidenceHash: string }>(
          `/v1/records/${seen.recordId}/completions`,
          seen.performerKey,
          { evidence: EVIDENCE },
          201,
        );
        expect(completion.gate.state, 'ADVISORY_PASSED');
        seen.completionId = completion.id;
        const record = await post<RecordAnswer>(
          `/v1/records/${seen.recordId}/verdict`,
          seen.principalKey,
          { verdict: 'accept', completionId: completion.id },
          200,
        );
        expect(record.status, 'FULFILLED');
        return [
          `the gate says ${completion.gate.state}; evidence is bound by its hash ${completion.evidenceHash.slice(0, 16)}…`,
          'ACTIVE → FULFILLED',
        ];
      },
    },
    {
      title: 'The audit trail is exported, and the service is stopped',
      run: async () => {
        const document = await service.call<{ chain: { entries: readonly Entry[] } }>(
          'GET',
          `/v1/records/${seen.recordId}/audit-export?evidence=true`,
          seen.principalKey,
          undefined,
          200,
        );
        await writeFile(exported, JSON.stringify(document));
        await service.stop();
        return [
          `${document.chain.entries.length} entries; from here on there is only the file and the fingerprint`,
        ];
      },
    },
    {
      title: 'An auditor verifies it offline, with the key obtained separately',
      run: async () => {
        const { code, stdout, stderr } = await service.run(
          'verify',
          exported,
          '--keys',
          `sha256:${seen.fingerprint}`,
          '--json',
        );
        if (code !== 0)
          throw new Error(`notary verify ended with ${code}: ${stderr}${stdout.slice(0, 500)}`);
        const report = JSON.parse(stdout) as VerificationReport;
        const passed = Object.entries(report.checks)
          .filter(([, check]) => check.result === 'passed')
          .map(([name]) => name);
        return [`valid: ${passed.join(', ')}`];
      },
    },
    {
      title: 'Without a key of its own the verifier does not pretend',
      run: async () => {
        const { code, stdout } = await service.run('verify', exported, '--json');
        if (code !== 2) throw new Error(`notary verify ended with ${code}, not 2`);
        return [(JSON.parse(stdout) as VerificationReport).reasons[0] ?? ''];
      },
    },
    {
      title: 'One byte of a copy is changed, and it shows',
      run: async () => {
        await writeFile(tampered, await oneByteChanged(exported));
        const { code, stdout } = await service.run(
          'verify',
          tampered,
          '--keys',
          `sha256:${seen.fingerprint}`,
          '--json',
        );
        if (code !== 1) throw new Error(`notary verify ended with ${code}, not 1`);
        const { brokenAt } = JSON.parse(stdout) as VerificationReport;
        return [
          `refused: ${brokenAt?.class} at position ${brokenAt?.position}`,
          brokenAt?.detail ?? '',
        ];
      },
    },
  ];
};

/** The evidence of the completion says 92 instead of 91: the smallest lie there is. */
const oneByteChanged = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8');
  const at = text.lastIndexOf('"coverage":91');
  if (at < 0) throw new Error('the export does not hold the evidence');
  return `${text.slice(0, at)}"coverage":92${text.slice(at + '"coverage":91'.length)}`;
};

const expect = (actual: string, expected: string): void => {
  if (actual !== expected) throw new Error(`the answer says ${actual}, not ${expected}`);
};
