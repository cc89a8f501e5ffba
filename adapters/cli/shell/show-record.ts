import type { Io } from '../io.ts';
import { runShow, type ShowArguments } from '../show.ts';
import { pinned } from './of-record.ts';
import { nextCommands, otherSide } from './next-commands.ts';
import { nextLines, oneLine, printFailure } from './print-answer.ts';
import { openSession } from './session.ts';
import type { Shell } from './shell.ts';
import { watchRecord } from './watch-record.ts';

export interface ShowRecordArguments extends ShowArguments {
  readonly context?: string | undefined;
  readonly watch?: boolean | undefined;
}

/** `notary show RECORD`: its story as it verifies now, and with `--watch` what is added to it. */
export const showRecord = async (
  shell: Shell,
  args: ShowRecordArguments,
  io: Io,
): Promise<number> => {
  let session = null;
  try {
    session = await openSession(shell.environment(), args.context);
    const id = args.file.toLowerCase();
    const asked = { ...args, ...pinned(args, session) };
    if (args.watch) return await watchRecord(id, asked, session, io);
    const bytes = await session.client.export(id, { evidence: true });
    const code = await runShow({ ...asked, bytes }, io);
    if (args.json) return code;
    const record = await session.client.records.get(id);
    if (record.id !== id) return code;
    const next = [
      ...nextCommands(id, record.nextSteps, session),
      ...otherSide(record, session),
    ].filter(
      ({ command }) =>
        !command.startsWith(`notary show ${id}${session!.flag}`) || command.includes('--context '),
    );
    io.stdout(
      nextLines(next)
        .map((line) => `${oneLine(line)}\n`)
        .join(''),
    );
    return code;
  } catch (error) {
    return printFailure(io, error, session, args.json === true);
  }
};
