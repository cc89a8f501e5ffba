import { afterAll, describe } from 'vitest';
import { mysqlAt } from '../../support/databases/databases.ts';
import { hasGalera, openMariadb } from '../../support/databases/galera.ts';
import { everySuite } from './every-suite.ts';

const server = hasGalera() ? await openMariadb() : null;

describe.skipIf(!server)('on MariaDB', () => {
  afterAll(() => server?.drop());
  if (server) everySuite(mysqlAt(server.url));
});
