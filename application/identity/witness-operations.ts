import { Type } from 'typebox';
import { pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { line, PAGE_INPUT, Uuid, pageOf } from '../call/schemas.ts';
import { AddWitness } from './add-witness.ts';
import { ListWitnesses } from './list-witnesses.ts';
import { RemoveWitness } from './remove-witness.ts';
import {
  AddedWitnessSchema,
  LIST_CHECKPOINTS,
  LIST_WITNESSES,
  RemovedWitnessSchema,
  SIGNS_NO_MORE,
  SIGN_NEXT,
  WITNESS,
  WitnessSchema,
  addedWitnessView,
  removedWitnessView,
  witnessView,
} from './witness-view.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;

export const addWitness = operation({
  id: 'addWitness',
  words: {
    summary: 'Name a witness of the logs of reads',
    description:
      'Somebody outside who signs checkpoints that they have seen, so that nobody can be shown another log later.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object(
    {
      name: line({ minLength: 1, maxLength: 200 }),
      publicKeyJwk: Type.Unsafe<{ readonly [member: string]: unknown }>({
        type: 'object',
        description:
          'A public JWK (RFC 7517) on Ed25519 or P-256. Never the private members: a key with d is refused.',
      }),
    },
    { additionalProperties: false },
  ),
  output: AddedWitnessSchema,
  examples: { witness: { name: WITNESS.name, publicKeyJwk: WITNESS.publicKeyJwk } },
  result: {
    description: 'The witness',
    example: { ...WITNESS, suggestion: SIGN_NEXT, nextSteps: [LIST_CHECKPOINTS] },
  },
  problems: ['UNPROCESSABLE'],
  useCase: AddWitness,
  view: (witness, guide) => ({ view: addedWitnessView(witness, guide) }),
});

export const listWitnesses = listing({
  id: 'listWitnesses',
  words: { summary: 'List the witnesses, newest first', group: 'Administration' },
  access: () => PLATFORM,
  input: Type.Object({ ...PAGE_INPUT }, { additionalProperties: false }),
  output: pageOf(WitnessSchema),
  result: { description: 'A page of witnesses', example: pageExample(WITNESS) },
  useCase: ListWitnesses,
  view: (slice, guide) => pageView(slice, guide, witnessView),
});

export const removeWitness = operation({
  id: 'removeWitness',
  words: {
    summary: 'Remove a witness',
    description: 'It signs nothing more from now on. What it signed stays, and verifies.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object({ witnessKeyId: Uuid }, { additionalProperties: false }),
  output: RemovedWitnessSchema,
  result: {
    description: 'Removed',
    example: {
      witnessKeyId: WITNESS.witnessKeyId,
      deleted: true,
      suggestion: SIGNS_NO_MORE,
      nextSteps: [LIST_WITNESSES],
    },
  },
  target: ({ witnessKeyId }) => (witnessKeyId ? { kind: 'witness', id: witnessKeyId } : null),
  useCase: RemoveWitness,
  view: (witness, guide) => ({ view: removedWitnessView(witness, guide) }),
});
