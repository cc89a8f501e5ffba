import { Type } from 'typebox';
import { Uuid } from '../call/schemas.ts';
import { Publisher, TypeName, Version } from './manifest-schema.ts';

/** Which version of a record type is meant. */
export const ONE_VERSION = {
  type: TypeName,
  version: Type.Optional(Version),
  publisher: Type.Optional(Publisher),
  orgId: Type.Optional(Uuid),
};

/** Which versions of a record type are meant. */
export const VERSIONS = {
  type: TypeName,
  publisher: Type.Optional({
    ...Publisher,
    description: 'Needed where several publishers offer the type',
  }),
  version: Type.Optional({ ...Version, description: 'Default: every version' }),
  orgId: Type.Optional(Uuid),
};
