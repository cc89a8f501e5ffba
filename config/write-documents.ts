import { BuiltFolder } from '../adapters/docs/built-folder.ts';
import { writeDocuments } from '../adapters/docs/write-documents.ts';
import { interfaceDocuments } from './interface-documents.ts';

/** The last step of the build: `node dist/config/write-documents.js`, after bundle.js. */
await writeDocuments(await interfaceDocuments(new BuiltFolder()));
