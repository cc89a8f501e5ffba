#!/usr/bin/env node
import { createProgram, type Commands } from '../adapters/cli/program.ts';
import { processIo } from '../adapters/cli/process-io.ts';
import { VERSION } from './version.ts';

/** The service is loaded by the commands that need it: help and verification answer without. */
const load = async (): Promise<Commands> => (await import('./commands.ts')).commands;
const commands: Commands = {
  serve: async (io) => (await load()).serve(io),
  bootstrap: async (io) => (await load()).bootstrap(io),
  migrate: async (io) => (await load()).migrate(io),
  config: async (io) => (await load()).config(io),
};

process.exitCode = await createProgram(commands, processIo, VERSION).run(process.argv.slice(2));
