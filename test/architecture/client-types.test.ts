import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the types of the TypeScript client are those of the OpenAPI document', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    'client-types.js',
    '--check',
  ]).catch((error: { readonly stdout: string }) => error);
  expect(stdout).toBe('');
});
