import { isObject } from './messages.ts';

const MAX_NAME = 256;
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** As far as a record can hold it; no character is cut in two, for half of one is no Unicode. */
export const cut = (text: string): string => {
  const short = text.slice(0, MAX_NAME);
  return short.isWellFormed() ? short : short.slice(0, -1);
};

/** Empty of what is no text. */
export const named = (name: unknown): string =>
  typeof name === 'string' && name.isWellFormed() ? cut(name) : '';

/** With `initialize` in 2025, with any result since. */
export const serverIn = (result: unknown): string | undefined => {
  if (!isObject(result)) return undefined;
  const { serverInfo, _meta: meta } = result;
  const told = serverInfo ?? (isObject(meta) ? meta[SERVER_INFO] : undefined);
  if (!isObject(told)) return undefined;
  return cut(`${named(told['name'])} ${named(told['version'])}`.trim());
};
