import { ContainerModule } from 'inversify';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { provide } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Makes a repeated call act once. */
export const idempotencyModule = new ContainerModule((options) => {
  provide(options, IdempotentTransaction, [t.unitOfWork, t.idempotencyReads, t.clock]);
});
