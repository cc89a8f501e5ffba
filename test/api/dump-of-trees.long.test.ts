import { beforeAll, expect, it } from 'vitest';
import { TakeDump } from '../../application/vault/take-dump.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { useApi } from '../support/service/api.ts';
import {
  dumpCollector,
  rowsOf,
  sourceOf,
  type DumpTexts,
} from '../support/attackers/dump-files.ts';
import {
  endedChild,
  ENDS,
  openTeam,
  registerTeams,
  type End,
  type Party,
} from '../support/stories/tree.ts';
import { addAgent, ok, type Body } from '../support/service/world.ts';

const api = useApi();
let worker: Party;
beforeAll(async () => {
  await registerTeams(api.world.admin);
  worker = await addAgent(api.world.admin, api.world.orgId, 'worker');
});

const dump = async (): Promise<DumpTexts> => {
  const { write, texts } = dumpCollector();
  await api.service.container.get(TakeDump).execute({ withRound: true, write });
  return texts();
};
const verify = (texts: DumpTexts): Promise<VerificationReport> =>
  verifyDump(sourceOf(texts), {
    trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }),
  });
/** A team that is verified whenever another child has ended. */
const openFamily = async (ends: readonly End[]): Promise<void> => {
  const { id } = await openTeam(api.world, 'all-fulfilled');
  for (const end of ends) {
    await endedChild(api.world, worker, id, end);
    await api.world.principal.client.post(`/v1/records/${String(id)}/transition`, {
      action: 'verify-cascade',
    });
  }
};

it('a dump of records and their children, however these ended, is VALID', async () => {
  await openFamily(Object.keys(ENDS) as End[]);
  const texts = await dump();
  const typesIn = rowsOf(texts.audit_vault).map((row) => row['entry_type']);
  expect(typesIn.filter((type) => type === 'CHILD_DELEGATED')).toHaveLength(9);
  expect(typesIn).toContain('CASCADE_VERIFIED');
  expect(await verify(texts)).toMatchObject({ verdict: 'valid', failures: [], reasons: [] });
});

it('dumps that are taken while families grow hold no contradiction', async () => {
  let isGrowing = true;
  const { platform } = api.world;
  const grow = async (): Promise<void> => {
    for (let family = 0; family < 8; family++) await openFamily(['fulfilled', 'recorded']);
    isGrowing = false;
  };
  // Exports close chains between the rounds.
  const close = async (): Promise<void> => {
    while (isGrowing) {
      const newest = await ok(platform.get('/v1/records?limit=5'));
      for (const { id } of newest['data'] as readonly Body[])
        await platform.get(`/v1/records/${String(id)}/audit-export`);
    }
  };
  const take = async (): Promise<void> => {
    while (isGrowing) expect(await verify(await dump())).toMatchObject({ failures: [] });
  };
  await Promise.all([grow(), close(), take()]);
  expect(await verify(await dump())).toMatchObject({ verdict: 'valid' });
});
