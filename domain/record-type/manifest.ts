import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import { hashJson } from '../kernel/digest.ts';
import { NotaryError, type FieldError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';

export type GateMode = 'auto' | 'principal';
export type OperatingMode = 'cleartext' | 'encrypted';
export type CompatibilityMode = 'none' | 'backward' | 'forward' | 'full';
export type CascadeRuleName = 'none' | 'all-fulfilled' | 'any-fulfilled' | 'quorum';
export type RecordTypeStatus = 'active' | 'disabled';

/** One condition on a completion, in CEL. A failing `warn` gate is reported and never blocks. */
export interface Gate {
  readonly id: string;
  readonly description: string;
  readonly expression: string;
  readonly severity: 'block' | 'warn';
}

/** The member `quorum` is present only with the rule `quorum`. */
export interface CascadeRule {
  readonly rule: CascadeRuleName;
  readonly quorum?: number;
}

/**
 * What an org declares about a kind of record. Every default is filled in, and a member without one
 * is null, so the digest depends on the meaning and not on what the caller left out.
 */
export interface Manifest {
  readonly type: string;
  readonly publisher: string;
  readonly version: number;
  readonly title: string | null;
  readonly description: string | null;
  readonly criteriaSchema: JsonObject;
  readonly completionSchema: JsonObject;
  readonly gateMode: GateMode;
  /** Encrypted: schemas, gates and examples are about the plaintext, which the parties see and the service does not. */
  readonly operatingMode: OperatingMode;
  readonly gates: readonly Gate[];
  readonly cascade: CascadeRule;
  readonly compatibilityMode: CompatibilityMode;
  readonly maxDelegationDepth: number;
  readonly maxDisputes: number;
  readonly maxRevisions: number;
  readonly defaultTtlSeconds: number | null;
  readonly verdictWindowSeconds: number;
  readonly disputeWindowSeconds: number;
  readonly evidenceWindowSeconds: number;
  readonly public: boolean;
  readonly exampleCriteria: JsonObject | null;
  readonly exampleEvidence: JsonObject | null;
}

/** A registration body: the manifest itself, where everything with a default may be left out. */
export type ManifestBody = Partial<Omit<Manifest, 'type' | 'completionSchema' | 'gates'>> &
  Pick<Manifest, 'type' | 'completionSchema'> & {
    readonly gates?: readonly (Omit<Gate, 'description' | 'severity'> & Partial<Gate>)[];
  };

/** A manifest as registered in one org. `registeredBy` is the agent, else the API key; null for the system. */
export interface RecordType {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly publisher: string;
  readonly type: string;
  readonly version: number;
  readonly manifest: Manifest;
  readonly manifestDigest: string;
  readonly status: RecordTypeStatus;
  readonly registeredBy: Uuid | null;
  readonly registeredAt: string;
  /** Position of the entry that registered it, on the schema chain of its org. */
  readonly entryPosition: number;
}

export const TYPE_NAME_PATTERN = '^[a-z][a-z0-9]*([._-][a-z0-9]+)*$';
export const MAX_TYPE_NAME = 96;
export const MAX_PUBLISHER_LABEL = 64;
export const MAX_GATES = 64;
export const MAX_EXPRESSION_BYTES = 4096;

export const RESERVED_TYPE_NAMES: ReadonlySet<string> = new Set(['export', 'import']);
export const RESERVED_PUBLISHER_LABELS: ReadonlySet<string> = new Set([
  'service',
  'platform',
  'system',
  'internal',
]);

/**
 * Fills in the defaults and refuses a manifest that is well-formed but has no consistent meaning.
 *
 * @throws NotaryError RESERVED_PUBLISHER_LABEL, or UNPROCESSABLE with every fault in `errors`.
 */
export const completeManifest = (
  body: ManifestBody,
  context: { readonly orgSlug: string; readonly nextVersion: number },
): Manifest => {
  const manifest: Manifest = {
    type: body.type,
    publisher: body.publisher ?? context.orgSlug,
    version: body.version ?? context.nextVersion,
    title: body.title ?? null,
    description: body.description ?? null,
    criteriaSchema: body.criteriaSchema ?? { type: 'object' },
    completionSchema: body.completionSchema,
    gateMode: body.gateMode ?? 'principal',
    operatingMode: body.operatingMode ?? 'cleartext',
    gates: (body.gates ?? []).map((gate) => ({
      id: gate.id,
      description: gate.description ?? '',
      expression: gate.expression,
      severity: gate.severity ?? 'block',
    })),
    cascade: body.cascade ?? { rule: 'none' },
    compatibilityMode: body.compatibilityMode ?? 'backward',
    maxDelegationDepth: body.maxDelegationDepth ?? 5,
    maxDisputes: body.maxDisputes ?? 1,
    maxRevisions: body.maxRevisions ?? 3,
    defaultTtlSeconds: body.defaultTtlSeconds ?? null,
    verdictWindowSeconds: body.verdictWindowSeconds ?? 7 * DAY,
    disputeWindowSeconds: body.disputeWindowSeconds ?? 7 * DAY,
    evidenceWindowSeconds: body.evidenceWindowSeconds ?? 3 * DAY,
    public: body.public ?? false,
    exampleCriteria: body.exampleCriteria ?? null,
    exampleEvidence: body.exampleEvidence ?? null,
  };
  if (RESERVED_PUBLISHER_LABELS.has(manifest.publisher))
    throw new NotaryError(
      'RESERVED_PUBLISHER_LABEL',
      `The publisher label ${JSON.stringify(manifest.publisher)} is reserved.`,
      { publisher: manifest.publisher },
    );
  const errors = semanticFaults(manifest);
  if (errors.length > 0)
    throw new NotaryError(
      'UNPROCESSABLE',
      `The manifest contradicts itself: ${errors[0]!.message}.`,
      { errors },
    );
  return manifest;
};

/** A type without completions: its records are sealed at creation and final from then on. */
export const isNotarizeOnly = (manifest: Pick<Manifest, 'completionSchema'>): boolean =>
  Object.keys(manifest.completionSchema).length === 0;

/** SHA-256 of the RFC 8785 form of the manifest, lowercase hex. */
export const manifestDigest = (manifest: ManifestBody): string => {
  const known = digests.get(manifest);
  if (known !== undefined) return known;
  // An interface has no index signature, so TypeScript cannot see that a manifest is JSON.
  const digest = hashJson(manifest as unknown as JsonValue);
  digests.set(manifest, digest);
  return digest;
};

/**
 * Canonicalizing a large schema takes tens of milliseconds, and one request needs the digest
 * several times.
 */
const digests = new WeakMap<ManifestBody, string>();

const DAY = 86_400;

const semanticFaults = (manifest: Manifest): FieldError[] => [
  ...(RESERVED_TYPE_NAMES.has(manifest.type)
    ? [fault('/type', 'reserved', `the type name ${JSON.stringify(manifest.type)} is reserved`)]
    : []),
  ...(manifest.operatingMode === 'encrypted' && manifest.gateMode === 'auto'
    ? [
        fault(
          '/gateMode',
          'encrypted',
          'an encrypted type cannot decide by itself; use gateMode principal',
        ),
      ]
    : []),
  ...notarizeOnlyFaults(manifest),
  ...gateFaults(manifest.gates),
  ...cascadeFaults(manifest.cascade),
];

const notarizeOnlyFaults = (manifest: Manifest): FieldError[] => {
  if (!isNotarizeOnly(manifest)) return [];
  const why = 'completionSchema {} makes the type notarize-only, which has no completion';
  return [
    ...(manifest.gates.length > 0
      ? [fault('/gates', 'notarize-only', `${why} that gates could judge`)]
      : []),
    ...(manifest.cascade.rule !== 'none'
      ? [fault('/cascade/rule', 'notarize-only', `${why} that a cascade could hold back`)]
      : []),
  ];
};

const gateFaults = (gates: readonly Gate[]): FieldError[] => {
  if (gates.length > MAX_GATES)
    return [
      fault('/gates', 'maxItems', `a type has at most ${MAX_GATES} gates, not ${gates.length}`),
    ];
  const seen = new Set<string>([CASCADE_GATE_ID]);
  return gates.flatMap((gate, i) => {
    const errors: FieldError[] = [];
    if (gate.id === CASCADE_GATE_ID)
      errors.push(
        fault(
          `/gates/${i}/id`,
          'reserved',
          `the gate id ${CASCADE_GATE_ID} belongs to the cascade rule`,
        ),
      );
    else if (seen.has(gate.id))
      errors.push(
        fault(
          `/gates/${i}/id`,
          'uniqueItems',
          `the gate id ${JSON.stringify(gate.id)} stands twice`,
        ),
      );
    seen.add(gate.id);
    const bytes = new TextEncoder().encode(gate.expression).length;
    if (bytes > MAX_EXPRESSION_BYTES)
      errors.push(
        fault(
          `/gates/${i}/expression`,
          'maxLength',
          `an expression has at most ${MAX_EXPRESSION_BYTES} bytes, not ${bytes}`,
        ),
      );
    return errors;
  });
};

/** The id under which an unmet cascade rule stands among the gate results. */
export const CASCADE_GATE_ID = 'cascade';

const cascadeFaults = (cascade: CascadeRule): FieldError[] => {
  if (cascade.rule === 'quorum') {
    if (cascade.quorum === undefined)
      return [
        fault(
          '/cascade/quorum',
          'required',
          'the rule quorum needs the number of children that must be fulfilled',
        ),
      ];
    return cascade.quorum < 1
      ? [fault('/cascade/quorum', 'minimum', 'a quorum is at least 1')]
      : [];
  }
  return cascade.quorum === undefined
    ? []
    : [fault('/cascade/quorum', 'superfluous', `the rule ${cascade.rule} takes no quorum`)];
};

const fault = (path: string, keyword: string, message: string): FieldError => ({
  path,
  keyword,
  message,
});
