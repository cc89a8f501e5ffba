import type { JsonObject } from '../kernel/canonical-json.ts';
import { COUNT, HASH, TEXT, UUID } from './predicate-schema-parts.ts';

/** The members that key statements have beside those of every administrative act, as branches of `allOf`. */
export const KEY_STATEMENT_RULES: readonly JsonObject[] = [
  {
    if: { properties: { entryType: { const: 'KEY_ACTIVATED' } } },
    then: {
      properties: {
        hubId: UUID,
        keyId: { type: 'string', pattern: '^[0-9a-f]{32}$' },
        coseKey: TEXT,
      },
      required: ['hubId', 'keyId', 'coseKey'],
    },
  },
  {
    if: { properties: { entryType: { const: 'KEY_RETIRED' } } },
    then: {
      properties: {
        keyId: { type: 'string', pattern: '^[0-9a-f]{32}$' },
        reason: { enum: ['scheduled', 'compromised'] },
        treeSize: COUNT,
        treeRoot: HASH,
      },
      required: ['keyId', 'reason', 'treeSize', 'treeRoot'],
    },
  },
];
