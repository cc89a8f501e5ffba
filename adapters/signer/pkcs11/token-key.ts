import type { webcrypto } from 'node:crypto';
import type * as Pkcs11 from 'pkcs11js';
import { ALGORITHMS } from '../../../domain/vault/algorithm.ts';
import { HeldKeyError } from '../../../domain/vault/held-key.port.ts';
import { loadOptional } from './load-optional.ts';
import { spkiFromToken } from './spki-from-token.ts';
import type { TokenKeyName } from './token-messages.ts';

/** PKCS#11 3.0, which pkcs11js does not name: CKK_EC_EDWARDS and CKM_EDDSA. */
const CKK_EC_EDWARDS = 0x40;
const CKM_EDDSA = 0x1057;
const SIGNATURE_BYTES = 64;

/** A key pair of a token, open for signatures. */
export interface TokenKey {
  /** SubjectPublicKeyInfo, DER. */
  readonly spki: Uint8Array;
  /** As the token gives it: P-256 as r‖s, with an s of either half. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/**
 * Finds the key pair by its label and opens it: P-256 through a WebCrypto provider over PKCS#11, Ed25519 by the token's own
 * mechanism, which that provider does not know.
 *
 * @throws HeldKeyError where there is not exactly one such key, or it could leave the token.
 */
export const openTokenKey = async (name: TokenKeyName): Promise<TokenKey> => {
  const pkcs11 = await loadOptional<typeof Pkcs11>('pkcs11js', () => import('pkcs11js'));
  const library = new pkcs11.PKCS11();
  library.load(name.module);
  initialize(pkcs11, library);
  const { slot, index } = slotOf(library, name);
  const session = library.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION);
  login(pkcs11, library, session, name);

  const privateKey = single(pkcs11, library, session, pkcs11.CKO_PRIVATE_KEY, name);
  const publicKey = single(pkcs11, library, session, pkcs11.CKO_PUBLIC_KEY, name);
  const read = (key: Pkcs11.Handle, type: number): Buffer =>
    library.C_GetAttributeValue(session, key, [{ type }])[0]!.value;
  if (read(privateKey, pkcs11.CKA_EXTRACTABLE)[0] !== 0)
    throw new HeldKeyError(
      `The private key ${name.key} can be taken out of the token ${name.token} (CKA_EXTRACTABLE). Make one that cannot.`,
    );
  const keyType = read(privateKey, pkcs11.CKA_KEY_TYPE).readUInt8(0);
  const point = read(publicKey, pkcs11.CKA_EC_POINT);
  const params = read(publicKey, pkcs11.CKA_EC_PARAMS);
  if (keyType === CKK_EC_EDWARDS)
    return {
      spki: spkiFromToken('Ed25519', params, point, name.key),
      sign: async (bytes) => {
        library.C_SignInit(session, { mechanism: CKM_EDDSA }, privateKey);
        return library.C_Sign(session, Buffer.from(bytes), Buffer.alloc(SIGNATURE_BYTES));
      },
    };
  if (keyType !== pkcs11.CKK_EC)
    throw new HeldKeyError(`The key ${name.key} is neither a P-256 nor an Ed25519 key.`);
  const spki = spkiFromToken('ES256', params, point, name.key);
  const { subtle, key } = await throughWebCrypto(name, index);
  return {
    spki,
    sign: async (bytes) =>
      new Uint8Array(await subtle.sign(ALGORITHMS.ES256.signParams, key, bytes)),
  };
};

/** The provider has a session of its own, in the same slot. */
const throughWebCrypto = async (
  { module, pin, key: label }: TokenKeyName,
  slot: number,
): Promise<{ readonly subtle: webcrypto.SubtleCrypto; readonly key: webcrypto.CryptoKey }> => {
  const { Crypto } = await loadOptional('node-webcrypto-p11', () => import('node-webcrypto-p11'));
  const crypto = new Crypto({ library: module, slot, pin });
  for (const id of await crypto.keyStorage.keys()) {
    if (!id.startsWith('private-')) continue;
    // It throws at keys of types that it does not know, such as Ed25519.
    const key = await crypto.keyStorage.getItem(id).catch(() => null);
    if (key?.algorithm.label === label)
      return {
        subtle: crypto.subtle as unknown as webcrypto.SubtleCrypto,
        key: key as unknown as webcrypto.CryptoKey,
      };
  }
  throw new HeldKeyError(`The WebCrypto provider does not find the private key ${label}.`);
};

const initialize = (pkcs11: typeof Pkcs11, library: Pkcs11.PKCS11): void => {
  try {
    library.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK });
  } catch (error) {
    // Another key of this process uses the same library.
    if (codeOf(error) !== pkcs11.CKR_CRYPTOKI_ALREADY_INITIALIZED) throw error;
  }
};

const slotOf = (
  library: Pkcs11.PKCS11,
  { token, module }: TokenKeyName,
): { readonly slot: Pkcs11.Handle; readonly index: number } => {
  const slots = library.C_GetSlotList(true);
  const labels = slots.map((slot) => library.C_GetTokenInfo(slot).label.trim());
  const found = labels.flatMap((label, index) => (label === token ? [index] : []));
  if (found.length !== 1)
    throw new HeldKeyError(
      `${found.length === 0 ? 'No token' : 'More than one token'} of ${module} has the label ${token}.`,
    );
  return { slot: slots[found[0]!]!, index: found[0]! };
};

const login = (
  pkcs11: typeof Pkcs11,
  library: Pkcs11.PKCS11,
  session: Pkcs11.Handle,
  { token, pin }: TokenKeyName,
): void => {
  try {
    library.C_Login(session, pkcs11.CKU_USER, pin);
  } catch (error) {
    if (codeOf(error) === pkcs11.CKR_USER_ALREADY_LOGGED_IN) return;
    if (codeOf(error) === pkcs11.CKR_PIN_INCORRECT)
      throw new HeldKeyError(`PKCS11_PIN is not the PIN of the token ${token}.`, { cause: error });
    throw error;
  }
};

const single = (
  pkcs11: typeof Pkcs11,
  library: Pkcs11.PKCS11,
  session: Pkcs11.Handle,
  objectClass: number,
  { key, token }: TokenKeyName,
): Pkcs11.Handle => {
  library.C_FindObjectsInit(session, [
    { type: pkcs11.CKA_CLASS, value: objectClass },
    { type: pkcs11.CKA_LABEL, value: key },
  ]);
  try {
    const found = library.C_FindObjects(session, 2);
    if (found.length === 1) return found[0]!;
    const kind = objectClass === pkcs11.CKO_PRIVATE_KEY ? 'private' : 'public';
    throw new HeldKeyError(
      `The token ${token} has ${found.length === 0 ? 'no' : 'more than one'} ${kind} key with the label ${key}.`,
    );
  } finally {
    library.C_FindObjectsFinal(session);
  }
};

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code;
