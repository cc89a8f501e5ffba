import type { JsonObject } from '../kernel/canonical-json.ts';
import { COUNT, HASH, TEXT, UUID } from './predicate-schema-parts.ts';

const KEY_ID = { type: 'string', pattern: '^[0-9a-f]{32}$' } as const;

/** The members of every administrative act, which the document that holds these rules describes. */
const COMMON = { entryType: true, at: true, requestId: true, actor: true } as const;

/**
 * The members that key statements have beside those of every administrative act, and no others, as branches of
 * `allOf`. Every key but the first one names its predecessor's statement and proves that its holder takes part.
 */
export const KEY_STATEMENT_RULES: readonly JsonObject[] = [
  {
    if: { properties: { entryType: { const: 'KEY_ACTIVATED' } } },
    then: {
      properties: {
        ...COMMON,
        hubId: UUID,
        keyId: KEY_ID,
        coseKey: TEXT,
        possession: TEXT,
        previousStatement: HASH,
      },
      required: ['hubId', 'keyId', 'coseKey'],
      dependentRequired: {
        possession: ['previousStatement'],
        previousStatement: ['possession'],
      },
      additionalProperties: false,
    },
  },
  {
    if: { properties: { entryType: { const: 'KEY_RETIRED' } } },
    then: {
      properties: {
        ...COMMON,
        keyId: KEY_ID,
        reason: { enum: ['scheduled', 'compromised'] },
        treeSize: COUNT,
        treeRoot: HASH,
        uncovered: COUNT,
      },
      required: ['keyId', 'reason', 'treeSize', 'treeRoot', 'uncovered'],
      additionalProperties: false,
    },
  },
];
