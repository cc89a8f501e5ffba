import { Type } from 'typebox';
import { jwkOf, verifyingKeyOf } from '../../domain/identity/agent-public-key.ts';
import type { Witness } from '../../domain/identity/witness.ts';
import { AT, IDS } from '../call/example-story.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, Timestamp, Uuid, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';

export const WitnessSchema = Type.Object({
  witnessKeyId: Uuid,
  name: Type.String(),
  algorithm: oneOf(['Ed25519', 'ES256']),
  publicKeyJwk: Type.Object({
    kty: oneOf(['OKP', 'EC']),
    crv: Type.String(),
    x: Type.String(),
    y: Type.Optional(Type.String({ description: 'P-256 alone' })),
  }),
  createdAt: Timestamp,
});

export const AddedWitnessSchema = Type.Object({ ...WitnessSchema.properties, ...GUIDANCE });

export const RemovedWitnessSchema = Type.Object({
  witnessKeyId: Uuid,
  deleted: Type.Literal(true),
  ...GUIDANCE,
});

export const witnessView = ({
  witnessKeyId,
  name,
  key,
  createdAt,
}: Witness): ViewOf<typeof WitnessSchema> => ({
  witnessKeyId,
  name,
  algorithm: verifyingKeyOf(key).algorithm,
  publicKeyJwk: jwkOf(key),
  createdAt,
});

/** Also in the examples of the answers, like the three below. */
export const SIGN_NEXT = 'Let the witness sign the next checkpoint of a log of reads.';
export const SIGNS_NO_MORE = 'It signs nothing more. What it signed stays, and verifies.';
export const LIST_CHECKPOINTS = {
  action: 'list-checkpoints',
  operation: 'listOrgReadsCheckpoints',
  input: {},
  description: 'List the checkpoints that a witness can sign',
};
export const LIST_WITNESSES = {
  action: 'list',
  operation: 'listWitnesses',
  input: {},
  description: 'List the witnesses',
};

export const addedWitnessView = (
  witness: Witness,
  guide: Guide,
): ViewOf<typeof AddedWitnessSchema> => ({
  ...witnessView(witness),
  suggestion: SIGN_NEXT,
  nextSteps: guide.steps(LIST_CHECKPOINTS),
});

export const removedWitnessView = (
  { witnessKeyId }: Witness,
  guide: Guide,
): ViewOf<typeof RemovedWitnessSchema> => ({
  witnessKeyId,
  deleted: true,
  suggestion: SIGNS_NO_MORE,
  nextSteps: guide.steps(LIST_WITNESSES),
});

export const WITNESS = {
  witnessKeyId: IDS.key,
  name: 'Example Auditors',
  algorithm: 'Ed25519',
  publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
  createdAt: AT,
};
