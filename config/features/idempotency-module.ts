import { ContainerModule } from 'inversify';
import { RunOnce } from '../../application/idempotency/run-once.ts';
import { provide } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Makes a repeated call act once. */
export const idempotencyModule = new ContainerModule((options) => {
  provide(options, RunOnce, [t.unitOfWork, t.idempotencyReads, t.clock]);
});
