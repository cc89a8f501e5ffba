import { execFileSync } from 'node:child_process';

/** The process tests and the worker tests run what `npm start` runs: the built service, so it is built once first. */
export const setup = (): void => {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
};
