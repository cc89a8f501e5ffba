import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../config/operations.ts';

/**
 * They show nothing that an org has here: the caller itself, keys of the hub, witnesses, peers and what they did not take, the logs of reads, places and hashes of
 * chains, and which rows are not what they were,
 * and how the service does.
 */
const NOBODYS_DATA = [
  'getWhoami',
  'listSigningKeys',
  'listWitnesses',
  'listPeers',
  'getPeer',
  'listFederationDlq',
  'listAnchors',
  'listOrgReadsCheckpoints',
  'listRewinds',
  'getOrgReadsCheckpoint',
  'proveOrgRead',
  'verifyAnchors',
  'getVaultScan',
  'getProvisioningStatus',
  'getSystemHealth',
  'getOpsSummary',
  'getSupportBundle',
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
