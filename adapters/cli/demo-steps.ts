import { evidenceSteps } from './demo-evidence-steps.ts';
import { auditSteps } from './demo-audit-steps.ts';
import { keptSteps } from './demo-kept-steps.ts';
import { recordSteps } from './demo-record-steps.ts';
import { setupSteps } from './demo-setup-steps.ts';
import type { DemoStep, DemoTour } from './demo-tour.ts';

/** The tour, in order. Each step builds on what the steps before it left in `seen`. */
export const demoSteps = (tour: DemoTour): readonly DemoStep[] => [
  ...setupSteps(tour),
  ...recordSteps(tour),
  ...auditSteps(tour),
  ...(tour.service.isKept ? keptSteps(tour) : []),
  ...evidenceSteps(tour),
];
