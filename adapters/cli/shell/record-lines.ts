import { printable } from '../../../domain/kernel/printable.ts';
import type { NotaryRecord } from '../../client/shapes.ts';
import { nextCommands, otherSide } from './next-commands.ts';
import type { Session } from './session.ts';
import { EXIT, ShellError } from './shell-error.ts';
import type { Answer } from './shell.ts';

/** A record as an answer shows it; also one that a call just changed. */
type Shown = NotaryRecord & {
  readonly signedStatement?: {
    readonly entryType: string;
    readonly position: number;
    readonly hash: string;
  } | null;
};

/** What the service answers of another record than the one that was asked about is not shown as if it were this. @throws ShellError */
export const ofRecord = <T extends { readonly id: string }>(id: string, record: T): T => {
  if (record.id === id.toLowerCase()) return record;
  throw new ShellError(
    `The service answered about ${printable(String(record.id))}, and not about the record ${id}. Whether it did what it was asked, an export tells: notary show ${id}`,
    EXIT.refused,
  );
};

export const recordAnswer = (
  record: Shown,
  session: Session,
  more: readonly string[] = [],
): Answer => {
  const { id, status, type, contractVersion, signedStatement, suggestion, awaiting } = record;
  return {
    json: record,
    lines: [
      `${status}  ${id}`,
      `type      ${type}, version ${contractVersion}`,
      ...(awaiting ? [`awaits    the ${awaiting}`] : []),
      ...sealedLines(signedStatement),
      ...more,
      ...(suggestion ? ['', suggestion] : []),
    ],
    next: [...nextCommands(id, record.nextSteps, session), ...otherSide(record, session)],
  };
};

export const sealedLines = (entry: Shown['signedStatement']): string[] =>
  entry ? [`sealed    ${entry.entryType}, entry ${entry.position}, ${entry.hash}`] : [];
