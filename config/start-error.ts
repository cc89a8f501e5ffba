import { codeOf, rootCause } from '../domain/kernel/root-cause.ts';
import { isDamage } from '../adapters/sql/database/damage.ts';
import { databaseFault } from '../adapters/sql/database/database-fault.ts';
import type { Settings } from './settings-table.ts';

/** The service cannot start, or a command cannot work. The message names the setting, and says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Another process listens on the port of the settings. */
export class PortTaken extends StartError {}

/** Resolves or rejects as `open`, and in words where the database of the settings is at fault. */
export const onDatabase = async <T>(settings: Settings, open: () => Promise<T>): Promise<T> => {
  try {
    return await open();
  } catch (cause) {
    const { DATABASE_URL: url, DATA_DIR } = settings;
    const fault = databaseFault(url, cause);
    if (fault === null) throw cause;
    const setting = url.startsWith(`sqlite://${DATA_DIR}/`) ? 'DATA_DIR' : 'DATABASE_URL';
    throw new StartError(`${setting}: ${fault}.`, { cause });
  }
};

/** Resolves or rejects as `act`, and names the database and what to do if the database is damaged. */
export const onDamage = <T>(settings: Settings, act: () => Promise<T>): Promise<T> =>
  act().catch((cause: unknown) => {
    if (!isDamage(cause)) throw cause;
    return onDatabase(settings, () => Promise.reject(cause as Error));
  });

/** Resolves or rejects as `listen`, and in words where HOST and PORT are at fault. */
export const onPort = async <T>(settings: Settings, listen: () => Promise<T>): Promise<T> => {
  try {
    return await listen();
  } catch (cause) {
    const code = codeOf(cause) ?? '';
    const told = PORT_FAULTS.get(code);
    if (told === undefined) throw cause;
    const Fault = code === 'EADDRINUSE' ? PortTaken : StartError;
    throw new Fault(`${told(settings)} (${rootCause(cause)}).`, { cause });
  }
};

/** The same for the port of gRPC, and for its certificate and key. */
export const onGrpcPort = async <T>(settings: Settings, listen: () => Promise<T>): Promise<T> => {
  try {
    return await listen();
  } catch (cause) {
    const code = codeOf(cause) ?? '';
    if (code.startsWith('ERR_OSSL') || code.startsWith('ERR_TLS'))
      throw new StartError(
        `GRPC_TLS_CERT, GRPC_TLS_KEY: they are no certificate and its key (${rootCause(cause)}).`,
        { cause },
      );
    const { GRPC_PORT, HOST } = settings;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw cause;
    const why =
      code === 'EACCES'
        ? `this user may not listen on port ${GRPC_PORT}`
        : `another process listens on port ${GRPC_PORT} of ${HOST} already`;
    throw new StartError(
      `GRPC_PORT: ${why}. Set GRPC_PORT to another port, to 0 for any that is free, or to off where nobody calls by gRPC (${rootCause(cause)}).`,
      { cause },
    );
  }
};

type Told = (settings: Settings) => string;

const noHost: Told = ({ HOST }) =>
  `HOST: ${HOST} is no address of this machine. Set HOST to one of its own, 127.0.0.1 for callers on this machine alone or 0.0.0.0 for all`;

const PORT_FAULTS: ReadonlyMap<string, Told> = new Map<string, Told>([
  [
    'EADDRINUSE',
    ({ HOST, PORT }) =>
      `PORT: another process listens on port ${PORT} of ${HOST} already. End that process, set PORT to another port, or to 0 for any that is free`,
  ],
  [
    'EACCES',
    ({ PORT }) =>
      `PORT: this user may not listen on port ${PORT}. Set PORT to one from 1024 on, and put a proxy before it`,
  ],
  ['EADDRNOTAVAIL', noHost],
  ['ENOTFOUND', noHost],
  ['EAI_AGAIN', noHost],
]);
