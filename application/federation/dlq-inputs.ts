import { Type } from 'typebox';
import { PAGE_INPUT, Uuid } from '../call/schemas.ts';

const FILTER = {
  peerHubId: Type.Optional({ ...Uuid, description: 'Of this peer' }),
  recordId: Type.Optional({ ...Uuid, description: 'Of this record here' }),
};

export const FederationDlqInput = Type.Object(
  { ...FILTER, ...PAGE_INPUT },
  { additionalProperties: false },
);

export const RecoverFederationInput = Type.Object(FILTER, { additionalProperties: false });
