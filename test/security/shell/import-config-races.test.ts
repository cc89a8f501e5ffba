import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  CarriedConfig,
  CarriedOrg,
} from '../../../application/config-import/carried-config.ts';
import {
  ImportConfig,
  type ImportedConfig,
} from '../../../application/config-import/import-config.ts';
import type { RunningService } from '../../../config/service.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';

const org = (slug: string, at: number): CarriedOrg => ({
  id: randomUUID(),
  slug: `${slug}-${at}`,
  name: slug,
  settings: { requireCoSignature: 'none' },
  position: at + 1,
  publishers: [],
});

/** What a source says; two of them have nothing in common. */
const sourceOf = (slug: string, orgs = 25): CarriedConfig => ({
  source: {
    hub: { hubId: randomUUID(), predicateBase: 'https://example.org' },
    signingKeyFingerprint: 'a'.repeat(64),
    platformEntries: orgs,
    newestEntryAt: new Date().toISOString(),
  },
  orgs: Array.from({ length: orgs }, (_, at) => org(slug, at)),
  agents: [],
  recordTypes: [],
  findings: [],
  operators: 0,
});

describe.each(quickDatabases())('two import-config at once on $name', (kind) => {
  let rig: VaultRig;
  beforeEach(async () => {
    rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440', ANCHOR: 'none' });
    rig.database = await kind.open();
    // The vault is made, and nothing else.
    await rig.run(() => Promise.resolve());
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await rig.end();
  });

  const run = (service: RunningService, config: CarriedConfig): Promise<ImportedConfig> =>
    service.container
      .get(ImportConfig)
      .execute(null as never, config, { isDryRun: false, onProgress: () => undefined });
  /** Both have compared, and found the database empty, before either writes. */
  const together = (services: readonly RunningService[]): void => {
    let compared = 0;
    let goOn: () => void;
    const all = new Promise<void>((resolve) => (goOn = resolve));
    for (const service of services) {
      const reads = service.container.get(TOKENS.recordTypeReads);
      const list = reads.list.bind(reads);
      vi.spyOn(reads, 'list').mockImplementation(async (...asked) => {
        const page = await list(...asked);
        if (++compared === services.length) goOn();
        await all;
        return page;
      });
    }
  };
  const slugs = async (): Promise<readonly string[]> =>
    (await rig.database.raw('SELECT slug FROM orgs')).map(({ slug }) => String(slug));

  it('from different sources: one carries over all of its own, and the other is refused in a sentence', async () => {
    const [a, b] = [sourceOf('alpha'), sourceOf('beta')];
    await rig.run((one) =>
      rig.run(async (other) => {
        together([one, other]);
        const ends = await Promise.allSettled([run(one, a), run(other, b)]);
        const refused = ends.findIndex(({ status }) => status === 'rejected');
        expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
        expect((ends[refused] as PromiseRejectedResult).reason).toMatchObject({
          code: 'CONFLICT',
          message: expect.stringMatching(/not in the source, was made .* while this command ran/),
          members: { suggestion: expect.stringContaining('one command at a time') as unknown },
        });
        const [kept] = [a, b].filter((_, at) => at !== refused);
        expect((await slugs()).toSorted()).toEqual(kept!.orgs.map(({ slug }) => slug).toSorted());
      }),
    );
  });

  it('from the same source: what both make is there once, and whoever was slower can run again', async () => {
    const config = sourceOf('alpha');
    await rig.run((one) =>
      rig.run(async (other) => {
        together([one, other]);
        const ends = await Promise.allSettled([run(one, config), run(other, config)]);
        for (const end of ends)
          if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'CONFLICT' });
        vi.restoreAllMocks();
        expect((await run(other, config)).orgs.created).toBeLessThanOrEqual(25);
        expect(new Set(await slugs()).size).toBe(25);
      }),
    );
  });
});
