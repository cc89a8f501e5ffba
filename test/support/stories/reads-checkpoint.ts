import { OrgReadsRound } from '../../../application/transparency/org-reads-round.ts';
import type { RunningService } from '../../../config/service.ts';
import { ok, type Body, type World } from '../service/world.ts';

export const READS_CHECKPOINTS = '/v1/audit/org-reads/checkpoints';

/** Reads of the org, and the newest checkpoint of its log, which covers them. */
export const readAndCovered = async ({
  world,
  service,
}: {
  readonly world: World;
  readonly service: RunningService;
}): Promise<Body> => {
  await ok(world.admin.get('/v1/records?limit=1'));
  await ok(world.admin.get('/v1/records?limit=1'));
  await service.container.get(OrgReadsRound).run();
  return (await ok(world.admin.get(READS_CHECKPOINTS)))['data'][0] as Body;
};
