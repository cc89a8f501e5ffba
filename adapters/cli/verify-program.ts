import { Command, CommanderError } from 'commander';
import { InputError } from './input-error.ts';
import type { Io } from './io.ts';
import type { Program } from './program.ts';
import { runVerify } from './verify.ts';
import { asVerify, type VerifyParts } from './verify-command.ts';

/** `notary verify` as a program of its own: for the one file that needs no installation. */
export const createVerifyProgram = (
  { gateEvaluator, apiKey }: Pick<VerifyParts, 'gateEvaluator' | 'apiKey'>,
  io: Io,
  version: string,
): Program => ({
  run: async (args) => {
    let exitCode = 0;
    const program = new Command('notary-verify.mjs')
      .version(version)
      .exitOverride()
      .configureOutput({ writeOut: io.stdout, writeErr: io.stderr })
      .showSuggestionAfterError();
    asVerify(program, io, {
      verify: runVerify,
      name: 'node notary-verify.mjs',
      apiKey,
      gateEvaluator,
      ended: (code) => {
        exitCode = code;
      },
    });
    try {
      await program.parseAsync(args, { from: 'user' });
      return exitCode;
    } catch (error) {
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
      if (!(error instanceof InputError)) throw error;
      io.stderr(`notary verify: ${error.message}\n`);
      return 2;
    }
  },
});
