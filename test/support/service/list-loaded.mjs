import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** Preloaded, lists what the process loads into the file LOADED_INTO: modules as they come, what was required at its end. */
const HOOK = `
  import { appendFileSync } from 'node:fs';
  export const load = async (url, context, next) => {
    appendFileSync(process.env.LOADED_INTO, url + '\\n');
    return next(url, context);
  };
`;
if (isMainThread) {
  register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
  const { cache } = createRequire(import.meta.url);
  process.once('exit', () =>
    appendFileSync(
      process.env.LOADED_INTO,
      Object.keys(cache)
        .map((path) => `file://${path}\n`)
        .join(''),
    ),
  );
}
