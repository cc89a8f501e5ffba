import { Type } from 'typebox';
import { CO_SIGNATURES } from '../../domain/identity/co-signature-demand.ts';
import { oneOf } from '../call/schemas.ts';

const SETTINGS = {
  requireCoSignature: oneOf(
    CO_SIGNATURES,
    'How requests under credentials of the org must be signed by the key that the credential is bound to. What an issuer demands counts too: the stricter of the two. body: writes, over the body, which then names its record; request: reads and writes, over the whole request (RFC 9421). A credential that is bound to no key (an API key, an administrator’s token) is then refused with 403, but for what governs the org: its settings, agents, keys and who it is',
  ),
};

export const OrgSettingsSchema = Type.Object(SETTINGS);

/** What is not named stays as it is. */
export const OrgSettingsInput = Type.Object(
  { requireCoSignature: Type.Optional(SETTINGS.requireCoSignature) },
  { additionalProperties: false, minProperties: 1 },
);
