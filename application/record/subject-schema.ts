import { Type } from 'typebox';
import { line } from '../call/schemas.ts';

export const SubjectSchema = Type.Object(
  {
    iss: line({ minLength: 1, maxLength: 512 }),
    sub: line({ minLength: 1, maxLength: 512 }),
  },
  { additionalProperties: false, description: 'Somebody at an identity provider' },
);
