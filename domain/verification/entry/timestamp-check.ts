import { parseStatement, UnreadableError } from '../../vault/parsed-statement.ts';
import type { TimestampChecker } from '../../vault/timestamp-checker.port.ts';
import { timestampFault, type Timestamp } from '../../vault/timestamp.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';
import type { FailureClass } from '../report/failure.ts';
import type { Findings } from '../report/report.ts';

/** A checkpoint with a token beside it. */
export interface StampedBytes {
  readonly coseSign1: Uint8Array;
  /** RFC 3161, DER. */
  readonly token: Uint8Array;
  readonly place: { readonly chainKey: string; readonly position: number };
}

/**
 * Checks a time stamp: signed by an authority that is trusted, over the signature of this very checkpoint, and not before
 * the checkpoint says that it was made.
 *
 * @param checker null where no roots of authorities were given: then nothing is said of it.
 * @returns what it says, where it holds.
 */
export const checkTimestamp = async (
  { coseSign1, token, place }: StampedBytes,
  checker: TimestampChecker | null,
  findings: Findings,
): Promise<Timestamp | null> => {
  findings.looked('timeStamps');
  const at = checker && timeIn(coseSign1);
  // A checkpoint that cannot be read was reported.
  if (!checker || at === null) {
    findings.unsettle('timeStamps');
    return null;
  }
  const fail = (failureClass: FailureClass, detail: string): null => {
    findings.fail('timeStamps', 'checkpoints', failureClass, place, detail);
    return null;
  };
  const reading = await checker.read(token);
  if ('fault' in reading)
    return fail(
      reading.fault === 'unsupported'
        ? 'CHAIN_UNSUPPORTED_ALGORITHM'
        : 'CHECKPOINT_SIGNATURE_INVALID',
      `the time stamp: ${reading.detail}`,
    );
  const fault = timestampFault(reading.stamp, coseSign1, at);
  return fault === null ? reading.stamp : fail('CHECKPOINT_ROOT_MISMATCH', fault);
};

const timeIn = (coseSign1: Uint8Array): string | null => {
  try {
    const at = parseStatement(coseSign1).statement?.predicate['at'];
    return isTimestamp(at) ? at : null;
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
};
