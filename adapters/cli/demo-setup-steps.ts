import type { DemoStep, DemoTour, Key, Named } from './demo-tour.ts';

/** The service, its people and what they may record. */
export const setupSteps = (tour: DemoTour): readonly DemoStep[] => {
  const { seen } = tour;

  const addAgent = async (name: string): Promise<readonly [string, string]> => {
    const agent = await tour.post<Named>(
      '/v1/admin/agents',
      seen.adminKey,
      { name, orgId: seen.orgId },
      201,
    );
    const key = await tour.post<Key>(
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
        // Both at once saves a third of the time; whichever comes first makes the signing key.
        const [first] = await Promise.all([
          tour.service.run('bootstrap', '--json'),
          tour.service.start(),
        ]);
        if (first.code !== 0) throw new Error(first.stderr);
        const { apiKey, signingKeyFingerprint } = JSON.parse(first.stdout) as {
          apiKey: string;
          signingKeyFingerprint: string;
        };
        Object.assign(seen, { platformKey: apiKey, fingerprint: signingKeyFingerprint });
        return [
          `it answers at ${tour.service.url}`,
          `an auditor writes down its fingerprint: sha256:${seen.fingerprint}`,
        ];
      },
    },
    {
      title: 'An org with two agents, each with a key of its own',
      run: async () => {
        const org = await tour.post<Named & { bootstrapKey: Key }>(
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
        await tour.post(
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
        await tour.post(
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
  ];
};
