import type { ApiKeyRow } from './key-line.ts';
import { keyLine } from './key-line.ts';
import { runShell, type Shell, type ShellOptions } from './shell.ts';

/** `notary keys list --context NAME`: the keys that this context may see, by the API. */
export const listKeysByApi = (
  shell: Shell,
  {
    role,
    ...options
  }: ShellOptions & { readonly role: 'platform' | 'admin' | 'agent' | undefined },
): Promise<void> =>
  runShell(shell, options, async ({ client }) => {
    const { collectItems } = await import('./collect-items.ts');
    const query = { limit: 100, ...(role === undefined ? {} : { role }) };
    const { items } = await collectItems(client.keys.list(query));
    const found: readonly ApiKeyRow[] = items;
    return { json: found, lines: found.map(keyLine) };
  });
