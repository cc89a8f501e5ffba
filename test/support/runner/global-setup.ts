import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { hasMariadb, openMariadb } from '../databases/galera.ts';

/**
 * Prepares what all test files share. Each project of the run calls this, so the first call does the work.
 *
 * - It builds the service, because the process tests run what `npm start` runs. NOTARY_TEST_BUILD=off leaves that out.
 * - It starts one MariaDB for the database suites if no server is named and MariaDB is installed. The workers inherit
 *   TEST_MYSQL_URL. NOTARY_TEST_MYSQL=off leaves these suites out.
 *
 * @returns the step that stops the server at the end of the run.
 */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env['NOTARY_TEST_PREPARED'] === String(process.pid)) return undefined;
  process.env['NOTARY_TEST_PREPARED'] = String(process.pid);
  const [stop] = await Promise.all([startDatabase(), build()]);
  return stop;
};

const build = async (): Promise<void> => {
  if (process.env['NOTARY_TEST_BUILD'] === 'off') return;
  const { stdout, stderr } = await promisify(exec)('npm run --silent build');
  process.stdout.write(stdout);
  process.stderr.write(stderr);
};

const startDatabase = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env['NOTARY_TEST_MYSQL'] === 'off') {
    delete process.env['TEST_MYSQL_URL'];
    return undefined;
  }
  if (process.env['TEST_MYSQL_URL'] || !hasMariadb()) return undefined;
  const server = await openMariadb();
  process.env['TEST_MYSQL_URL'] = server.url;
  return async () => {
    delete process.env['TEST_MYSQL_URL'];
    await server.drop();
  };
};
