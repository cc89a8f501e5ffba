import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { isObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { EnclosedReceipts } from './evidence-page.ts';
import type { ExportSource } from './export-source.ts';
import { InputError } from './input-error.ts';

/** The ids of the records in an export, in its order. @param exported as the service wrote it. */
export const recordsIn = (exported: string): readonly string[] => {
  const document = JSON.parse(exported) as JsonValue;
  const shown = isObject(document) ? (document['records'] ?? [document]) : [];
  return (Array.isArray(shown) ? (shown as readonly JsonValue[]) : []).flatMap((one) => {
    const record = isObject(one) ? one['record'] : null;
    return isObject(record) && typeof record['id'] === 'string' ? [record['id']] : [];
  });
};

/** Asks for the receipts of these records, one after the other, until one is not given: the export holds without them. */
export const fetchReceipts = async (
  recordIds: readonly string[],
  source: Pick<ExportSource, 'attestation'>,
): Promise<EnclosedReceipts> => {
  const attestations: string[] = [];
  for (const id of recordIds)
    try {
      attestations.push(encodeBase64(await source.attestation(id)));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { attestations, missing: error.message };
    }
  return { attestations, missing: null };
};
