import { databases } from '../../support/databases/databases.ts';
import { everySuite } from './every-suite.ts';

for (const kind of databases()) if (kind.name === 'sqlite') everySuite(kind);
