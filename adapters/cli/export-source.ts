import { fetchInput } from './fetch-input.ts';
import { collect } from './read-input.ts';

export interface ExportParts {
  readonly evidence?: true;
  readonly subtree?: true;
}

/** Where the files of a record are asked for. */
export interface ExportSource {
  /** The audit export. */
  export(record: string, parts: ExportParts): Promise<Uint8Array>;
  /** Its entries with the receipts of the log. @throws Error whose message says why they are not given */
  attestation(record: string): Promise<Uint8Array>;
}

/** A service, asked with a key. */
export const serviceSource = (service: string, apiKey: string): ExportSource => ({
  export: async (record, { evidence, subtree }) => {
    const query = new URLSearchParams({
      ...(evidence ? { evidence: 'true' } : {}),
      ...(subtree ? { subtree: 'true' } : {}),
    }).toString();
    const url = `${service}/v1/records/${record}/audit-export${query && `?${query}`}`;
    return collect(await fetchInput(url, 'application/json', apiKey));
  },
  attestation: async (record) => {
    const url = `${service}/v1/records/${encodeURIComponent(record)}/attestation?receipts=true`;
    return collect(await fetchInput(url, 'application/cose-sequence', apiKey));
  },
});
