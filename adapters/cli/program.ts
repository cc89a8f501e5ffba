import { Command, CommanderError } from 'commander';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { printableLines } from '../../domain/kernel/printable.ts';
import type { GateEvaluator } from '../../domain/record-type/gate-evaluator.port.ts';
import type { OpenLanes } from '../../domain/verification/dump/lane.port.ts';
import type { Io } from './io.ts';
import { addBackupCommands, type BackupCommands } from './backup.ts';
import { addExportCommand, type ExportCommands } from './export.ts';
import { addAnchorCommands, type AnchorCommands } from './anchor.ts';
import { addCompletionCommand } from './completion.ts';
import { addDoctorCommand, type DoctorCommands } from './doctor.ts';
import { addDumpCommand, type DumpCommands } from './dump.ts';
import type { DemoOptions } from './demo.ts';
import { takeAttackToken, type KeptPlace } from './attack-token.ts';
import { removeDemoDirectory } from './demo-place.ts';
import { addMcpCommand, type McpCommands } from './mcp/mcp-command.ts';
import { addImportConfigCommand, type ImportCommands } from './import-config.ts';
import { addKeysCommands, type KeyCommands } from './keys.ts';
import { addScanCommand, type ScanCommands } from './scan.ts';
import type { ShellEnvironment } from './shell/environment.ts';
import { contextOption, type Shell } from './shell/shell.ts';
import { addShellCommands } from './shell/shell-commands.ts';
import { addShowCommand } from './show-command.ts';
import { showOnce } from './show-once.ts';
import { asVerify } from './verify-command.ts';
import type { TimestampCheckerOf } from './tsa-roots.ts';

/** What the program needs of the service; `config` provides it. */
export interface Commands
  extends
    KeyCommands,
    DumpCommands,
    ExportCommands,
    ScanCommands,
    BackupCommands,
    DoctorCommands,
    ImportCommands,
    AnchorCommands,
    McpCommands {
  /**
   * Serves until the process is told to stop.
   *
   * @param demo its database, which has to be in its own directory, may be changed behind the back of the service
   */
  serve(io: Io, demo?: KeptPlace | null): Promise<number>;
  /** Mints the first platform key, once. */
  bootstrap(io: Io): Promise<{
    readonly apiKey: string;
    readonly keyId: string;
    readonly signingKeyFingerprint: string;
  }>;
  /** The names of the migrations that it ran. */
  migrate(io: Io): Promise<readonly string[]>;
  /** What the shell client takes of the environment. */
  readonly shell: ShellEnvironment;
  /** Which a running service is asked with; null where none is given. */
  readonly apiKey: string | null;
  /** Evaluates gates offline, as the service does. */
  gateEvaluator(): Promise<GateEvaluator>;
  /** Checks time stamps offline, under these roots. */
  timestampChecker: TimestampCheckerOf;
  /** Where the parts of a dump of so many bytes are verified. */
  dumpLanes(bytes: number): Promise<OpenLanes>;
  config(io: Io): Promise<EffectiveConfig>;
}

export interface EffectiveConfig {
  /** Secrets masked. */
  readonly settings: readonly { readonly name: string; readonly value: unknown }[];
  /** The public part of the active signing key; null where there is none yet or it cannot be read. */
  readonly signingKey: {
    readonly hubId: string;
    readonly keyId: string;
    /** SHA-256 of the SPKI, lowercase hex. */
    readonly fingerprint: string;
  } | null;
  /** Why there is no signing key to show. */
  readonly signingKeyUnknown: string | null;
  /** The files of the secrets that are not set, by the names of their settings. */
  readonly secretFiles: { readonly [name: string]: string };
}

export interface Program {
  /** @returns the exit code: 1 where the command failed, 2 where the command line is wrong. */
  run(args: readonly string[]): Promise<number>;
}

