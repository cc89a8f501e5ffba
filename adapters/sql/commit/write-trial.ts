import { randomBytes } from 'node:crypto';
import { BODIES } from '../delivery/webhook-row.ts';
import type { Session } from '../base/session.ts';

/**
 * The length of a row, which fits into half a page of InnoDB. MariaDB 10.11 crashes if it has no room for a value that
 * it stores outside of its page.
 */
const ROW_BYTES = 7_000;

/** Adds rows of so many bytes to a table that no other one refers to. The caller takes them back. */
export const writeTrial = (session: Session, bytes: number): Promise<void> =>
  session.insert(
    BODIES,
    Array.from({ length: Math.ceil(bytes / ROW_BYTES) }, () => [
      randomBytes(32),
      new Uint8Array(ROW_BYTES),
      0,
    ]),
  );
