import { BYTES, INSTANT, INTEGER, PACKED, TEXT, UUID } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { table } from '../tables/tables.ts';

export const ORG_ADMIN_READS = table('org_admin_reads', {
  orgId: column('org_id', UUID),
  leafIndex: column('leaf_index', INTEGER),
  signingKeyId: column('signing_key_id', TEXT),
  leafHash: column('leaf_hash', BYTES),
  coseSign1: column('cose_sign1', PACKED),
  createdAt: column('created_at', INSTANT),
});

export const ORG_READS_CHECKPOINTS = table('org_admin_reads_checkpoints', {
  id: column('id', UUID),
  orgId: column('org_id', UUID),
  treeSize: column('tree_size', INTEGER),
  rootHash: column('root_hash', BYTES),
  signingKeyId: column('signing_key_id', TEXT),
  coseSign1: column('cose_sign1', PACKED),
  createdAt: column('created_at', INSTANT),
});

export const ORG_READS_COSIGNATURES = table('org_reads_cosignatures', {
  checkpointId: column('checkpoint_id', UUID),
  witnessKeyId: column('witness_key_id', UUID),
  signature: column('signature', BYTES),
  createdAt: column('created_at', INSTANT),
});
