import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { onAnyPort } from '../../../config/any-port.ts';
import { loadSettings } from '../../../config/settings.ts';
import { onPort } from '../../../config/start-error.ts';

const open: Server[] = [];
afterEach(() => open.splice(0).forEach((server) => server.close()));

const listen = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      open.push(server);
      resolve((server.address() as AddressInfo).port);
    });
  });

const on = (PORT: string) =>
  loadSettings({ NODE_ENV: 'test', HOST: '127.0.0.1', PORT }, { cwd: '/' }).settings;

/** A start whose port was taken before it listened, as many times as told. */
const takenFirst = (PORT: string, times: number) => {
  const settings = on(PORT);
  let tries = 0;
  const started = onAnyPort(settings, async () => {
    const taken = await listen(0);
    return onPort(settings, () => listen(tries++ < times ? taken : 0));
  });
  return { started, tries: () => tries };
};

describe('a port that another process took before the service listened', () => {
  it('is left to it, and another one is taken, where any will do', async () => {
    const { started, tries } = takenFirst('0', 2);
    expect(await started).toBeGreaterThan(0);
    expect(tries()).toBe(3);
  });

  it('is told of at last', async () => {
    const { started, tries } = takenFirst('0', 99);
    await expect(started).rejects.toThrow(/another process listens/);
    expect(tries()).toBe(4);
  });

  it('is told of at once where it is the one that was asked for', async () => {
    const { started, tries } = takenFirst('18080', 1);
    await expect(started).rejects.toThrow(/^PORT: another process listens on port 18080/);
    expect(tries()).toBe(1);
  });
});
