import { createServer } from 'node:net';

/** Resolves where a server could listen there now, and rejects as that would. */
export const listenOnce = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
