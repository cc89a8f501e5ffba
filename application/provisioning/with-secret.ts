import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Scene, RowName } from './scene.ts';
import type { SecretFile, SecretFiles } from './secret-files.port.ts';

/** The new row, and the secret that was made for it, if any was. */
interface Made {
  readonly id: Uuid;
  readonly secret: string | null;
}

/**
 * Makes a row with a secret. The secret is on the disk before the row is committed, so whatever crashes, either both are
 * there or no row is; a reload after the crash gives the file its name.
 */
export const withSecret = async <R>(
  files: SecretFiles,
  scene: Scene,
  row: RowName,
  fileName: string,
  madeOf: (result: R) => Made,
  act: (context: CallContext) => Promise<R>,
): Promise<{ readonly id: Uuid; readonly file: string | null }> => {
  let held: SecretFile | null = null;
  const context = scene.context(async (stores, result) => {
    const { id, secret } = madeOf(result as R);
    await scene.record(stores, id, row);
    if (secret === null) return;
    await files.assertFree(fileName);
    const file = { id, name: fileName };
    await files.hold(file, secret);
    held = file;
  });
  const result = await act(context).catch(async (error: unknown) => {
    // Where it is not known whether the row was committed, the secret stays until a reload knows.
    if (held && error instanceof NotaryError && !error.entry.retryable) await files.drop(held);
    throw error;
  });
  const { id } = madeOf(result);
  scene.committed(id, row);
  return { id, file: held === null ? null : await files.release(held) };
};
