import { ContainerModule } from 'inversify';
import { UpToDateSlices } from '../../application/record/up-to-date-slices.ts';
import { GetDrift } from '../../application/reputation/get-drift.ts';
import { GetReputation } from '../../application/reputation/get-reputation.ts';
import { ListDrift } from '../../application/reputation/list-drift.ts';
import { ListHistory } from '../../application/reputation/list-history.ts';
import { provide } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Reputation: the statistics of an agent's records. */
export const reputationModule = new ContainerModule((options) => {
  provide(options, GetReputation, [t.agentReads, t.performanceReads, t.clock]);
  provide(options, ListHistory, [t.agentReads, t.performanceReads, UpToDateSlices]);
  provide(options, GetDrift, [t.agentReads, t.performanceReads, t.clock]);
  provide(options, ListDrift, [t.performanceReads, t.clock]);
});
