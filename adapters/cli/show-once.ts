import { reasonOf } from './input-error.ts';
import type { Io } from './io.ts';

/**
 * Prints a key that is stored nowhere. Where it cannot be shown nobody has it, so it is revoked again.
 *
 * @throws Error which says so.
 */
export const showOnce = async (
  io: Io,
  text: string,
  keyId: string,
  revoke: (input: { readonly keyId: string; readonly reason: string }) => Promise<unknown>,
): Promise<void> => {
  try {
    await io.print(text);
  } catch (cause) {
    const why = `The key ${keyId} could not be shown, because standard output cannot be written (${reasonOf(cause)})`;
    try {
      await revoke({ keyId, reason: 'It could not be shown when it was minted.' });
    } catch (fault) {
      throw new Error(
        `${why}, and it could not be revoked (${reasonOf(fault)}). Revoke it with: notary keys revoke ${keyId}`,
        { cause },
      );
    }
    throw new Error(
      `${why}. It was revoked again. Mint another one where the output can be read: notary keys mint`,
      { cause },
    );
  }
};
