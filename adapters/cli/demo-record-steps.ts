import {
  expect,
  type DemoStep,
  type DemoTour,
  type Named,
  type RecordAnswer,
} from './demo-tour.ts';

/** One record that is notarized, and one that goes through its gate. */
export const recordSteps = (tour: DemoTour): readonly DemoStep[] => {
  const { seen } = tour;

  return [
    {
      title: 'Notarize: one call seals an action for good',
      run: async () => {
        const record = await tour.post<RecordAnswer>(
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
        const proposed = await tour.post<RecordAnswer>(
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
        const accepted = await tour.post<RecordAnswer>(
          `/v1/records/${seen.recordId}/accept`,
          seen.performerKey,
          undefined,
          200,
        );
        expect(accepted.status, 'ACTIVE');
        // To which an attack may put the whole database back.
        if (tour.service.isKept)
          await tour.post('/demo/copies', tour.service.attackToken, undefined, 200);
        return ['PROPOSED → ACTIVE: both consented, both acts are sealed'];
      },
    },
    {
      title: 'Evidence that does not fit is refused, and nothing is stored',
      run: async () => {
        const problem = await tour.post<{ errors: readonly { path: string; message: string }[] }>(
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
        const completion = await tour.post<
          Named & { gate: { state: string }; evidenceHash: string }
        >(
          `/v1/records/${seen.recordId}/completions`,
          seen.performerKey,
          { evidence: EVIDENCE },
          201,
        );
        expect(completion.gate.state, 'ADVISORY_PASSED');
        seen.completionId = completion.id;
        const record = await tour.post<RecordAnswer>(
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
  ];
};

const EVIDENCE = { tests: { passed: 128, failed: 0 }, coverage: 91, commit: '9f2c1e7' };
