import { readDelegationChain } from '../../../application/record/operations.ts';
import { bind, type RestBinding } from '../binding.ts';

/** Opening, reading and moving records. */
export const recordBindings: readonly RestBinding[] = [
  bind(readDelegationChain, {
    method: 'GET',
    path: '/v1/records/{id}/chain',
    names: { id: 'recordId' },
  }),
];
