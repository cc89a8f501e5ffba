import { decodeBase64UrlStrict, encodeBase64Url } from '../../domain/kernel/base64.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Keyset } from '../../domain/kernel/page.ts';
import type { CursorMac } from './cursor-mac.port.ts';

const TAG_BYTES = 16;

/**
 * Where a listing goes on, as text that only this service can make: `<base64url of the keyset>.<MAC>`. The MAC
 * also covers `binding` (the operation, the caller, the filters and the sort), so that a cursor continues the
 * listing it came from and no other.
 */
export class Cursors {
  /** @param keys the newest first: a cursor outlives its key as long as that is listed. */
  constructor(private readonly keys: readonly CursorMac[]) {}

  encode(next: Keyset, binding: string): string {
    const payload = encodeBase64Url(new TextEncoder().encode(JSON.stringify([next.key, next.id])));
    return `${payload}.${tagOf(this.keys[0]!, payload, binding)}`;
  }

  /** @throws NotaryError VALIDATION_ERROR where the cursor is damaged or belongs to another listing. */
  decode(cursor: string, binding: string): Keyset {
    const [payload = '', tag = '', ...rest] = cursor.split('.');
    // Compared as text: base64url lets several texts stand for the same bytes.
    const isOurs = this.keys.some((key) => isSameText(tag, tagOf(key, payload, binding)));
    if (rest.length > 0 || !isOurs) throw foreign();
    const text = new TextDecoder().decode(decodeBase64UrlStrict(payload) ?? undefined);
    const [key, id] = JSON.parse(text) as [string, string];
    return { key, id };
  }
}

const tagOf = (key: CursorMac, payload: string, binding: string): string =>
  encodeBase64Url(key.mac(`cursor.v1\n${binding}\n${payload}`).subarray(0, TAG_BYTES));

/** In a time that does not tell where the texts part. */
const isSameText = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let i = 0; i < b.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
};

const foreign = (): NotaryError =>
  new NotaryError(
    'VALIDATION_ERROR',
    'The cursor is damaged, or belongs to another caller, other filters or another sort. Start again without it.',
    {
      errors: [{ path: '/cursor', keyword: 'cursor', message: 'does not belong to this listing' }],
    },
  );