export const createProgram = (commands: Commands, io: Io, version: string): Program => ({
  run: async (args) => {
    let exitCode = 0;
    const shell: Shell = {
      io,
      environment: () => commands.shell,
      ended: (code) => {
        exitCode = code;
      },
    };
    const program = new Command('notary')
      .description('A cryptographic notary for automated work.')
      .version(version)
      .exitOverride()
      .enablePositionalOptions()
      .configureOutput({ writeOut: io.stdout, writeErr: io.stderr })
      .showSuggestionAfterError()
      .addHelpText(
        'after',
        '\nExit codes. 0: done; of serve, ended by SIGTERM or SIGINT. 1: it failed, or the service\ncannot start; stderr says why. 2: the command line is wrong. With a profile also 3: no credential\nthat is good, 4: the service is away. verify and show have their own.',
      );

    program
      .command('serve')
      .description('run the service')
      .action(async () => {
        exitCode = await commands.serve(io);
      });

    program
      .command('bootstrap')
      .description('mint the first platform key; refuses when one exists')
      .option('--json', 'print {apiKey, keyId, signingKeyFingerprint}')
      .action(async (options: { json?: boolean }) => {
        const first = await commands.bootstrap(io);
        const text = options.json
          ? `${JSON.stringify(first)}\n`
          : `The first platform key, shown this once:\n\n  ${first.apiKey}\n\nkeyId                   ${first.keyId}\nsigning key fingerprint sha256:${first.signingKeyFingerprint}\n`;
        await showOnce(io, text, first.keyId, (input) => commands.revokeKey(io, input));
      });

    addKeysCommands(program, commands, io, shell);

    program
      .command('migrate')
      .description('bring the database up to date, and stop')
      .option('--json', 'print {migrations}: the names of those that were still to be run')
      .addHelpText(
        'after',
        '\nExit codes. 0: it is up to date. 1: it failed, or the database is newer than this program.\n2: the command line is wrong.',
      )
      .action(async ({ json }: { json?: true }) => {
        const migrations = await commands.migrate(io);
        io.stdout(json ? `${JSON.stringify({ migrations })}\n` : 'The database is up to date.\n');
      });

    program
      .command('config')
      .description(
        'print the effective configuration, secrets masked, and the fingerprint of the signing key',
      )
      .option('--json', 'print it as JSON')
      .action(async (options: { json?: boolean }) => {
        const config = await commands.config(io);
        io.stdout(options.json ? configJson(config) : configText(config));
      });

    addBackupCommands(program, commands, io, (code) => (exitCode = code));
    addAnchorCommands(program, commands, io, (code) => (exitCode = code));
    addDoctorCommand(program, commands, io, (code) => (exitCode = code));
    addImportConfigCommand(program, commands, io, (code) => (exitCode = code));
    addDumpCommand(program, commands, io);
    addExportCommand(program, commands, io, shell);
    addScanCommand(program, commands, io, (code) => (exitCode = code));
    addMcpCommand(program, commands, io, (code) => (exitCode = code));

    const verify = program.command('verify');
    asVerify(verify, io, {
      verify: async (...given) =>
        (await import('./shell/of-record.ts')).verifyWithRecords(shell, ...given),
      name: 'notary verify',
      apiKey: commands.apiKey,
      gateEvaluator: commands.gateEvaluator,
      timestampChecker: commands.timestampChecker,
      dumpLanes: (bytes) => commands.dumpLanes(bytes),
      ended: (code) => {
        exitCode = code;
      },
    });

    verify
      .addOption(contextOption())
      .addHelpText(
        'after',
        '\nIn the place of a file the id of a record asks the service of the profile for its export, and trusts\nthe signing key that the context trusts, unless --keys name others. Exit codes 3 and 4 then: no credential\nthat is good, the service is away.',
      );

    addShowCommand(program, commands, io, shell);

    program
      .command('demo')
      .description('run the service on a temporary database and its main job in front of you')
      .option(
        '--keep [directory]',
        'leave it running, with keys and records to play with; its data is removed when it is stopped, unless a directory is given',
      )
      .option('--json', 'with --keep: print its address, keys and ids as JSON, and no tour')
      .action(async (options: DemoOptions, command: Command) => {
        if (options.json && options.keep === undefined)
          command.error('error: --json prints what --keep leaves; give both');
        const { runDemo } = await import('./demo.ts');
        exitCode = await runDemo(io, commands.evidencePage, options);
      });

    addCompletionCommand(program, io);
    addShellCommands(program, shell);

    // The service that `demo --keep` leaves: it takes its temporary directory away when it ends.
    program
      .command('kept-demo', { hidden: true })
      .argument('<directory>')
      .option('--stays', 'the directory is not temporary')
      .action(async (directory: string, { stays }: { stays?: true }) => {
        exitCode = await commands.serve(io, {
          directory,
          attackToken: await takeAttackToken(directory),
        });
        if (!stays) await removeDemoDirectory(directory);
      });

    try {
      await program.parseAsync(args, { from: 'user' });
      return exitCode;
    } catch (error) {
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
      // A database or a server that it speaks of may be somebody else's.
      io.stderr(`notary: ${printableLines(wordsOf(error))}\n`);
      return 1;
    }
  },
});

/** The values of an option that may be repeated. */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const suggestion = error instanceof NotaryError ? error.members.suggestion : undefined;
  return suggestion === undefined ? error.message : `${error.message} ${suggestion}`;
};

const configJson = ({ settings, ...rest }: EffectiveConfig): string =>
  `${JSON.stringify({ ...Object.fromEntries(settings.map(({ name, value }) => [name, value])), ...rest }, null, 2)}\n`;

/** What is no setting is a comment, so that the text serves as a .env file. */
const configText = ({
  settings,
  secretFiles,
  signingKey,
  signingKeyUnknown,
}: EffectiveConfig): string =>
  [
    ...settings.map(({ name, value }) => `${name}=${shown(value)}`),
    ...Object.entries(secretFiles).map(([name, file]) => `# ${name} is read from ${file}`),
    signingKey
      ? `# signing key sha256:${signingKey.fingerprint} (key ${signingKey.keyId} of hub ${signingKey.hubId})`
      : `# signing key unknown: ${signingKeyUnknown}`,
    '',
  ].join('\n');

const shown = (value: unknown): string =>
  value === null ? '' : Array.isArray(value) ? value.join(',') : String(value);
