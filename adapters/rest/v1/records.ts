import { Type } from 'typebox';
import { route, type Route } from '../../http/route.ts';
import { AUDIT_EXPORT } from '../examples.ts';
import type { RestUseCases } from '../use-cases.ts';
import { Uuid, oneOf } from '../wire.ts';
import { AuditExportSchema } from './record-schemas.ts';

export const recordRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/records/{recordId}/audit-export',
    operationId: 'exportAudit',
    summary: 'Export the signed chain of a record for offline verification',
    description:
      'Closes with a checkpoint of the head, made for this export. With evidence=true the evidence stands at its COMPLETION_SUBMITTED entry.',
    tag: 'Audit',
    access: { scope: 'audit:read' },
    params: Type.Object({ recordId: Uuid }),
    query: Type.Object({
      evidence: Type.Optional(Type.Boolean({ default: false })),
      format: Type.Optional(oneOf(['json'])),
    }),
    answers: {
      200: { description: 'The export', schema: AuditExportSchema, example: AUDIT_EXPORT },
    },
    problems: ['CONFLICT', 'CHAIN_REWIND_DETECTED'],
    execute: (context, { params, query }) =>
      useCases.exportAudit.execute(context, {
        recordId: params.recordId,
        evidence: query.evidence ?? false,
      }),
    present: (body) => ({ status: 200, body }),
  }),
];
