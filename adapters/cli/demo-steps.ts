import { auditSteps } from './demo-audit-steps.ts';
import { recordSteps } from './demo-record-steps.ts';
import type { DemoService } from './demo-service.ts';
import { setupSteps } from './demo-setup-steps.ts';
import { DemoTour, type DemoStep } from './demo-tour.ts';

/** The tour, in order. Each step builds on what the steps before it left in `seen`. */
export const demoSteps = (service: DemoService, directory: string): readonly DemoStep[] => {
  const tour = new DemoTour(service, directory);
  return [...setupSteps(tour), ...recordSteps(tour), ...auditSteps(tour)];
};
