import type { JsonObject } from '../kernel/canonical-json.ts';
import { NOT_OF_TWO } from './formats/check-peer.ts';
import { readDocument } from './read/read-document.ts';
import { ReceiptsBeside } from './formats/receipts-beside.ts';
import type { Findings, VerificationReport } from './report/report.ts';
import { reported, type Looked, type VerifyOptions } from './formats/reported.ts';
import { isCoseSequence } from './read/read-cose-sequence.ts';
import { verifyAttestation } from './formats/verify-attestation.ts';
import { verifyBundle } from './formats/verify-bundle.ts';
import { verifyExportDocument } from './formats/verify-audit-export.ts';
import { isTree, verifyTreeDocument } from './formats/verify-tree.ts';
import { verifyKeptStatement } from './formats/verify-kept-statement.ts';

/**
 * Verifies whatever file of ours this is, offline: nothing but these bytes, the trusted keys and the runtime's
 * WebCrypto. Any input ends as a report. It may be called any number of times and side by side.
 *
 * @param input the file, as bytes or as text; raw, because duplicate members vanish in any other reading
 */
export const verifyFile = (
  input: Uint8Array | string,
  options: VerifyOptions,
): Promise<VerificationReport> =>
  reported(options, async (findings) => {
    if (isCoseSequence(input)) {
      if (options.peers) findings.cannotTell('peerSide', NOT_OF_TWO);
      return verifyAttestation(input, options, findings);
    }
    const document = readDocument(input, findings);
    if (!document || document.kind === 'audit-export' || isTree(document.value))
      return verifyExports(document?.value ?? null, options, findings);
    if (options.kept?.length)
      findings.cannotTell(
        'keptStatements',
        'cannot tell: a kept statement is held against an export, and this file is itself a statement',
      );
    if (options.peers) findings.cannotTell('peerSide', NOT_OF_TWO);
    return document.kind === 'sigstore-bundle'
      ? verifyBundle(document.value, options, findings)
      : verifyKeptStatement(document.value, options, findings);
  });

/** An export of one record or of several, with the receipts beside it. */
const verifyExports = async (
  value: JsonObject | null,
  options: VerifyOptions,
  findings: Findings,
): Promise<Looked> => {
  const receiptsBeside = options.receipts && new ReceiptsBeside(options.receipts);
  const asked = { ...options, ...(receiptsBeside ? { receiptsBeside } : {}) };
  const looked = await (value && isTree(value)
    ? verifyTreeDocument(value, asked, findings)
    : verifyExportDocument(value, asked, findings));
  await receiptsBeside?.tell(findings);
  return looked;
};
