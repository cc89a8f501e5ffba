import {
  TimestampRootsError,
  type TimestampChecker,
} from '../../domain/vault/timestamp-checker.port.ts';
import { InputError } from './input-error.ts';
import { readInput } from './read-input.ts';

/** Makes what checks time stamps under these roots, PEM. */
export type TimestampCheckerOf = (pem: string) => Promise<TimestampChecker>;

/** What the file after `--tsa-roots` trusts; null where none was given. */
export const checkerUnder = async (
  path: string | undefined,
  checkerOf: TimestampCheckerOf | undefined,
): Promise<TimestampChecker | null> => {
  if (path === undefined) return null;
  if (!checkerOf)
    throw new InputError('this program does not check time stamps: notary verify --tsa-roots does');
  const pem = new TextDecoder().decode(await readInput(path));
  try {
    return await checkerOf(pem);
  } catch (cause) {
    if (!(cause instanceof TimestampRootsError)) throw cause;
    throw new InputError(`--tsa-roots ${path}: ${cause.message}`, { cause });
  }
};
