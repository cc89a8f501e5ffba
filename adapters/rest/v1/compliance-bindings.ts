import { Type } from 'typebox';
import {
  createComplianceExport,
  downloadComplianceExport,
  getComplianceExport,
  listComplianceExports,
} from '../../../application/compliance/operations.ts';
import {
  ComplianceExportSchema,
  GuidedExportSchema,
} from '../../../application/compliance/compliance-view.ts';
import { nullable, pageOf } from '../../../application/call/schemas.ts';
import { bind, type RestBinding } from '../binding.ts';
import type { Form } from '../form.ts';

const EXPORTS = '/v1/compliance/exports';

const downloadUrl = nullable(
  Type.String({ description: 'Path of the file; null until completed' }),
);

interface Shown {
  readonly id: string;
  readonly state: string;
}

const located = <V extends Shown>(view: V): V & { readonly downloadUrl: string | null } => ({
  ...view,
  downloadUrl: view.state === 'completed' ? `${EXPORTS}/${view.id}/download` : null,
});

const GuidedBody = Type.Object({ ...GuidedExportSchema.properties, downloadUrl });
const PageBody = pageOf(Type.Object({ ...ComplianceExportSchema.properties, downloadUrl }));

const MEDIA_TYPES = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
} as const;

interface FileView {
  readonly format: keyof typeof MEDIA_TYPES;
  readonly parts: AsyncIterable<Uint8Array>;
}

/** The file has the format that was asked for when it was made, whatever Accept prefers. */
const FILE_FORMS = (['ndjson', 'json', 'csv'] as const).map((name): Form<FileView> => ({
  name,
  mediaType: MEDIA_TYPES[name],
  example: '',
  mediaTypeOf: ({ format }) => MEDIA_TYPES[format],
  parts: ({ parts }) => parts,
}));

export const complianceBindings: readonly RestBinding[] = [
  bind(createComplianceExport, {
    method: 'POST',
    path: EXPORTS,
    query: ['orgId'],
    status: 201,
    location: ({ id }) => `${EXPORTS}/${id}`,
    body: located,
    bodySchema: GuidedBody,
  }),
  bind(listComplianceExports, {
    method: 'GET',
    path: EXPORTS,
    body: (page) => ({ ...page, data: page.data.map(located) }),
    bodySchema: PageBody,
  }),
  bind(getComplianceExport, {
    method: 'GET',
    path: `${EXPORTS}/{id}`,
    names: { id: 'exportId' },
    body: located,
    bodySchema: GuidedBody,
  }),
  bind(downloadComplianceExport, {
    method: 'GET',
    path: `${EXPORTS}/{id}/download`,
    names: { id: 'exportId' },
    forms: FILE_FORMS as unknown as readonly [Form<FileView>, ...Form<FileView>[]],
  }),
];
