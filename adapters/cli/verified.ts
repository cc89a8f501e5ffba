import type { VerificationReport } from '../../domain/verification/report/report.ts';

/** A file and what became of it: a report, or the reason why there is none. */
export type Verified =
  | { readonly file: string; readonly report: VerificationReport }
  | { readonly file: string; readonly unreadable: string };
