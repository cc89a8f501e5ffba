import type { ViewOf } from '../call/view-of.ts';
import type { AuditExportSchema } from './audit-export-schema.ts';

type ExportView = ViewOf<typeof AuditExportSchema>;

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
    | 'checkpoint'
    | 'log'
    | 'guide';
  readonly [member: string]: unknown;
}

/**
 * An export part by part, as the verifier puts it together again. The header comes first and holds the record; the guide
 * comes last, so that a file that was cut off shows it. Of checkpoints, `closing` says which one closes the export.
 */
export async function* exportLines(view: ExportView): AsyncGenerator<ExportLine> {
  const { manifest, parties, chain, keys, keyStatements, retirements, ...rest } = view;
  const { checkpoint, checkpoints, log, verificationGuide, ...header } = rest;
  const { chainKey, head, entries } = chain;
  yield { kind: 'header', ...header, chain: { chainKey, head } };
  yield { kind: 'manifest', manifest };
  for (const party of parties) yield { kind: 'party', ...party };
  for await (const entry of entries) yield { kind: 'entry', ...entry };
  for (const retirement of retirements) yield { kind: 'retirement', ...retirement };
  if (checkpoint) yield { kind: 'checkpoint', closing: true, ...checkpoint };
  for (const other of checkpoints) yield { kind: 'checkpoint', closing: false, ...other };
  if (log) yield { kind: 'log', ...log };
  for (const key of keys) yield { kind: 'key', ...key };
  for (const statement of keyStatements) yield { kind: 'keyStatement', ...statement };
  yield { kind: 'guide', ...verificationGuide };
}
