import type { Container } from 'inversify';
import type { RestUseCases } from '../../adapters/rest/use-cases.ts';
import { CheckHealth } from '../../application/operations/check-health.ts';
import { GetPublicSchema } from '../../application/record-type/get-public-schema.ts';

/** The use cases that the routes call, each resolved once, at the start. */
export const restUseCases = (container: Pick<Container, 'get'>): RestUseCases => ({
  getPublicSchema: container.get(GetPublicSchema),
  checkHealth: container.get(CheckHealth),
});
