import { measureFederation } from './fed-prof.ts';
import { printTable } from './table.ts';
printTable(await measureFederation('SQLite'));
