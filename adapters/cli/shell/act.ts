import type { Command } from 'commander';
import { printable } from '../../../domain/kernel/printable.ts';
import type { NextStep, NotaryRecord } from '../../client/shapes.ts';
import { EXIT, EXIT_HELP, ShellError } from './shell-error.ts';
import { recordId, runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

const HELP = `
Examples:
  notary act 0190… cancel
  echo '{"reason": "too late"}' | notary act 0190… reject -
  notary act 0190… counter-propose offer.json

Which actions there are now, the service says: notary show RECORD ends with them.
${EXIT_HELP}`;

/** `notary act`: an action of the guidance that has no command of its own. */
export const addActCommand = (program: Command, shell: Shell): void => {
  withShellOptions(
    program
      .command('act')
      .description(
        'do what the service names as possible next, by its name, such as cancel or reject',
      )
      .argument('<record>', 'its id', recordId)
      .argument('<action>', 'as the record names it among its next steps')
      .argument('[file]', 'with what the action takes, a JSON object; - for standard input'),
  )
    .addHelpText('after', HELP)
    .action(async (id: string, action: string, file: string | undefined, options: ShellOptions) =>
      runShell(shell, options, async (session) => {
        const { readObject } = await import('./read-body.ts');
        const { ofRecord, recordAnswer } = await import('./record-lines.ts');
        const { client } = session;
        const { nextSteps } = ofRecord(id, await client.records.get(id));
        const steps = nextSteps.filter(({ method }) => method !== 'GET');
        const step = steps.find((one) => one.action === action);
        if (!step)
          throw new ShellError(
            `This is not possible now: ${printable(action)}. Possible ${steps.length === 0 ? 'is nothing' : `are: ${steps.map((one) => one.action).join(', ')}`}.`,
            EXIT.refused,
          );
        if (!isPlaceOf(step, id))
          throw new ShellError(
            `The service names ${printable(`${step.method} ${step.href}`)} as the place of ${printable(action)}, which it is not: nothing was sent.`,
            EXIT.refused,
          );
        const body = file === undefined ? {} : await readObject(file);
        const done = await client.follow(
          step,
          step.href.endsWith('/transition') ? { ...body, action } : body,
        );
        // A dispute and a reference answer with themselves.
        const record = isRecord(done, id) ? done : ofRecord(id, await client.records.get(id));
        return { ...recordAnswer(record, session), json: done as object };
      }),
    );
};

/**
 * Whether a step leads to where the action that the person names is done. With a certificate the request is co-signed, so
 * a service that lies would else get a signature under another act, or on another record.
 */
const isPlaceOf = ({ action, method, href }: NextStep, id: string): boolean =>
  method === 'POST' &&
  (action === 'delegate'
    ? href === '/v1/records'
    : href === `/v1/records/${id.toLowerCase()}/${PLACES.get(action) ?? action}` ||
      href === `/v1/records/${id.toLowerCase()}/transition`);

/** Where the last word of the path is not the name of the action. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['submit-completion', 'completions'],
  ['render-verdict', 'verdict'],
  ['open-dispute', 'dispute'],
  ['submit-dispute-evidence', 'dispute/evidence'],
  ['escalate-dispute', 'dispute/escalate'],
  ['resolve-dispute', 'dispute/resolve'],
  ['withdraw-dispute', 'dispute/withdraw'],
  ['add-reference', 'references'],
]);

const isRecord = (value: unknown, id: string): value is NotaryRecord =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  value.id === id &&
  'nextSteps' in value &&
  'contractVersion' in value;
