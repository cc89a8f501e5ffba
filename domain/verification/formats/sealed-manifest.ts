import { isObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { hashJson } from '../../kernel/digest.ts';
import type { Manifest } from '../../record-type/manifest.ts';
import type { ReadAuditExport } from '../read/read-audit-export.ts';
import { readManifest } from '../read/read-manifest.ts';
import type { Findings } from '../report/report.ts';

/** The manifest of an export, if the first entry seals its digest and it has the members that the rules ask for. */
export const sealedManifest = (document: ReadAuditExport, findings: Findings): Manifest | null => {
  const { manifest, entries, chainKey } = document;
  if (!manifest) return null;
  findings.looked('payloadBinding');
  const mismatch = (detail: string): void =>
    findings.fail(
      'payloadBinding',
      'document',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      { chainKey, position: null },
      detail,
    );
  const digest = hashJson(manifest);
  // Every later entry repeats it, or breaks the lifecycle.
  if (entries[0] && digestIn(entries[0].statement) !== digest) {
    mismatch('the manifest is not the one whose digest was sealed');
    return null;
  }
  const read = readManifest(manifest);
  if (!read) mismatch('the manifest is none that a record type can have');
  return read;
};

const digestIn = (statement: JsonValue | undefined): JsonValue | undefined =>
  memberOf(memberOf(memberOf(statement, 'predicate'), 'schema'), 'manifestDigest');

const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
