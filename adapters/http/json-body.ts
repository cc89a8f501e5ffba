import { NotaryError } from '../../domain/kernel/errors.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import {
  decodeUtf8Strict,
  parseStrictJson,
  StrictJsonError,
} from '../../domain/kernel/strict-json.ts';

/**
 * @throws NotaryError VALIDATION_ERROR with the place, where the bytes are not UTF-8, or not JSON
 *   that all parsers read the same way.
 */
export const parseJsonBody = (bytes: Uint8Array, maxDepth: number): JsonValue => {
  try {
    return parseStrictJson(decodeUtf8Strict(bytes), { maxDepth });
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    throw new NotaryError(
      'VALIDATION_ERROR',
      `The body is not acceptable JSON: ${cause.message}`,
      { errors: [{ path: cause.pointer, keyword: 'json', message: cause.message }] },
      { cause },
    );
  }
};
