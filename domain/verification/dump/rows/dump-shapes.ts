import * as form from '../../report/shape.ts';
import type { DumpFile } from './dump-rows.ts';

const NULLABLE_TEXT = form.formOrNull(form.text);

/** The members of a row of each file, in the order in which they stand. */
export const DUMP_SHAPES = {
  audit_vault: {
    chain_key: form.text,
    chain_position: form.position,
    record_id: NULLABLE_TEXT,
    entry_type: form.text,
    signing_key_id: form.keyId,
    previous_hash: form.hash,
    hash: form.hash,
    cose_sign1: form.text,
    oidc_iss: NULLABLE_TEXT,
    oidc_sub: NULLABLE_TEXT,
    created_at: form.time,
  },
  vault_checkpoints: {
    log_index: form.count,
    chain_key: form.text,
    position: form.count,
    cose_sign1: form.text,
    timestamp_token: form.optional(form.text),
  },
  vault_signing_keys: {
    key_id: form.keyId,
    algorithm: form.text,
    cose_algorithm: form.integer,
    public_key: form.text,
    status: form.text,
    activated_at: form.time,
    retired_at: form.formOrNull(form.time),
  },
  vault_key_statements: {
    key_id: form.keyId,
    statement: form.oneOfTexts('activated', 'retired'),
    chain_position: form.position,
    cose_sign1: form.text,
    created_at: form.time,
  },
  org_admin_reads: {
    org_id: form.text,
    leaf_index: form.count,
    signing_key_id: form.keyId,
    leaf_hash: form.hash,
    cose_sign1: form.text,
    created_at: form.time,
  },
  org_admin_reads_checkpoints: {
    org_id: form.text,
    tree_size: form.count,
    root_hash: form.hash,
    signing_key_id: form.keyId,
    cose_sign1: form.text,
    witness_key_id: form.optional(form.text),
    witness_signature: form.optional(form.text),
    created_at: form.time,
  },
} as const satisfies Readonly<Record<DumpFile, form.Shape>>;

/** Something of the shape of each file. */
export const ofEachShape = <T>(make: (shape: form.Shape) => T): ReadonlyMap<DumpFile, T> =>
  new Map(Object.entries(DUMP_SHAPES).map(([file, shape]) => [file as DumpFile, make(shape)]));
