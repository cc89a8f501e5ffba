import { Type } from 'typebox';
import { oneOf } from '../../application/call/schemas.ts';

/** A step as REST shows it. */
export const NextStep = Type.Object(
  {
    action: Type.String(),
    method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    href: Type.String({ description: 'A path, relative to the base URL' }),
    description: Type.String(),
    workflowStep: Type.Optional(Type.Integer()),
    workflowTotal: Type.Optional(Type.Integer()),
    workflowLabel: Type.Optional(Type.String()),
    afterThis: Type.Optional(Type.String()),
  },
  { description: 'One thing to do next that this credential may do' },
);
