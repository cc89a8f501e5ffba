import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownServices } from '../support/service/own-services.ts';
import { createWorld } from '../support/service/world.ts';

/** Debian's Python sees Debian's grpc: packages python3-grpcio, python3-protobuf, protobuf-compiler, libprotobuf-dev and protobuf-compiler-grpc. */
const PYTHON = '/usr/bin/python3';
const PLUGIN = '/usr/bin/grpc_python_plugin';
const works = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args).status === 0;
const lacks = [
  ...(works(PYTHON, '-c', 'import grpc') ? [] : ['python3-grpcio']),
  ...(works(PYTHON, '-c', 'import google.protobuf') ? [] : ['python3-protobuf']),
  ...(works('protoc', '--version') ? [] : ['protobuf-compiler']),
  ...(works('test', '-e', '/usr/include/google/protobuf/any.proto') ? [] : ['libprotobuf-dev']),
  ...(works('test', '-x', PLUGIN) ? [] : ['protobuf-compiler-grpc']),
];
if (lacks.length > 0 && process.env['REQUIRE_PYTHON_GRPC'] === '1')
  throw new Error(`REQUIRE_PYTHON_GRPC=1, but this machine lacks ${lacks.join(', ')}`);
if (lacks.length > 0)
  console.log(`the client of Python is left out: this machine lacks ${lacks.join(', ')}`);

const make = ownServices();

it.skipIf(lacks.length > 0)(
  'a client that protoc made for Python notarizes, streams, follows events and understands refusals',
  async () => {
    const service = make({ GRPC_PORT: '0' });
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    const folder = mkdtempSync(join(tmpdir(), 'notary-python-'));
    const generated = join(folder, 'generated');
    mkdirSync(generated);
    const protos = [
      'common',
      'record',
      'record_service',
      'event_service',
      'vault',
      'dispute',
      'admin',
    ]
      .map((name) => `proto/notary/v1/${name}.proto`)
      .concat('proto/google/rpc/status.proto', 'proto/google/rpc/error_details.proto');
    execFileSync('protoc', [
      '-Iproto',
      `--python_out=${generated}`,
      `--grpc_out=${generated}`,
      `--plugin=protoc-gen-grpc=${PLUGIN}`,
      ...protos,
    ]);
    const address = String(service.logged.find(({ msg }) => msg === 'ready')?.['grpc']);
    const program = 'test/e2e/programs/with_python.py';
    const said = execFileSync(
      PYTHON,
      [program, generated, address, String(world.principal.client.key)],
      { encoding: 'utf8', timeout: 60_000 },
    );
    rmSync(folder, { recursive: true, force: true });
    expect(JSON.parse(said)).toEqual({
      sameRecord: true,
      position: 1,
      criteria: { by: 'python', größe: 'ü' },
      event: ['record.recorded', true, expect.any(Number)],
      inOrder: true,
      refused: true,
      records: 270,
      noKey: ['UNAUTHENTICATED', true, 'UNAUTHORIZED'],
      notValid: ['INVALID_ARGUMENT', true, 'VALIDATION_ERROR'],
      late: 'DEADLINE_EXCEEDED',
      packed: 'UNIMPLEMENTED',
    });
  },
);
