import { execSync } from 'node:child_process';

/**
 * The process tests run what `npm start` runs: the built service, so it is built once first. Without them,
 * NOTARY_TEST_BUILD=off saves the time.
 */
export const setup = (): void => {
  if (process.env['NOTARY_TEST_BUILD'] === 'off') return;
  execSync('npm run --silent build', { stdio: 'inherit' });
};
