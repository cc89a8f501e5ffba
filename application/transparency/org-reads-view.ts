import { Type } from 'typebox';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { CosignedCheckpoint } from '../../domain/transparency/org-reads-checkpoint.ts';
import { AT, HASH, IDS, KEY_ID } from '../call/example-story.ts';
import type { Guide } from '../call/guide.ts';
import { Base64, GUIDANCE, Sha256, Timestamp, Uuid, nullable } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { OrgReadProof } from './prove-org-read.ts';

const CosignatureSchema = Type.Object({
  witnessKeyId: Uuid,
  signature: {
    ...Base64,
    description:
      'Over the UTF-8 bytes of service.org-reads.cosign.v1, a line feed, and the SHA-256 (lowercase hex) of the bytes of coseSign1',
  },
  createdAt: Timestamp,
});

export const OrgReadsCheckpointSchema = Type.Object({
  id: Uuid,
  orgId: Uuid,
  treeSize: Type.Integer({ minimum: 1 }),
  rootHash: Sha256,
  signingKeyId: Type.String(),
  createdAt: Timestamp,
  coseSign1: { ...Base64, description: 'The signed checkpoint (RFC 9052)' },
  cosignature: nullable(CosignatureSchema),
});

export const OrgReadProofSchema = Type.Object({
  leafIndex: Type.Integer({ minimum: 0 }),
  treeSize: Type.Integer({ minimum: 1 }),
  leafHash: Sha256,
  path: Type.Array(Sha256, {
    description:
      'One sibling for each level, that of the leaf first; two nodes combine as the SHA-256 of the text of their hex, left one first; the last node of an odd level is its own sibling',
  }),
  rootHash: Sha256,
});

export const orgReadsCheckpointView = ({
  cosignature,
  ...checkpoint
}: CosignedCheckpoint): ViewOf<typeof OrgReadsCheckpointSchema> => ({
  id: checkpoint.id,
  orgId: checkpoint.orgId,
  treeSize: checkpoint.treeSize,
  rootHash: toHex(checkpoint.rootHash),
  signingKeyId: checkpoint.signingKeyId,
  createdAt: checkpoint.createdAt,
  coseSign1: encodeBase64(checkpoint.coseSign1),
  cosignature: cosignature && {
    witnessKeyId: cosignature.witnessKeyId,
    signature: encodeBase64(cosignature.signature),
    createdAt: cosignature.createdAt,
  },
});

export const orgReadProofView = (proof: OrgReadProof): ViewOf<typeof OrgReadProofSchema> => ({
  leafIndex: proof.leafIndex,
  treeSize: proof.treeSize,
  leafHash: toHex(proof.leafHash),
  path: proof.path.map(toHex),
  rootHash: toHex(proof.rootHash),
});

export const COSIGNED =
  'Keep the checkpoint: nobody can be shown another log of this size without contradicting it.';

export const CosignedCheckpointSchema = Type.Object({
  ...OrgReadsCheckpointSchema.properties,
  ...GUIDANCE,
});

export const cosignedCheckpointView = (
  checkpoint: CosignedCheckpoint,
  guide: Guide,
): ViewOf<typeof CosignedCheckpointSchema> => ({
  ...orgReadsCheckpointView(checkpoint),
  suggestion: COSIGNED,
  nextSteps: guide.steps({
    action: 'view',
    operation: 'getOrgReadsCheckpoint',
    input: { checkpointId: checkpoint.id },
    description: 'Read the checkpoint with its cosignature',
  }),
});

export const COSIGNATURE = {
  witnessKeyId: IDS.key,
  signature: 'vY0f',
  createdAt: AT,
};
export const ORG_READS_CHECKPOINT = {
  id: IDS.checkpoint,
  orgId: IDS.org,
  treeSize: 1,
  rootHash: HASH,
  signingKeyId: KEY_ID,
  createdAt: AT,
  coseSign1: '0oRY',
  cosignature: null,
};
export const ORG_READ_PROOF = {
  leafIndex: 0,
  treeSize: 1,
  leafHash: HASH,
  path: [],
  rootHash: HASH,
};
