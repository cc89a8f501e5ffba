import { Type } from 'typebox';
import { Uuid } from '../call/schemas.ts';
import { Publisher, TypeName, Version } from './manifest-schema.ts';

/** Whose record types are meant. A credential of an org means its own. */
export const OwnerOrg = {
  ...Uuid,
  description: 'The org, where the credential belongs to none',
};

/** Names one version of a record type. */
export const ONE_VERSION = {
  type: TypeName,
  version: Type.Optional({ ...Version, description: 'Default: the newest active one' }),
  publisher: Type.Optional({
    ...Publisher,
    description: 'Needed where several publishers offer the type',
  }),
  orgId: Type.Optional(OwnerOrg),
};

/** Names one version of a record type, or all. */
export const VERSIONS = {
  type: TypeName,
  publisher: Type.Optional({
    ...Publisher,
    description: 'Needed where several publishers offer the type',
  }),
  version: Type.Optional({ ...Version, description: 'Default: every version' }),
  orgId: Type.Optional(OwnerOrg),
};
