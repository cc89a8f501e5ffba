import {
  addWitness,
  listWitnesses,
  removeWitness,
} from '../../../application/identity/witness-operations.ts';
import {
  cosignOrgReadsCheckpoint,
  getOrgReadsCheckpoint,
  listOrgReadsCheckpoints,
  proveOrgRead,
} from '../../../application/transparency/org-reads-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const CHECKPOINTS = '/v1/audit/org-reads/checkpoints';
const ONE = `${CHECKPOINTS}/{id}`;
const names = { id: 'checkpointId' } as const;
const WITNESSES = '/v1/admin/witnesses';

/** The logs of what administrators and operators read, and who witnesses them. */
export const orgReadsBindings: readonly RestBinding[] = [
  bind(listOrgReadsCheckpoints, { method: 'GET', path: CHECKPOINTS }),
  bind(getOrgReadsCheckpoint, { method: 'GET', path: ONE, names }),
  bind(proveOrgRead, { method: 'GET', path: `${ONE}/proof`, names }),
  bind(cosignOrgReadsCheckpoint, { method: 'POST', path: `${ONE}/cosign`, names, status: 200 }),
  bind(addWitness, { method: 'POST', path: WITNESSES, status: 201 }),
  bind(listWitnesses, { method: 'GET', path: WITNESSES }),
  bind(removeWitness, { method: 'DELETE', path: `${WITNESSES}/{witnessKeyId}` }),
];
