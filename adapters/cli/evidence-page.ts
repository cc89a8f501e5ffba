/** Where the page of the build takes an export. */
const PLACE = '<!--export-->';

/** Receipts of the records in an export, by the logs of their orgs. */
export interface EnclosedReceipts {
  /** Base64: an attestation of each record, with receipts, in the order of the export. */
  readonly attestations: readonly string[];
  /** Why some are missing, in words; null where none is. */
  readonly missing: string | null;
}

/**
 * One HTML file with an export, its receipts and the verifier inside.
 *
 * @param page as the build makes it
 * @param exported the JSON of an audit export, as the service wrote it
 */
export const evidencePage = (
  page: string,
  exported: string,
  receipts: EnclosedReceipts,
): string => {
  const [before, after, ...more] = page.split(PLACE);
  if (after === undefined || more.length > 0) throw new Error('the page of the build is damaged');
  return `${before}${element('export', exported)}${element('receipts', JSON.stringify(receipts))}${after}`;
};

/** In JSON this character stands in strings alone; written out, it cannot end the element that holds the text. */
const element = (id: string, json: string): string =>
  `<script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>`;
