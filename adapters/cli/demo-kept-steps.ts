import { expect, type DemoStep, type DemoTour, type RecordAnswer } from './demo-tour.ts';

/** What a service that stays has besides: something to act on. */
export const keptSteps = (tour: DemoTour): readonly DemoStep[] => [
  {
    title: 'Another build is proposed, and waits for the performer',
    run: async () => {
      const { seen } = tour;
      const proposed = await tour.post<RecordAnswer>(
        '/v1/records',
        seen.principalKey,
        {
          type: 'build',
          criteria: { branch: 'next', minCoverage: 80 },
          performerAgentId: seen.performerId,
        },
        201,
      );
      expect(proposed.status, 'PROPOSED');
      seen.proposedId = proposed.id;
      return [`PROPOSED, record ${proposed.id}`];
    },
  },
];
