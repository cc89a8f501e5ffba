import { rmSync } from 'node:fs';
import { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, ok, type Client } from '../support/service/world.ts';
import { load, type Load } from './load.ts';
import { benchDatabase } from './bench-database.ts';
import type { Row } from './table.ts';

/** Each pair is measured so often, one after the other, so that both meet the same load of the machine. */
const PAIRS = 3;

/**
 * What the log of reads costs: one record, read by an agent, which leaves no trace, and by an administrator, whose every
 * read is a signed leaf on the disk before it is answered. The time of a read may double.
 */
export const measureLoggedReads = async (
  name: string,
  seconds: number,
  mysqlUrl?: string,
): Promise<readonly Row[]> => {
  const database = mysqlUrl ? await benchDatabase(mysqlUrl) : null;
  const service = new ServiceProcess(database?.env ?? {});
  try {
    const { apiKey } = await service.bootstrap();
    await service.start();
    const { principal, admin } = await createWorld(service.url, apiKey);
    const { id } = await ok(
      principal.client.post('/v1/records', { type: 'note', criteria: { text: 'x'.repeat(900) } }),
    );
    const rows: Row[] = [];
    for (const connections of [1, 32]) {
      const read = (client: Client): Promise<Load> =>
        load({
          url: `${service.url}/v1/records/${String(id)}`,
          connections,
          duration: seconds / PAIRS,
          headers: { authorization: `Bearer ${client.key}` },
        });
      await read(admin);
      const pairs: { readonly plain: Load; readonly logged: Load }[] = [];
      for (let pair = 0; pair < PAIRS; pair++)
        pairs.push({ plain: await read(principal.client), logged: await read(admin) });
      const { plain, logged } = pairs.toSorted((a, b) => ratioOf(a) - ratioOf(b))[1]!;
      rows.push(rowOf(`${name}: GET of a record by an agent, ${connections} at once`, plain), {
        ...rowOf(`${name}: the same by an administrator, a leaf each`, logged),
        ratio: ratioOf({ plain, logged }),
        of:
          connections === 1
            ? 'the time of the read above; nobody shares its commit'
            : 'the time of the read above (limit 2)',
      });
    }
    return rows;
  } finally {
    await service.stop();
    rmSync(service.directory, { recursive: true, force: true });
    await database?.drop();
  }
};

const ratioOf = ({ plain, logged }: { readonly plain: Load; readonly logged: Load }): number =>
  plain.perSecond / logged.perSecond;

const rowOf = (what: string, { perSecond, p50, p99, failures }: Load): Row => ({
  what,
  perSecond,
  p50,
  p99,
  ...(failures > 0 ? { note: `${failures} FAILED` } : {}),
});
