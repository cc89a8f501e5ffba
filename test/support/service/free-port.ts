import { createServer } from 'node:net';

/**
 * A port that nobody listens on. It stands below the range out of which Linux takes ports for `listen(0)`
 * and for connections (32768 on): nobody else in the run is given it in the meantime.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) return port;
  }
};

const FIRST = 12_000;
const LAST = 32_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
