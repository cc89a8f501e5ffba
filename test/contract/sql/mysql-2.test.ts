import { describe } from 'vitest';
import { databases } from '../../support/databases/databases.ts';
import { everySuite } from './every-suite.ts';

const mysql = databases().find(({ name }) => name === 'mysql');

describe.skipIf(!mysql)('MySQL, part 2 of 3', () => everySuite(mysql!, [2, 3]));
