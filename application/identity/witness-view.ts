import { Type } from 'typebox';
import { jwkOf, verifyingKeyOf } from '../../domain/identity/agent-public-key.ts';
import type { Witness } from '../../domain/identity/witness.ts';
import { AT, IDS } from '../call/example-story.ts';
import { Timestamp, Uuid, oneOf } from '../call/schemas.ts';
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

export const RemovedWitnessSchema = Type.Object({
  witnessKeyId: Uuid,
  deleted: Type.Literal(true),
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

export const WITNESS = {
  witnessKeyId: IDS.key,
  name: 'Example Auditors',
  algorithm: 'Ed25519',
  publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
  createdAt: AT,
};
