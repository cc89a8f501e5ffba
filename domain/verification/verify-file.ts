import { readDocument } from './read-document.ts';
import type { VerificationReport } from './report.ts';
import { reported, type VerifyOptions } from './reported.ts';
import { verifyExportDocument } from './verify-audit-export.ts';
import { verifyKeptStatement } from './verify-kept-statement.ts';

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
    const document = readDocument(input, findings);
    if (document?.kind !== 'signed-statement')
      return verifyExportDocument(document?.value ?? null, options, findings);
    if (options.kept?.length)
      findings.cannotTell(
        'keptStatements',
        'cannot tell: a kept statement is held against an export, and this file is itself a statement',
      );
    return verifyKeptStatement(document.value, options, findings);
  });
