import type { Command } from 'commander';
import { addAcceptCommand } from './accept.ts';
import { addActCommand } from './act.ts';
import { addCompleteCommand } from './complete.ts';
import { addContextsCommand } from './contexts.ts';
import { addDisputeCommand } from './dispute.ts';
import { addInitCommand } from './init.ts';
import { addListCommand } from './list.ts';
import { addLoginCommand } from './login.ts';
import { addNotarizeCommand } from './notarize.ts';
import { addOpenCommand } from './open.ts';
import type { Shell } from './shell.ts';
import { addTypesCommand } from './types.ts';
import { addVerdictCommand } from './verdict.ts';
import { addWhoamiCommand } from './whoami.ts';

/** The commands that call a service with a profile, in the order of the help. */
const SHELL_COMMANDS: readonly ((program: Command, shell: Shell) => void)[] = [
  addInitCommand,
  addLoginCommand,
  addContextsCommand,
  addWhoamiCommand,
  addNotarizeCommand,
  addOpenCommand,
  addAcceptCommand,
  addCompleteCommand,
  addVerdictCommand,
  addDisputeCommand,
  addActCommand,
  addListCommand,
  addTypesCommand,
];

export const addShellCommands = (program: Command, shell: Shell): void => {
  program.commandsGroup('Commands of a client, with the profile that init makes:');
  for (const add of SHELL_COMMANDS) add(program, shell);
};
