import type { JsonReader } from '../../application/call/json-reader.port.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import {
  decodeUtf8Strict,
  parseStrictJson,
  type StrictJsonLimits,
} from '../../domain/kernel/strict-json.ts';

/** Reads on the calling thread, whatever the length. */
export class InlineJsonReader implements JsonReader {
  constructor(private readonly limits: StrictJsonLimits) {}

  read(bytes: Uint8Array): JsonValue {
    return parseStrictJson(decodeUtf8Strict(bytes), this.limits);
  }
}
