#!/usr/bin/env node
import { createProgram } from '../adapters/cli/program.ts';
import { processIo } from '../adapters/cli/process-io.ts';
import { commands } from './commands.ts';
import { VERSION } from './version.ts';

process.exitCode = await createProgram(commands, processIo, VERSION).run(process.argv.slice(2));
