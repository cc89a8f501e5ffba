import { resolve } from 'node:path';
import type { KeptPlace } from '../adapters/cli/attack-token.ts';
import { refuse } from '../adapters/http/refuse.ts';
import type { HttpRoute } from '../adapters/http/http-route.ts';
import { attackRoutes } from '../adapters/rest/demo/attack-routes.ts';
import { DemoDatabase } from '../adapters/sql/demo/demo-database.ts';
import type { Log } from '../application/ports/log.port.ts';
import { sqliteFile } from './backup.ts';
import { StartError } from './start-error.ts';
import type { Settings } from './settings-table.ts';

/** What lets a reader of the console attack the database of a demo, and of nothing else: loaded by `demo --keep` alone. */
export const demoAttacks = (
  settings: Settings,
  log: Log,
  { directory, attackToken: token }: KeptPlace,
): { readonly routes: readonly HttpRoute[]; close(): void } => {
  const file = sqliteFile(settings);
  if (file === null || resolve(file) !== resolve(directory, 'data', 'notary.sqlite'))
    throw new StartError(
      `DATABASE_URL: a demo is on the database of its own, in ${directory}, and on no other: it lets itself be attacked.`,
    );
  let opened: DemoDatabase | null = null;
  // Opened with the first attack: the service makes the file.
  const database = (): DemoDatabase => (opened ??= new DemoDatabase(file));
  return {
    routes: attackRoutes({ database, token, refuse: refuse(log) }),
    close: () => opened?.close(),
  };
};
