import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { decodeUtf8Strict } from '../../domain/kernel/strict-json.ts';
import { printable } from '../../domain/kernel/printable.ts';
import { evidencePage, type EnclosedReceipts } from './evidence-page.ts';
import { fetchReceipts, recordsIn } from './fetch-receipts.ts';
import { reasonOf } from './input-error.ts';
import type { Io } from './io.ts';
import { serviceSource, type ExportSource } from './export-source.ts';
import { isRecordId } from './shell/recorded-files.ts';
import { contextOption, type Shell } from './shell/shell.ts';

/** What the command needs of whoever starts it. */
export interface ExportCommands {
  /** Of the service that is asked. */
  readonly serviceUrl: string;
  /** Sent to it; null where none was given. */
  readonly apiKey: string | null;
  /** The page of the build that takes an export; null where there was no build. */
  evidencePage(): Promise<string | null>;
}

interface ExportOptions {
  readonly url?: string;
  readonly out?: string;
  readonly html?: true;
  readonly evidence?: true;
  readonly subtree?: true;
  readonly context?: string;
}

/** `notary export`: asks the service over HTTP, so that its rules of who may read what hold. */
export const addExportCommand = (
  program: Command,
  commands: ExportCommands,
  io: Io,
  shell: Shell,
): void => {
  program
    .command('export')
    .description(
      'write the audit export of a record, as JSON or as one HTML file that verifies itself',
    )
    .argument('<record>', 'its id')
    .option('--html', 'one HTML file with the export, its receipts and the verifier inside')
    .option('--evidence', 'with the evidence, and what was said in disputes and proposals')
    .option('--subtree', 'with the records that were delegated from it')
    .option('--out <file>', 'that does not exist yet; default: standard output')
    .option('--url <url>', 'of the service: https, or http on this machine; default: NOTARY_URL')
    .addOption(contextOption())
    .addHelpText('after', HELP)
    .action(async (record: string, options: ExportOptions) => {
      if (!isRecordId(record)) throw new Error(`${printable(record)} is no id of a record`);
      const { serviceUrl, apiKey } = commands;
      if (options.context === undefined && (apiKey !== null || options.url !== undefined)) {
        if (apiKey === null)
          throw new Error(
            'NOTARY_API_KEY is not set: the service gives an export to a key that may read it',
          );
        const service = (options.url ?? serviceUrl).replace(/\/$/, '');
        return exportFrom(serviceSource(service, apiKey), record, options, commands, io);
      }
      const { withSession } = await import('./shell/run-session.ts');
      const { sessionSource } = await import('./shell/session-source.ts');
      await withSession(shell, options, (session) =>
        exportFrom(sessionSource(session), record, options, commands, io),
      );
    });
};

const exportFrom = async (
  source: ExportSource,
  record: string,
  options: ExportOptions,
  commands: ExportCommands,
  io: Io,
): Promise<void> => {
  const exported = decodeUtf8Strict(await source.export(record, options));
  assertAbout(record, exported);
  const text = options.html
    ? await inPage(commands, exported, await receiptsFor(exported, source, io))
    : exported;
  if (options.out === undefined) return io.print(text);
  const path = resolve(options.out);
  await writeNew(path, text);
  io.stdout(
    `${path} holds the export${options.html ? ', its receipts and the verifier: open it in a browser, and give it the fingerprint of the key that you trust' : ''}.\n`,
  );
};

/** Who keeps a file for years must not find the record of somebody else in it. @throws Error */
const assertAbout = (record: string, exported: string): void => {
  const held = recordsHeldBy(exported);
  if (held.includes(record.toLowerCase())) return;
  throw new Error(
    `the service answered with ${held.length === 0 ? 'no export' : `the export of ${printable(held[0]!)}`}, and not with that of ${record}: nothing was written`,
  );
};

const recordsHeldBy = (exported: string): readonly string[] => {
  try {
    return recordsIn(exported);
  } catch {
    return [];
  }
};

const HELP = `
Examples:
  notary export 0190… --evidence --out record.json                 with the profile that notary init made
  NOTARY_API_KEY=… notary export 0190… --evidence --out record.json
  NOTARY_API_KEY=… notary export 0190… --evidence --html --out record.html

NOTARY_API_KEY goes before the profile, --context before both.

The HTML file needs no network and no service. It asks its reader for the fingerprint of the key, which
is not to come from the file. With its export it holds the receipts of the entries, by the log of their
org. Where the service does not give all of them, the file is written, and says what is missing and why.`;

const receiptsFor = async (
  exported: string,
  source: ExportSource,
  io: Io,
): Promise<EnclosedReceipts> => {
  const receipts = await fetchReceipts(recordsIn(exported), source);
  if (receipts.missing !== null)
    io.stderr(`notary export: receipts are missing: ${printable(receipts.missing)}\n`);
  return receipts;
};

const inPage = async (
  commands: ExportCommands,
  exported: string,
  receipts: EnclosedReceipts,
): Promise<string> => {
  const page = await commands.evidencePage();
  if (page === null) throw new Error('the page is not built: run npm run build');
  return evidencePage(page, exported, receipts);
};

/** Evidence is for its reader alone, and nothing is replaced. */
const writeNew = async (path: string, text: string): Promise<void> => {
  const handle = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new Error(`${path} cannot be written: ${reasonOf(cause)}`, { cause });
  });
  try {
    await handle.writeFile(text);
  } catch (cause) {
    // A part of an export would look like one that was changed.
    await rm(path, { force: true });
    throw new Error(`${path} cannot be written: ${reasonOf(cause)}`, { cause });
  } finally {
    await handle.close();
  }
};
