import { chmodSync, existsSync, symlinkSync } from 'node:fs';

/**
 * Run by the build: npm links the commands of the packages a project depends on, but not the project's own, so
 * that `npx notary` in a clone would look elsewhere. An installed package needs none of this.
 */
const MAIN = 'dist/config/main.js';
const LINK = 'node_modules/.bin/notary';

chmodSync(MAIN, 0o755);
if (process.platform !== 'win32' && existsSync('node_modules/.bin') && !existsSync(LINK)) symlinkSync(`../../${MAIN}`, LINK);
