import { describe, expect, it } from 'vitest';
import { importedNames, productSources } from '../support/runner/product-sources.ts';

const WRITER = 'application/sealing/chain-writer.ts';
/** The first key has to stand on its chain before anything can be sealed. */
const FIRST_KEY = 'application/sealing/first-key.ts';
const OUTBOX = 'application/sealing/event-outbox.ts';

const application = [...productSources()].filter(([file]) => file.startsWith('application/'));
const files = (is: (file: string) => boolean): readonly string[] =>
  application.map(([file]) => file).filter(is);
const calling = (call: RegExp): readonly string[] =>
  application.filter(([, source]) => call.test(source.text)).map(([file]) => file);
const importing = (to: string, name: string): readonly string[] =>
  application
    .filter(([, source]) => importedNames(source).some((one) => one.to === to && one.name === name))
    .map(([file]) => file);

describe('sealing', () => {
  it('signs chain entries in one place', () => {
    expect(importing('domain/vault/chain.ts', 'sealEntry')).toEqual([WRITER, FIRST_KEY]);
  });

  it('writes chains in one place', () => {
    expect(calling(/\bchains\s*\.\s*begin\(/)).toEqual([WRITER]);
    expect(calling(/\bchains\s*\.\s*append\(/)).toEqual([WRITER, FIRST_KEY]);
  });

  it('enqueues events in one place', () => {
    expect(calling(/\boutbox\s*\.\s*add\(/)).toEqual([OUTBOX]);
  });

  it('writes checkpoints in one place', () => {
    expect(importing('domain/vault/checkpoint.ts', 'sealCheckpoint')).toEqual([
      'application/sealing/seal-checkpoint.ts',
    ]);
  });

  it('has a file for each kind of thing that is sealed', () => {
    expect(files((file) => /^application\/(sealing|transparency|vault)\/seal-/.test(file))).toEqual(
      [
        'application/sealing/seal-checkpoint.ts',
        'application/sealing/seal-platform.ts',
        'application/sealing/seal-record.ts',
        'application/sealing/seal-schema.ts',
        'application/sealing/seal-signal.ts',
        'application/transparency/seal-org-reads.ts',
        'application/vault/seal-rotation.ts',
      ],
    );
  });
});
