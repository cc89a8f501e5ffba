import { Type } from 'typebox';
import { Uuid } from '../call/schemas.ts';
import { Publisher, TypeName, Version } from './manifest-schema.ts';

/** Names one version of a record type. */
export const ONE_VERSION = {
  type: TypeName,
  version: Type.Optional(Version),
  publisher: Type.Optional(Publisher),
  orgId: Type.Optional(Uuid),
};

/** Names one version of a record type, or all. */
export const VERSIONS = {
  type: TypeName,
  publisher: Type.Optional({
    ...Publisher,
    description: 'Needed where several publishers offer the type',
  }),
  version: Type.Optional({ ...Version, description: 'Default: every version' }),
  orgId: Type.Optional(Uuid),
};
