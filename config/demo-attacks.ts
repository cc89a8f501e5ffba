import { refuse } from '../adapters/http/refuse.ts';
import type { HttpRoute } from '../adapters/http/http-route.ts';
import { attackRoutes } from '../adapters/rest/demo/attack-routes.ts';
import { DemoDatabase } from '../adapters/sql/demo/demo-database.ts';
import type { Log } from '../application/log.port.ts';
import { sqliteFile } from './backup.ts';
import type { Settings } from './settings-table.ts';

/** What lets a reader of the console attack the database of a demo, and of nothing else: loaded by `demo --keep` alone. */
export const demoAttacks = (
  settings: Settings,
  log: Log,
  token: string,
): { readonly routes: readonly HttpRoute[]; close(): void } => {
  const file = sqliteFile(settings);
  if (file === null) throw new Error('A demo runs on the embedded database.');
  let opened: DemoDatabase | null = null;
  // Opened with the first attack: the service makes the file.
  const database = (): DemoDatabase => (opened ??= new DemoDatabase(file));
  return {
    routes: attackRoutes({ database, token, refuse: refuse(log) }),
    close: () => opened?.close(),
  };
};
