import { timingSafeEqual } from 'node:crypto';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Keyset } from '../../domain/kernel/page.ts';

/**
 * Where a listing goes on, as text that only this service can make: `<base64url of the keyset>.<MAC>`. The MAC
 * also covers `binding` (the operation, the caller, the filters and the sort), so that a cursor continues the
 * listing it came from and no other.
 */
export class CursorCodec {
  /** @param mac a keyed MAC over the text, at least 16 bytes. */
  constructor(private readonly mac: (input: string) => Uint8Array) {}

  encode(next: Keyset, binding: string): string {
    const payload = Buffer.from(JSON.stringify([next.key, next.id])).toString('base64url');
    return `${payload}.${this.tag(payload, binding).toString('base64url')}`;
  }

  /** @throws NotaryError VALIDATION_ERROR where the cursor is damaged or belongs to another listing. */
  decode(cursor: string, binding: string): Keyset {
    const [payload = '', tag = '', ...rest] = cursor.split('.');
    // Compared as text: base64url lets several texts stand for the same bytes.
    const given = Buffer.from(tag);
    const due = Buffer.from(this.tag(payload, binding).toString('base64url'));
    if (rest.length > 0 || given.length !== due.length || !timingSafeEqual(given, due))
      throw foreign();
    const [key, id] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [string, string];
    return { key, id };
  }

  private tag(payload: string, binding: string): Buffer {
    return Buffer.from(this.mac(`cursor.v1\n${binding}\n${payload}`)).subarray(0, 16);
  }
}

const foreign = (): NotaryError =>
  new NotaryError(
    'VALIDATION_ERROR',
    'The cursor is damaged, or belongs to another caller, other filters or another sort. Start again without it.',
    {
      errors: [{ path: '/cursor', keyword: 'cursor', message: 'does not belong to this listing' }],
    },
  );
