import { decodeBase64Strict } from '../../../domain/kernel/base64.ts';
import { isObject, type JsonValue } from '../../../domain/kernel/canonical-json.ts';
import { parseStrictJson } from '../../../domain/kernel/strict-json.ts';

/** What is part of this very file, where it is an export of a record. */
export interface Enclosed {
  /** JSON, as the service wrote it. */
  readonly text: string;
  /** An attestation of each record, as far as they are here. */
  readonly attestations: readonly Uint8Array[];
  /** Why some are missing, in words; null where none is. */
  readonly missing: string | null;
}

export const enclosedIn = (page: Document): Enclosed | null => {
  const exported = page.getElementById('export')?.textContent;
  if (exported === undefined || exported === null) return null;
  const receipts = page.getElementById('receipts')?.textContent;
  return { text: exported.trim(), ...receiptsIn(receipts ?? '') };
};

/** What cannot be read is given as bytes that no verifier takes. */
const receiptsIn = (text: string): Omit<Enclosed, 'text'> => {
  try {
    const value = parseStrictJson(text);
    const { attestations, missing } = isObject(value) ? value : {};
    if (Array.isArray(attestations))
      return {
        attestations: (attestations as readonly JsonValue[]).map(
          (one) => decodeBase64Strict(String(one)) ?? UNREADABLE,
        ),
        missing: typeof missing === 'string' ? missing : null,
      };
  } catch {
    // Said below.
  }
  return { attestations: [UNREADABLE], missing: null };
};

const UNREADABLE = Uint8Array.of(0);
