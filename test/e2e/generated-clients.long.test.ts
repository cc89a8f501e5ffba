import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service/service-process.ts';
import { Client, createWorld, ok, type World } from '../support/service/world.ts';

/**
 * A developer's first hour: both generators make a client of the document that the service serves,
 * tsc compiles a program on each, and the programs run against the service.
 */
const folder = mkdtempSync(join(tmpdir(), 'notary-clients-'));
const generated = join(folder, 'generated');
const service = new ServiceProcess();
let world: World;

const PROGRAMS = ['with-openapi-fetch', 'with-hey-api'] as const;
const bin = (name: string): string => resolve('node_modules', '.bin', name);
const run = promisify(execFile);

beforeAll(async () => {
  const { apiKey } = await service.bootstrap();
  await service.start();
  world = await createWorld(service.url, apiKey);
  cpSync('test/e2e/programs', folder, { recursive: true });
  mkdirSync(generated);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'openapi.json'),
    JSON.stringify(await ok(new Client(service.url, null).get('/docs/openapi.json'))),
  );
  const options = { cwd: folder };
  await Promise.all([
    run(
      bin('openapi-typescript'),
      ['openapi.json', '-o', 'generated/openapi-typescript.ts'],
      options,
    ),
    run(
      bin('openapi-ts'),
      ['-i', 'openapi.json', '-o', 'generated/hey-api', '--no-log-file'],
      options,
    ),
  ]);
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(service.directory, { recursive: true, force: true });
});

describe('clients that are generated from the document', () => {
  it('compile strictly, with a program on each that asserts nothing', async () => {
    const compilerOptions = {
      target: 'ES2023',
      lib: ['ES2024', 'DOM', 'DOM.Iterable'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*.ts', 'generated/**/*.ts'] }),
    );
    const { stdout } = await run(bin('tsc'), ['-p', folder]).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(stdout).toBe('');
    for (const name of PROGRAMS)
      expect(readFileSync(join(folder, `${name}.ts`), 'utf8')).not.toMatch(/\w!|\)!|\bany\b| as /);
  });

  it.each(PROGRAMS)('%s notarizes, and takes a record through its gates', async (program) => {
    const { stdout } = await run(
      bin('tsx'),
      [`${program}.ts`, service.url, String(world.admin.key), world.orgId],
      { cwd: folder },
    );
    expect(JSON.parse(stdout)).toEqual({
      registered: expect.stringMatching(/^[0-9a-f]{64}$/),
      receipt: expect.stringMatching(/^0oR/),
      note: 'RECORDED',
      accepted: 'PROPOSAL_ACCEPTED',
      refused: 'UNPROCESSABLE_STATE',
      gates: ['enough: pass'],
      status: 'FULFILLED',
      found: [true],
      performer: true,
      gateMode: 'principal',
      story: [
        'RECORD_PROPOSED',
        'PROPOSAL_ACCEPTED',
        'COMPLETION_SUBMITTED',
        'VERDICT_RENDERED',
        'SIGNAL_EMITTED',
      ],
    });
  });

  it('make no type that takes nothing of an object that takes anything, and number none', () => {
    const types = readFileSync(join(generated, 'openapi-typescript.ts'), 'utf8');
    const empty = types.split('\n').filter((line) => line.includes('Record<string, never>'));
    expect(empty.map((line) => line.trim())).toEqual([
      'export type webhooks = Record<string, never>;',
      'export type $defs = Record<string, never>;',
      // What takes {} and nothing else: to withdraw a dispute, to roll the hub key over, to exempt an agent, to ping, pause and resume a webhook, to retry its DLQ or an entry of it.
      ...Array.from({ length: 8 }, () => '"application/json": Record<string, never>;'),
    ]);
    const named = readFileSync(join(generated, 'hey-api', 'types.gen.ts'), 'utf8');
    expect([...named.matchAll(/^export type (\w+\d+) /gm)].map(([, name]) => name)).toEqual([
      'Base64',
      'Sha256',
    ]);
  });
});
