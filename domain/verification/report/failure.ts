/**
 * Every way in which a verification can fail. Closed: a verifier reports one of these names or none.
 *
 * `weight` is what the failure shows. `tampering`: the bytes are not what a key holder sealed, or break a rule
 * that a key holder keeps. `capability`: this verifier cannot judge them; that fails closed (the verdict is never
 * valid), but it is no evidence against anyone.
 *
 * Shapes without a class of their own take the nearest: a document, an entry, a key or a key statement that cannot
 * be read is CHAIN_COSE_DECODE_FAILED, a checkpoint CHECKPOINT_DECODE_FAILED; a member that only repeats what is
 * sealed and repeats it wrongly has the class of the thing it repeats. For a key row that is
 * CHAIN_SIGNING_KEY_DRIFT (which key), CHAIN_ALG_MISMATCH (its algorithm) or CHAIN_KEY_POLICY_VIOLATION (its status
 * and times); for a checkpoint row CHECKPOINT_HEAD_MISMATCH. Evidence and lifecycle failures are
 * CHAIN_PAYLOAD_BINDING_MISMATCH.
 */
export const FAILURE_CLASSES = {
  CHAIN_GENESIS_INVALID: {
    weight: 'tampering',
    meaning: 'the chain does not begin as a chain begins',
  },
  CHAIN_POSITION_GAP: {
    weight: 'tampering',
    meaning: 'an entry is missing, doubled or out of order',
  },
  CHAIN_LINK_BROKEN: {
    weight: 'tampering',
    meaning: 'an entry does not follow from the entry before it',
  },
  CHAIN_HASH_MISMATCH: {
    weight: 'tampering',
    meaning: 'the bytes of an entry are not the ones that were hashed',
  },
  CHAIN_SIGNATURE_INVALID: { weight: 'tampering', meaning: 'the signature does not fit the bytes' },
  CHAIN_SIGNATURE_MISSING_KEY: {
    weight: 'tampering',
    meaning: 'the signing key is unknown, or no trusted key vouches for it',
  },
  CHAIN_COSE_DECODE_FAILED: {
    weight: 'tampering',
    meaning: 'the bytes or their envelope cannot be read',
  },
  CHAIN_COSE_HEADER_MISMATCH: {
    weight: 'tampering',
    meaning: 'the signed header belongs to another place or another kind of structure',
  },
  CHAIN_PAYLOAD_BINDING_MISMATCH: {
    weight: 'tampering',
    meaning: 'what is shown differs from what was sealed, or what was sealed breaks a rule',
  },
  CHAIN_OIDC_ACTOR_MISMATCH: {
    weight: 'tampering',
    meaning: 'the identity shown is not the one that was sealed',
  },
  CHAIN_SIGNING_KEY_DRIFT: {
    weight: 'tampering',
    meaning: 'another key is named than the one that signed',
  },
  CHAIN_ALG_MISMATCH: { weight: 'tampering', meaning: 'the algorithm is not the one of the key' },
  CHAIN_UNSUPPORTED_ALGORITHM: {
    weight: 'capability',
    meaning: 'this verifier does not know the algorithm; a newer one may',
  },
  CHAIN_KEY_EXPIRED: { weight: 'tampering', meaning: 'the key was not active at that time' },
  CHAIN_KEY_POLICY_VIOLATION: {
    weight: 'tampering',
    meaning: 'a key was used, or is listed, against the rules of its succession',
  },
  CHECKPOINT_SIGNATURE_INVALID: {
    weight: 'tampering',
    meaning: 'the signature of a checkpoint does not fit its bytes',
  },
  CHECKPOINT_SIGNATURE_MISSING_KEY: {
    weight: 'tampering',
    meaning: 'the key of a checkpoint is unknown, or no trusted key vouches for it',
  },
  CHECKPOINT_DECODE_FAILED: { weight: 'tampering', meaning: 'a checkpoint cannot be read' },
  CHECKPOINT_HEAD_MISMATCH: {
    weight: 'tampering',
    meaning: 'the chain is not the one that a checkpoint saw',
  },
  CHECKPOINT_CHAIN_MISSING: {
    weight: 'tampering',
    meaning: 'a checkpoint names a chain that is not there',
  },
  CHECKPOINT_LOG_GAP: {
    weight: 'tampering',
    meaning: 'the checkpoints are not in the order of their log',
  },
  CHECKPOINT_ROOT_MISMATCH: {
    weight: 'tampering',
    meaning: 'the tree of checkpoints has another root',
  },
  TENANT_READ_POSITION_GAP: {
    weight: 'tampering',
    meaning: "a read of an org's data is missing from its log, doubled or out of order",
  },
  TENANT_READ_LINK_BROKEN: {
    weight: 'tampering',
    meaning: "a read of an org's data does not follow from the one before it",
  },
  TENANT_READ_SIGNATURE_INVALID: {
    weight: 'tampering',
    meaning: 'the signature of a read does not fit its bytes, or its key vouches for nothing here',
  },
  TENANT_READ_PAYLOAD_BINDING_MISMATCH: {
    weight: 'tampering',
    meaning: 'what is shown of a read is not what was sealed, or it is no read of this log',
  },
  TENANT_CHECKPOINT_SIGNATURE_INVALID: {
    weight: 'tampering',
    meaning:
      'the signature of a checkpoint of reads does not fit its bytes, or its key vouches for nothing here',
  },
  TENANT_CHECKPOINT_SIZE_MISMATCH: {
    weight: 'tampering',
    meaning: 'a checkpoint of reads saw another number of them',
  },
  TENANT_CHECKPOINT_ROOT_MISMATCH: {
    weight: 'tampering',
    meaning: 'the reads are not those that a checkpoint saw',
  },
  TENANT_CHECKPOINT_FORK: {
    weight: 'tampering',
    meaning: 'two signed checkpoints of the same size say different things',
  },
  TENANT_CHECKPOINT_COSIGNATURE_INVALID: {
    weight: 'tampering',
    meaning: 'the signature of a witness does not fit the checkpoint',
  },
} as const satisfies Record<string, FailureClassRow>;

interface FailureClassRow {
  readonly weight: 'tampering' | 'capability';
  readonly meaning: string;
}

export type FailureClass = keyof typeof FAILURE_CLASSES;

export interface Failure {
  readonly class: FailureClass;
  /** Null where the failure is one of the file as such. */
  readonly chainKey: string | null;
  /** Of an entry from 1; of a checkpoint the position it names; null where there is none. */
  readonly position: number | null;
  /** In plain words, for people. */
  readonly detail: string;
}
