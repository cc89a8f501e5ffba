import type { NextStep } from '../../client/shapes.ts';
import { isRecordId } from './recorded-files.ts';
import type { Session } from './session.ts';
import type { NextCommand } from './shell.ts';

/** The command of an action of the guidance; `notary act` does what has none of its own. */
const COMMAND_OF: ReadonlyMap<string, (id: string) => string> = new Map([
  ['accept', (id) => `notary accept ${id}`],
  ['accept-counter', (id) => `notary accept ${id} --counter`],
  ['submit-completion', (id) => `notary complete ${id} EVIDENCE.json`],
  ['render-verdict', (id) => `notary verdict ${id} accept`],
  ['open-dispute', (id) => `notary dispute ${id} --statement TEXT`],
  ['delegate', (id) => `notary open -t TYPE CRITERIA.json --parent ${id}`],
  ['view', (id) => `notary show ${id}`],
  ['export-audit', (id) => `notary export ${id} --evidence --out FILE`],
]);

/** What the service says can be done next, as commands. @param id of the record */
export const nextCommands = (
  id: string,
  steps: readonly NextStep[],
  { flag }: Pick<Session, 'flag'>,
): NextCommand[] =>
  (isRecordId(id) ? steps : []).filter(isOfWords).map(({ action, method, href, description }) => {
    const own = COMMAND_OF.get(action)?.(id);
    if (own !== undefined) return { command: `${own}${flag}`, description };
    // What is read has a place, and no command.
    if (method === 'GET') return { command: `GET ${href}`, description };
    return { command: `notary act ${id} ${action}${flag}`, description };
  });

/** What stands in a command is one word there: nothing that the service says becomes an option, or a second argument. */
const isOfWords = ({ action, href }: NextStep): boolean =>
  /^[a-z][a-z-]{0,63}$/.test(action) && /^\/[^\s-][^\s]*$/.test(href);

/** Where the other side acts next, and that is a context of the same profile, the command that looks at it from there. */
export const otherSide = (
  record: {
    readonly id: string;
    readonly awaiting: string | null;
    readonly principalAgentId: string;
    readonly performerAgentId?: string | null;
  },
  { context, profile, url }: Pick<Session, 'context' | 'profile' | 'url'>,
): NextCommand[] => {
  const awaited =
    record.awaiting === 'performer'
      ? record.performerAgentId
      : record.awaiting === 'principal'
        ? record.principalAgentId
        : null;
  if (!awaited || awaited === context?.agentId || !isRecordId(record.id)) return [];
  return [...profile.contexts]
    .filter(([, one]) => one.agentId === awaited && one.url === url)
    .slice(0, 1)
    .map(([name]) => ({
      command: `notary show ${record.id} --context ${name}`,
      description: `It is the turn of the ${record.awaiting}, who is this context`,
    }));
};
