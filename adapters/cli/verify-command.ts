import type { Command } from 'commander';
import type { GateEvaluator } from '../../domain/record-type/gate-evaluator.port.ts';
import type { OpenLanes } from '../../domain/verification/dump/lane.port.ts';
import type { Io } from './io.ts';
import type { TimestampCheckerOf } from './tsa-roots.ts';
import type { VerifyArguments } from './verify.ts';
import {
  VERIFY_DESCRIPTION,
  VERIFY_HELP,
  VERIFY_KEYS,
  VERIFY_TSA_ROOTS,
  VERIFY_WITH_KEYS,
} from './verify-help.ts';

export interface VerifyParts {
  /** A program that is more than the verifier loads it here. */
  readonly verify: (
    args: VerifyArguments & { readonly context?: string },
    io: Io,
  ) => Promise<number>;
  /** Evaluates gates offline, as the service does. */
  gateEvaluator(): Promise<GateEvaluator>;
  /** Left out where this program does not check time stamps. */
  readonly timestampChecker?: TimestampCheckerOf;
  /** Where the parts of a dump of so many bytes are verified. Left out where this program is one file. */
  readonly dumpLanes?: ((bytes: number) => Promise<OpenLanes>) | undefined;
  ended(exitCode: number): void;
  /** How it is called, in the examples. */
  readonly name: string;
  /** Sent to the service where the file is a URL. */
  readonly apiKey: string | null;
}

/** The one form of `notary verify`, as a command of the program or as a program of its own. */
export const asVerify = (
  command: Command,
  io: Io,
  { verify, gateEvaluator, timestampChecker, dumpLanes, ended, name, apiKey }: VerifyParts,
): void => {
  command
    .description(VERIFY_DESCRIPTION)
    .argument(
      '<files...>',
      'exports or signed statements, folders of them, URLs of exports, the folder of a dump, or - for standard input',
    )
    .option('--keys <file|url|fingerprint>', VERIFY_KEYS, each)
    .option(
      '--expect-root <hex>',
      'of a dump: a root that its log of checkpoints must have had, so that it is not an older one',
    )
    .option(
      '--kept <file>',
      'a signed statement that you kept, to hold against the one export, or the dump; may be repeated',
      each,
    )
    .option(
      '--with <file>',
      "the other hub's export of the same record, to hold the two against each other",
    )
    .option('--with-keys <file|url|fingerprint>', VERIFY_WITH_KEYS, each)
    .option('--trust-embedded', "trust the export's own keys (shows consistency only)")
    .option('--agent-keys <file>', 'keys that co-signatures of agents have to verify under')
    .option('--gates', 'evaluate the gates again, where the file holds the evidence')
    .option('--tsa-roots <file>', VERIFY_TSA_ROOTS)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', VERIFY_HELP.replaceAll('notary verify', name))
    .action(
      async (
        files: string[],
        options: {
          keys?: string[];
          expectRoot?: string;
          kept?: string[];
          with?: string;
          withKeys?: string[];
          trustEmbedded?: boolean;
          agentKeys?: string;
          gates?: boolean;
          tsaRoots?: string;
          json?: boolean;
          context?: string;
        },
      ) => {
        const { gates, ...given } = options;
        ended(
          await verify(
            {
              files,
              apiKey,
              timestampChecker,
              dumpLanes,
              ...given,
              ...(gates ? { gates: await gateEvaluator() } : {}),
            },
            io,
          ),
        );
      },
    );
};

export const each = (value: string, before: string[] = []): string[] => [...before, value];
