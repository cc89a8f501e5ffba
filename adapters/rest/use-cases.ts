import type { CheckHealth } from '../../application/operations/check-health.ts';
import type { GetPublicSchema } from '../../application/record-type/get-public-schema.ts';

type UseCase<T extends { execute: unknown }> = Pick<T, 'execute'>;

/** Everything that the routes call. */
export interface RestUseCases {
  readonly getPublicSchema: UseCase<GetPublicSchema>;
  readonly checkHealth: UseCase<CheckHealth>;
}
