import { TellSums } from '../../../application/event/tell-sums.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { Api } from '../service/api.ts';

/** As at the end of the minute. */
export const tellSums = async ({ service: { container } }: Pick<Api, 'service'>): Promise<void> => {
  await container.get(TOKENS.refusals).flush();
  await container.get(TOKENS.refusedMessages).flush();
  await container.get(TOKENS.keyUses).flush();
  await container.get(TellSums).run();
};
