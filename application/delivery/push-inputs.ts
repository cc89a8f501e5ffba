import { Type } from 'typebox';
import { oneOf, Uuid } from '../call/schemas.ts';
import { URL_SCHEMA } from './webhook-inputs.ts';

/** One line of printable ASCII without spaces at its ends: what stands in a field of HTTP (RFC 9110 section 5.5). */
const FIELD = '^[!-~](?:[ -~]*[!-~])?$';

const CONFIG_ID = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[!-~]+$',
  description: 'Of the caller at this record',
});

export const SetPushConfigInput = Type.Object(
  {
    recordId: Uuid,
    configId: Type.Optional({
      ...CONFIG_ID,
      description: 'One that is there is replaced; without it a new one is made',
    }),
    url: URL_SCHEMA,
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        pattern: FIELD,
        description: 'By which the receiver knows the task; it is never shown',
      }),
    ),
    authScheme: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
        description: 'Of HTTP authentication, such as Bearer',
      }),
    ),
    credentials: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        pattern: FIELD,
        description: 'In the form of the scheme; they are never shown',
      }),
    ),
    protocolVersion: oneOf(['1.0', '0.3'], 'In whose form it is told'),
  },
  { additionalProperties: false },
);

export const PushConfigInput = Type.Object(
  { recordId: Uuid, configId: CONFIG_ID },
  { additionalProperties: false },
);

export const PushConfigsInput = Type.Object({ recordId: Uuid }, { additionalProperties: false });
