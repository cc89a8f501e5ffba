import { afterAll, expect } from 'vitest';
import { realFetch } from '../clients/real-fetch.ts';
import { secretWatch } from './secret-watch.ts';

// Runs before every test file, and looks at its end for every secret that it made in everything that came out. The next
// file in the same worker finds the same modules (isolate: false), so nothing is left behind for it. A file whose tests
// are all skipped never comes to its end: so the runtime's own fetch is kept where every file finds it, and wrapped once.
const fetch = realFetch();

secretWatch.forget();
globalThis.fetch = async (input, init) => {
  const response = await fetch(input, init);
  const copy = response.clone();
  const body = init?.body;
  const about = {
    method: (init?.method ?? 'GET').toUpperCase(),
    path: new URL(input instanceof Request ? input.url : String(input)).pathname,
    requestHeaders: new Headers(init?.headers),
    requestBody: typeof body === 'string' ? body : null,
    status: response.status,
    headers: [...response.headers].map((line) => line.join(': ')).join('\n'),
  };
  secretWatch.later(copy.text().then((text) => ({ ...about, text })));
  return response;
};

afterAll(async () => {
  globalThis.fetch = fetch;
  const findings = await secretWatch.findings();
  secretWatch.forget();
  if (findings.length > 0)
    throw new Error(
      `Secrets came out in ${String(expect.getState().testPath)}:\n${findings.slice(0, 20).join('\n')}`,
    );
}, 120_000);
