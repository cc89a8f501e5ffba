import { homedir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Io } from '../io.ts';
import type { OnUnavailable } from './wrap/notarizer.ts';

/** What the command needs of whoever starts it. */
export interface McpCommands {
  /** Of the service that is asked. */
  readonly serviceUrl: string;
  /** Sent to it; null where none was given. */
  readonly apiKey: string | null;
  /** What a tool server gets of the environment: nothing that is of the notary alone. */
  readonly toolEnvironment: Readonly<Record<string, string | undefined>>;
}

interface McpOptions {
  readonly url?: string;
  readonly wrap?: true;
  readonly type?: string;
  readonly contents?: true;
  readonly onUnavailable: OnUnavailable;
  readonly blockSeconds: number;
  readonly queue: string;
  readonly printType?: true;
}

const HELP = `
Without --wrap it is a tool server itself: a host on this machine runs it, and gets the tools of the
service, with the rights of the key. With --wrap it runs another tool server, passes everything on byte
for byte, and notarizes each call of a tool and each result. The key is read from NOTARY_API_KEY.

Examples:
  NOTARY_URL=https://notary.example NOTARY_API_KEY=… notary mcp
  notary mcp --print-type | curl -d @- -H 'Content-Type: application/json' -H "Authorization: Bearer $ADMIN_KEY" $NOTARY_URL/v1/schemas
  NOTARY_API_KEY=… notary mcp --wrap npx -y @modelcontextprotocol/server-filesystem ~/work

Exit codes. 0: the host closed its end. 1: it could not begin, or the tool server sent what cannot be
passed on; stderr says why. 2: the command line is wrong. 3: the tool server ended with 0, and the notary
did not take all facts; stderr says where they are kept. With --wrap, else that of the tool server.`;

const DEFAULT_QUEUE = join(homedir(), '.local', 'state', 'notary', 'mcp');

/** `notary mcp`: tools for hosts on this machine, over standard input and output. @param ended is told the exit code. */
export const addMcpCommand = (
  program: Command,
  commands: McpCommands,
  io: Io,
  ended: (exitCode: number) => void,
): void => {
  program
    .command('mcp')
    .description(
      'serve the tools of the notary to a host on this machine, or notarize the calls of another tool server',
    )
    .argument('[command...]', 'with --wrap: the tool server, and what it is given')
    // What stands behind its name is for the tool server.
    .passThroughOptions()
    .option('--wrap', 'run a tool server, and notarize each call and each result')
    .option('--url <url>', 'of the service: https, or http on this machine; default: NOTARY_URL')
    .option('--type <name>', 'the record type of what is notarized; default: mcp.tool-call')
    .option('--contents', 'notarize arguments and results themselves, not their hashes alone')
    .addOption(
      new Option(
        '--on-unavailable <what>',
        'while the service is away: hold calls and results, or note them on the disk and go on',
      )
        .choices(['block', 'queue'])
        .default('block'),
    )
    .addOption(
      new Option('--block-seconds <n>', 'how long a call is held before it is refused')
        .default(30)
        .argParser(wholeSeconds),
    )
    .option('--queue <directory>', 'where what is not sealed yet waits', DEFAULT_QUEUE)
    .option('--print-type', 'print the record type that --wrap needs, and stop')
    .addHelpText('after', HELP)
    .action(async (words: readonly string[], options: McpOptions, command: Command) => {
      const { DEFAULT_TYPE, wrapType } = await import('./wrap/wrap-type.ts');
      const { type = DEFAULT_TYPE } = options;
      if (options.printType) return io.stdout(`${JSON.stringify(wrapType(type), null, 2)}\n`);
      const [tool, ...args] = words;
      if (options.wrap && tool === undefined)
        command.error('error: --wrap runs a tool server: name its command');
      if (!options.wrap && tool !== undefined)
        command.error(`error: to run ${tool}, give --wrap as well`);
      const { ServiceClient } = await import('./service-client.ts');
      const { apiKey, serviceUrl } = commands;
      if (apiKey === null)
        throw new Error('NOTARY_API_KEY is not set: the service gives tools to whom it knows');
      const service = new ServiceClient(options.url ?? serviceUrl, apiKey);
      if (tool === undefined) {
        const { StdioBridge } = await import('./stdio-bridge.ts');
        if (!(await service.isReady()))
          io.stderr('notary mcp: the notary does not answer yet; each call tries again.\n');
        return new StdioBridge(service, io).run(process.stdin);
      }
      const { runWrap } = await import('./wrap/run-wrap.ts');
      const { contents, onUnavailable, blockSeconds, queue } = options;
      ended(
        await runWrap(
          {
            command: tool,
            environment: commands.toolEnvironment,
            args,
            type,
            hasContents: contents === true,
            onUnavailable,
            blockMs: blockSeconds * 1000,
            queue,
          },
          {
            service,
            input: process.stdin,
            output: process.stdout,
            stderr: (text) => io.stderr(text),
          },
        ),
      );
    });
};

const wholeSeconds = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('It is a whole number of seconds.');
  return Number(text);
};
