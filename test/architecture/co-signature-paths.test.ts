import { describe, expect, it } from 'vitest';
import { BINDINGS } from '../../adapters/rest/bindings.ts';
import type { RestBinding } from '../../adapters/rest/binding.ts';
import { CO_SIGNATURE_PATHS } from '../../domain/verification/co-signature-paths.ts';
import { NOBODY } from '../support/problems.ts';

/** Makes records, so that there is none yet that it could name. */
const CREATIONS: readonly string[] = ['createRecord', 'createRecordsBulk'];
const A_RECORD: { readonly [member: string]: unknown } = { recordId: NOBODY };

const actsOnRecord = ({ operation: { id, effect, target } }: RestBinding): boolean =>
  effect === 'write' && (CREATIONS.includes(id) || target?.(A_RECORD)?.kind === 'record');
const served = BINDINGS.filter(actsOnRecord).map(
  ({ options: { method, path } }) => `${method} ${path}`,
);
const known = CO_SIGNATURE_PATHS.map(({ method, path }) => `${method} ${path}`);

/** What an earlier release served and this one does not. */
const ONCE_SERVED: readonly string[] = [];

describe('the paths that a sealed co-signature may name', () => {
  it('are those of every binding that changes a record, and those of earlier releases', () => {
    expect(served.length).toBeGreaterThan(10);
    expect([...known].sort()).toEqual([...served, ...ONCE_SERVED].sort());
    expect(new Set(known).size).toBe(known.length);
  });

  it('have no parameter but the record', () => {
    const parameters = known.flatMap((path) => path.match(/\{\w+\}/g) ?? []);
    expect(new Set(parameters)).toEqual(new Set(['{id}']));
  });
});
