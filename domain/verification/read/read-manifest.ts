import type { JsonObject } from '../../kernel/canonical-json.ts';
import { compileClosedSchema } from '../../kernel/closed-schema.ts';
import type { Manifest } from '../../record-type/manifest.ts';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** The members of a manifest that decide whether a chain keeps the rules of its type. */
const fault = compileClosedSchema({
  type: 'object',
  properties: {
    type: { type: 'string' },
    publisher: { type: 'string' },
    version: { type: 'integer' },
    completionSchema: { type: 'object' },
    gateMode: { enum: ['auto', 'principal'] },
    operatingMode: { enum: ['cleartext', 'encrypted'] },
    gates: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          description: { type: 'string' },
          expression: { type: 'string' },
          severity: { enum: ['block', 'warn'] },
        },
        required: ['id', 'description', 'expression', 'severity'],
      },
    },
    cascade: {
      type: 'object',
      properties: {
        rule: { enum: ['none', 'all-fulfilled', 'any-fulfilled', 'quorum'] },
        quorum: { type: 'integer', minimum: 1 },
      },
      required: ['rule'],
    },
    maxDelegationDepth: COUNT,
    maxDisputes: COUNT,
    maxRevisions: COUNT,
    verdictWindowSeconds: COUNT,
    disputeWindowSeconds: COUNT,
    evidenceWindowSeconds: COUNT,
  },
  required: [
    'type',
    'publisher',
    'version',
    'completionSchema',
    'gateMode',
    'operatingMode',
    'gates',
    'cascade',
    'maxDelegationDepth',
    'maxDisputes',
    'maxRevisions',
    'verdictWindowSeconds',
    'disputeWindowSeconds',
    'evidenceWindowSeconds',
  ],
});

/**
 * A manifest as a file shows it, as far as the rules of a chain depend on it; null where it lacks one of those members.
 * Whether it is the one that the chain seals is for its digest to say.
 */
export const readManifest = (value: JsonObject): Manifest | null =>
  fault(value) === null && isOfCalendar(value) ? (value as unknown as Manifest) : null;

/** A window that no calendar holds would make an instant out of nothing. */
const isOfCalendar = (manifest: JsonObject): boolean =>
  ['verdictWindowSeconds', 'disputeWindowSeconds', 'evidenceWindowSeconds'].every(
    (name) => (manifest[name] as number) <= 100 * 366 * 86_400,
  );
