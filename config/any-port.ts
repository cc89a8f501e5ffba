import { freePort } from '../adapters/http/free-port.ts';
import type { Settings } from './settings-table.ts';
import { onPort, PortTaken } from './start-error.ts';

/**
 * PORT 0 means any free port. Links and credentials contain the port, so it is chosen before
 * anything is wired.
 */
export const withFixedPort = async (settings: Settings): Promise<Settings> => {
  if (settings.PORT !== 0) return settings;
  const port = await onPort(settings, () => freePort(settings.HOST));
  return {
    ...settings,
    PORT: port,
    PUBLIC_URL: settings.PUBLIC_URL.replace(/:0(?=\/|$)/, `:${port}`),
  };
};

/** Another process may take the chosen port before this one listens: the start then begins again with another port. */
export const onAnyPort = async <T>(settings: Settings, start: () => Promise<T>): Promise<T> => {
  for (let left = settings.PORT === 0 ? RETRIES : 0; ; left--) {
    try {
      return await start();
    } catch (error) {
      if (left === 0 || !(error instanceof PortTaken)) throw error;
    }
  }
};

const RETRIES = 3;
