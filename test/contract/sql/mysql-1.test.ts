import { expect, it } from 'vitest';
import { databases, mysqlAnnouncement } from '../../support/databases/databases.ts';
import { everySuite } from './every-suite.ts';

const kinds = databases().filter(({ name }) => name === 'mysql');
for (const kind of kinds) everySuite(kind, [1, 3]);

it('the MySQL suites run, or say in one line that they did not', () => {
  console.log(mysqlAnnouncement());
  expect(mysqlAnnouncement().includes('did not')).toBe(kinds.length === 0);
});
