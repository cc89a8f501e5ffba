import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../config/operations.ts';

/** They show nothing that an org has here: the caller itself, keys of the hub, witnesses, and the logs of reads. */
const NOBODYS_DATA = [
  'getWhoami',
  'listSigningKeys',
  'listWitnesses',
  'listOrgReadsCheckpoints',
  'getOrgReadsCheckpoint',
  'proveOrgRead',
];

describe('reads', () => {
  it('say whose data they show, so that an administrator leaves a trace, but for those that show none', () => {
    const silent = OPERATIONS.filter(
      (operation) =>
        operation.effect === 'read' &&
        operation.access({}) !== 'public' &&
        operation.concerns === undefined,
    ).map(({ id }) => id);
    expect(silent.sort()).toEqual([...NOBODYS_DATA].sort());
  });
});
