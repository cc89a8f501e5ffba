import { Type } from 'typebox';

export const SubjectSchema = Type.Object(
  {
    iss: Type.String({ minLength: 1, maxLength: 512 }),
    sub: Type.String({ minLength: 1, maxLength: 512 }),
  },
  { additionalProperties: false, description: 'Somebody at an identity provider' },
);
