import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread with none of the process's own options.
 *
 * @param script its module, in the language of the module that asks: where that is TypeScript, the thread needs the loader
 *   under which tests and benchmarks run.
 */
export const startThread = (script: URL, options: WorkerOptions = {}): Worker => {
  if (!script.pathname.endsWith('.ts')) return new Worker(script, { ...options, execArgv: [] });
  const name = JSON.stringify(script.href);
  return new Worker(
    `import('tsx/esm/api').then(({ register }) => { register(); return import(${name}); })`,
    { ...options, execArgv: [], eval: true },
  );
};

/** The script of this name in the folder of the module that asks. */
export const scriptBeside = (moduleUrl: string, name: string): URL =>
  new URL(`./${name}${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
