import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SERVICES } from '../../adapters/grpc/grpc-adapter.ts';
import { EXPORT } from '../../adapters/grpc/export-endpoint.ts';
import { SUBSCRIBE } from '../../adapters/grpc/subscribe-endpoint.ts';
import { inputMessage } from '../../adapters/grpc/unary-endpoint.ts';
import { viewEncoder, type Shows } from '../../adapters/grpc/codec/view-encoder.ts';
import { pairsOf } from '../../adapters/grpc/codec/pairs.ts';
import { nameOf, viewMessage } from '../../adapters/grpc/method.ts';
import { UNARY } from '../../adapters/grpc/methods.ts';
import { getRecord, listRecords } from '../../application/record/operations.ts';
import { RecordService } from '../../adapters/grpc/generated/notary/v1/record_service_pb.ts';

const folder = mkdtempSync(join(tmpdir(), 'notary-protos-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bin = resolve('node_modules/.bin');
const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
const buf = (...args: readonly string[]): string =>
  execFileSync(join(bin, 'buf'), args, { env, encoding: 'utf8' });

const SHOWS: Shows = { step: () => ({}), refusal: () => ({}) };

describe('the .proto files', () => {
  it('keep the rules of buf lint STANDARD and its format', () => {
    expect(buf('lint')).toBe('');
    expect(buf('format', '--diff', '--exit-code', '--path', 'proto/notary')).toBe('');
  });

  it('change nothing that a client of version 1 was generated from', () => {
    buf('breaking', '--against', 'proto/v1.binpb');
    // A field that changes its number breaks every client, and the check says so.
    cpSync('proto', join(folder, 'proto'), { recursive: true });
    cpSync('buf.yaml', join(folder, 'buf.yaml'));
    const file = join(folder, 'proto/notary/v1/common.proto');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('string chain_key = 1;', 'string chain_key = 11;'));
    const { status, stdout } = spawnSync(
      join(bin, 'buf'),
      ['breaking', '--against', resolve('proto/v1.binpb')],
      { cwd: folder, env, encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([100, expect.stringContaining('chain_key')]);
  });

  it('are what the generated code was made of', () => {
    const template = `version: v2\nplugins:\n  - local: protoc-gen-es\n    out: ${folder}/made\n    opt:\n      - target=ts\n      - import_extension=ts\n`;
    const file = join(folder, 'buf.gen.yaml');
    writeFileSync(file, template);
    buf('generate', '--template', file);
    const listed = (root: string): readonly string[] =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .toSorted();
    const committed = 'adapters/grpc/generated';
    expect(listed(committed)).toEqual(listed(join(folder, 'made')));
    for (const name of listed(committed))
      expect(readFileSync(join(committed, name), 'utf8'), name).toBe(
        readFileSync(join(folder, 'made', name), 'utf8'),
      );
  });

  it('have a method for each binding, and a binding for each method with one answer', () => {
    const bound = UNARY.map(({ method }) => nameOf(method));
    const declared = SERVICES.flatMap(({ methods }) => methods)
      .filter(({ methodKind }) => methodKind === 'unary')
      .map(nameOf);
    expect(bound.toSorted()).toEqual(declared.toSorted());
  });

  it.each(UNARY.map((bound) => [nameOf(bound.method), bound] as const))(
    '%s has the members of its operation, each in the form that fits',
    (_name, bound) => {
      expect(() => inputMessage(bound)).not.toThrow();
      expect(() =>
        viewEncoder(bound.operation.output as never, viewMessage(bound), SHOWS),
      ).not.toThrow();
    },
  );

  it.each([EXPORT, SUBSCRIBE].map((bound) => [nameOf(bound.method), bound] as const))(
    '%s has the members of its operation too',
    (_name, bound) => {
      expect(() => inputMessage(bound)).not.toThrow();
    },
  );

  it('are out of step where a member is missing, or has another form', () => {
    const { method } = RecordService;
    expect(() => pairsOf(listRecords.input, method.get.input)).toThrow(
      /out of step: it lacks status/,
    );
    expect(() => pairsOf(getRecord.input, method.list.input)).toThrow(/has status.* more/);
    const { recordId: _, ...rest } = getRecord.input.properties;
    const asNumber = { ...getRecord.input, properties: { ...rest, recordId: { type: 'integer' } } };
    expect(() => pairsOf(asNumber as never, method.get.input)).toThrow(/record_id does not fit/);
  });
});
