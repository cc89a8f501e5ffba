import { HeldKeyError } from '../../../domain/vault/held-key.port.ts';

/**
 * Loads a package that an installation may lack, because it has to be compiled.
 *
 * @throws HeldKeyError that says what to install.
 */
export const loadOptional = async <T extends object>(
  name: string,
  load: () => Promise<T>,
): Promise<T> => {
  try {
    const loaded = await load();
    return 'default' in loaded ? { ...loaded, ...(loaded.default as T) } : loaded;
  } catch (cause) {
    throw new HeldKeyError(
      `SIGNER=pkcs11 needs the package ${name}, which is not installed or was not compiled. Install a C++ compiler, make and Python 3, then run: npm install pkcs11js node-webcrypto-p11`,
      { cause },
    );
  }
};
