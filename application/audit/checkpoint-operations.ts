import { Type } from 'typebox';
import { pageExample } from '../call/example-story.ts';
import { listing } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { pageOf, PAGE_INPUT } from '../call/schemas.ts';
import { checkpointOf } from './audit-export-document.ts';
import { CheckpointSchema } from './audit-export-schema.ts';
import { CHECKPOINT } from './examples.ts';
import { ListCheckpoints } from './list-checkpoints.ts';

export const listCheckpoints = listing({
  id: 'listCheckpoints',
  words: {
    summary: 'List the checkpoints of the chains of an org, newest first',
    description:
      'Of records to which the org is a party, and of its record types; a platform key lists all. They are what the database holds: an export has the proofs, and anchors are the copies outside. total counts this page; a page may be short while there are more, so follow nextCursor to its end.',
    group: 'Audit',
  },
  access: () => ({ scope: 'compliance:read' }),
  input: Type.Object({ ...PAGE_INPUT }, { additionalProperties: false }),
  output: pageOf(CheckpointSchema),
  result: { description: 'A page of checkpoints', example: pageExample(CHECKPOINT) },
  useCase: ListCheckpoints,
  // An org reads its own chains alone.
  concerns: ({ orgs }) => ({ orgs }),
  view: (slice, guide) => pageView(slice, guide, checkpointOf),
});
