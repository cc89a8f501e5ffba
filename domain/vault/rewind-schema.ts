import type { JsonObject } from '../kernel/canonical-json.ts';
import { HASH, POSITION, TEXT } from './predicate-schema-parts.ts';

/** The members that REWIND_ACKNOWLEDGED has beside those of every administrative act, and no others, as a branch of `allOf`. */
export const REWIND_RULE: JsonObject = {
  if: { properties: { entryType: { const: 'REWIND_ACKNOWLEDGED' } } },
  then: {
    properties: {
      entryType: true,
      at: true,
      requestId: true,
      actor: true,
      rowVersions: { type: 'object', additionalProperties: false },
      chainKey: TEXT,
      lostRange: {
        type: 'object',
        properties: { from: POSITION, to: POSITION },
        required: ['from', 'to'],
        additionalProperties: false,
      },
      lostHead: HASH,
      checkpoint: HASH,
      reason: { type: ['string', 'null'] },
    },
    required: ['chainKey', 'lostRange', 'lostHead', 'checkpoint', 'reason'],
    additionalProperties: false,
  },
};
