import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { codeOf } from '../../domain/kernel/root-cause.ts';
import type { Io } from './io.ts';
import { Progress } from './progress.ts';

interface Count {
  readonly created: number;
  readonly present: number;
}

export interface ImportOutcome {
  readonly dryRun: boolean;
  readonly source: {
    readonly hubId: string;
    readonly signingKeyFingerprint: string;
    readonly platformEntries: number;
    readonly newestEntryAt: string;
  };
  readonly orgs: Count;
  readonly agents: Count;
  readonly recordTypes: Count;
  readonly findings: readonly {
    readonly code: string;
    readonly kind: string;
    readonly subject: string;
    readonly message: string;
    readonly carried: boolean;
  }[];
  readonly operatorsLeftOut: number;
  /** Of this configuration; null where a dry run found no vault. */
  readonly signingKeyFingerprint: string | null;
}

export interface ImportInput {
  /** A database URL. */
  readonly from: string;
  /** What the file of the SECRETS_KEY of the source holds. */
  readonly secretsKey?: string;
  /** The fingerprint that the signing key of the source has to have, lowercase hex. */
  readonly fingerprint?: string;
  readonly isDryRun: boolean;
}

export interface ImportCommands {
  importConfig(
    io: Io,
    input: ImportInput,
    onProgress: (done: number, of: number) => void,
  ): Promise<ImportOutcome>;
}

interface ImportOptions {
  readonly from: string;
  readonly sourceSecretsKey?: string;
  readonly fingerprint?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const HELP = `
The source is read and never written, and may be in use. What its signed chains say counts, whatever its rows say, so
it takes none of its secrets; display names of agents are in rows alone, and are believed under its SECRETS_KEY. No
chain, record, key, secret, webhook or issuer is carried over, and files manage nothing of what is. Ids are kept. The
database of this configuration must hold no orgs of its own; run again, the command goes on where it was interrupted.
Then mint keys: notary bootstrap, or notary keys mint, and with that key the others.
Exit codes. 0: done, or nothing was left to do. 1: refused, or it failed; stderr says why, and whether something was
written. 2: the command line is wrong. 3: done, and the source was not as its chains say, or something is left out.`;

/** `notary import-config`: on the host, with its settings and secrets. @param ended is told the exit code. */
export const addImportConfigCommand = (
  program: Command,
  commands: ImportCommands,
  io: Io,
  ended: (exitCode: number) => void,
): void => {
  program
    .command('import-config')
    .description('carry orgs, agents and record types over from another database of this service')
    .requiredOption(
      '--from <database>',
      'sqlite://FILE or mysql://…, as DATABASE_URL, or @FILE that holds it: others see the command line',
    )
    .option(
      '--source-secrets-key <file>',
      'that holds the SECRETS_KEY of the source; without it, that of this configuration',
    )
    .option(
      '--fingerprint <sha256>',
      'refuse a source whose newest signing key is another one than auditors pinned',
      fingerprintOf,
    )
    .option('--dry-run', 'say what would be done, and do nothing')
    .option(
      '--json',
      'print {dryRun, source, orgs: {created, present}, agents, recordTypes, findings, …}',
    )
    .addHelpText('after', HELP)
    .action(async (options: ImportOptions) => {
      const { from, sourceSecretsKey, fingerprint, dryRun, json } = options;
      const progress = new Progress(io);
      try {
        const outcome = await commands.importConfig(
          io,
          {
            from: from.startsWith('@') ? (await fileText('--from', from.slice(1))).trim() : from,
            ...(sourceSecretsKey === undefined
              ? {}
              : { secretsKey: await fileText('--source-secrets-key', sourceSecretsKey) }),
            ...(fingerprint === undefined ? {} : { fingerprint }),
            isDryRun: dryRun === true,
          },
          (done, of) => progress.show(() => `${done} of ${of}`),
        );
        progress.clear();
        io.stdout(json ? `${JSON.stringify(outcome)}\n` : textOf(outcome));
        ended(outcome.findings.length === 0 ? 0 : 3);
      } finally {
        progress.clear();
      }
    });
};

const SHOWN = 50;

const textOf = (outcome: ImportOutcome): string => {
  const { source, findings, dryRun, signingKeyFingerprint: fingerprint } = outcome;
  const did = dryRun ? 'would be made' : 'made';
  const counted = (name: string, { created, present }: Count): string =>
    `${name.padEnd(13)} ${created} ${did}${present > 0 ? `, ${present} already there` : ''}`;
  const leftOut = findings.filter(({ carried }) => !carried).length;
  return [
    `The source is the notary ${source.hubId}, with the signing key sha256:${source.signingKeyFingerprint};`,
    `its newest entry about orgs and agents is of ${source.newestEntryAt}.`,
    '',
    counted('orgs', outcome.orgs),
    counted('agents', outcome.agents),
    counted('record types', outcome.recordTypes),
    '',
    ...findings
      .slice(0, SHOWN)
      .map(({ code, kind, subject, message }) => `${code}: ${kind} ${subject}\n  ${message}`),
    ...(findings.length > SHOWN ? [`${findings.length - SHOWN} more: --json names them.`] : []),
    ...(findings.length > 0
      ? [`${findings.length} findings; ${leftOut} things are left out.`, '']
      : []),
    `No API key is carried over, nor ${outcome.operatorsLeftOut} agents of the operators. Mint keys: notary bootstrap where`,
    'this notary never had one, otherwise notary keys mint; with that key mint those of orgs and agents.',
    ...(fingerprint === null ? [] : [`signing key fingerprint sha256:${fingerprint}`]),
    '',
  ].join('\n');
};

const fingerprintOf = (text: string): string => {
  const hex = text.toLowerCase().replace(/^sha256:/, '');
  if (/^[0-9a-f]{64}$/.test(hex)) return hex;
  throw new InvalidArgumentError('It is a SHA-256 in hexadecimal digits.');
};

const fileText = async (option: string, file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`${option}: ${file} cannot be read (${codeOf(cause)}).`, { cause });
  }
};
