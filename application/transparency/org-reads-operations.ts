import { Type } from 'typebox';
import { pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { Base64, PAGE_INPUT, Uuid, pageOf } from '../call/schemas.ts';
import { CosignCheckpoint } from './cosign-checkpoint.ts';
import {
  COSIGNATURE,
  COSIGNED,
  CosignedCheckpointSchema,
  ORG_READ_PROOF,
  ORG_READS_CHECKPOINT,
  OrgReadProofSchema,
  OrgReadsCheckpointSchema,
  cosignedCheckpointView,
  orgReadProofView,
  orgReadsCheckpointView,
} from './org-reads-view.ts';
import { ProveOrgRead } from './prove-org-read.ts';
import { GetOrgReadsCheckpoint } from './get-org-reads-checkpoint.ts';
import { ListOrgReadsCheckpoints } from './list-org-reads-checkpoints.ts';

const READ = { scope: 'audit:read' } as const;
const targetOf = ({ checkpointId }: { readonly checkpointId?: string }) =>
  checkpointId ? { kind: 'checkpoint', id: checkpointId } : null;

export const listOrgReadsCheckpoints = listing({
  id: 'listOrgReadsCheckpoints',
  words: {
    summary: "Signed checkpoints of the log of reads of an org's data, newest first",
    description:
      'Every read of what an org has here, by an administrator or an operator, is a signed leaf of its log. Empty until the first checkpoint. A platform key sees those of every org, or of the one that orgId names.',
    group: 'Audit',
  },
  access: () => READ,
  input: Type.Object(
    {
      orgId: Type.Optional({ ...Uuid, description: 'The org whose log it is' }),
      ...PAGE_INPUT,
    },
    { additionalProperties: false },
  ),
  output: pageOf(OrgReadsCheckpointSchema),
  result: { description: 'A page of checkpoints', example: pageExample(ORG_READS_CHECKPOINT) },
  useCase: ListOrgReadsCheckpoints,
  view: (slice, guide) => pageView(slice, guide, orgReadsCheckpointView),
});

export const getOrgReadsCheckpoint = operation({
  id: 'getOrgReadsCheckpoint',
  words: { summary: 'Read a checkpoint of a log of reads', group: 'Audit' },
  effect: 'read',
  access: () => READ,
  input: Type.Object({ checkpointId: Uuid }, { additionalProperties: false }),
  output: OrgReadsCheckpointSchema,
  result: { description: 'The checkpoint', example: ORG_READS_CHECKPOINT },
  target: targetOf,
  useCase: GetOrgReadsCheckpoint,
  view: (checkpoint) => ({ view: orgReadsCheckpointView(checkpoint) }),
});

export const proveOrgRead = operation({
  id: 'proveOrgRead',
  words: {
    summary: 'Prove that a read stands in the log under a checkpoint',
    description: 'Refused where the stored log does not lead to the root that was signed.',
    group: 'Audit',
  },
  effect: 'read',
  access: () => READ,
  input: Type.Object(
    {
      checkpointId: Uuid,
      leaf: Type.Integer({ minimum: 0, description: 'Index of the leaf, from 0' }),
    },
    { additionalProperties: false },
  ),
  output: OrgReadProofSchema,
  result: { description: 'The proof', example: ORG_READ_PROOF },
  problems: ['CONFLICT'],
  target: targetOf,
  useCase: ProveOrgRead,
  view: (proof) => ({ view: orgReadProofView(proof) }),
});

export const cosignOrgReadsCheckpoint = operation({
  id: 'cosignOrgReadsCheckpoint',
  words: {
    summary: 'Add the signature of a witness to a checkpoint',
    description:
      'A checkpoint has place for one. The signature is over the UTF-8 bytes of service.org-reads.cosign.v1, a line feed, and the SHA-256 (lowercase hex) of the bytes of coseSign1.',
    group: 'Audit',
  },
  effect: 'write',
  access: () => ({ scope: 'audit:write' }),
  input: Type.Object(
    {
      checkpointId: Uuid,
      witnessKeyId: Uuid,
      signature: { ...Base64, maxLength: 512, description: '64 raw bytes in base64' },
    },
    { additionalProperties: false },
  ),
  output: CosignedCheckpointSchema,
  examples: {
    witness: {
      checkpointId: ORG_READS_CHECKPOINT.id,
      witnessKeyId: COSIGNATURE.witnessKeyId,
      signature: COSIGNATURE.signature,
    },
  },
  result: {
    description: 'The checkpoint',
    example: {
      ...ORG_READS_CHECKPOINT,
      cosignature: COSIGNATURE,
      suggestion: COSIGNED,
      nextSteps: [
        {
          action: 'view',
          operation: 'getOrgReadsCheckpoint',
          input: { checkpointId: ORG_READS_CHECKPOINT.id },
          description: 'Read the checkpoint with its cosignature',
        },
      ],
    },
  },
  problems: ['CONFLICT', 'UNPROCESSABLE'],
  target: targetOf,
  useCase: CosignCheckpoint,
  view: (checkpoint, guide) => ({ view: cosignedCheckpointView(checkpoint, guide) }),
});
