import type { ViewOf } from '../call/view-of.ts';
import type { AnyAuditExportSchema, AuditTreeSchema } from './audit-export-schema.ts';

export type ExportView = ViewOf<typeof AnyAuditExportSchema>;
type TreeView = ViewOf<typeof AuditTreeSchema>;
type RecordView = TreeView['records'] extends AsyncIterable<infer Item> ? Item : never;

/** One part of an export, by what it is. */
export interface ExportLine {
  readonly kind:
    | 'header'
    | 'manifest'
    | 'party'
    | 'entry'
    | 'key'
    | 'keyStatement'
    | 'retirement'
    | 'acknowledgement'
    | 'checkpoint'
    | 'log'
    | 'federation'
    | 'guide';
  readonly [member: string]: unknown;
}

/**
 * An export part by part, as the verifier puts it together again. Each record begins with a header that holds it; the
 * first header says what the whole export says. Keys follow once. The guide comes last, so that a file that was cut off
 * shows it. Of checkpoints, `closing` says which one closes its chain.
 */
export async function* exportLines(view: ExportView): AsyncGenerator<ExportLine> {
  const { formatVersion, canonicalization, exportedAt, service } = view;
  let header: object = { formatVersion, canonicalization, exportedAt, service };
  if ('records' in view) header = { ...header, omitted: view.omitted };
  for await (const record of recordsOf(view)) {
    yield* linesOf(record, header);
    header = {};
  }
  for (const key of view.keys) yield { kind: 'key', ...key };
  for (const statement of view.keyStatements) yield { kind: 'keyStatement', ...statement };
  yield { kind: 'guide', ...view.verificationGuide };
}

/** Those of a tree, or the one. */
export async function* recordsOf(view: ExportView): AsyncGenerator<RecordView> {
  if ('records' in view) yield* view.records;
  else yield view;
}

async function* linesOf(shown: RecordView, header: object): AsyncGenerator<ExportLine> {
  const { record, manifest, parties, chain, retirements, acknowledgements } = shown;
  const { checkpoint, checkpoints, log, federation } = shown;
  const { chainKey, head, entries } = chain;
  yield { kind: 'header', ...header, record, chain: { chainKey, head } };
  yield { kind: 'manifest', manifest };
  for (const party of parties) yield { kind: 'party', ...party };
  for await (const entry of entries) yield { kind: 'entry', ...entry };
  for (const retirement of retirements) yield { kind: 'retirement', ...retirement };
  for (const one of acknowledgements) yield { kind: 'acknowledgement', ...one };
  if (checkpoint) yield { kind: 'checkpoint', closing: true, ...checkpoint };
  for (const other of checkpoints) yield { kind: 'checkpoint', closing: false, ...other };
  if (log) yield { kind: 'log', ...log };
  if (federation) yield { kind: 'federation', ...federation };
}
