import {
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../kernel/canonical-json.ts';

/** What the performer decides, whatever its step asks for. */
const OF_EVERY_STEP = ['messageHash', 'reason', 'cancelledBy', 'encryption', 'reference'] as const;

/** What it decides in some steps; in every other one home repeats what stands by then. */
const OF_SOME: ReadonlyMap<string, readonly string[]> = new Map([
  ['accept', ['criteriaHash']],
  ['accept-counter', ['criteriaHash']],
  ['counter-propose', ['criteriaHash']],
  ['submit-completion', ['completionId', 'evidenceHash']],
]);

/**
 * What an entry departs in from the step that it claims to carry out; nothing where home did as the performer asked.
 *
 * @param offered the predicate of the STEP_OFFERED.
 * @param applied the predicate of home's entry, or of the mirror's that repeats it.
 */
export const stepDepartures = (offered: JsonObject, applied: JsonObject): readonly string[] => {
  const action = actionOf(offered);
  if (offered['entryType'] !== 'STEP_OFFERED' || action === undefined) return ['transition.action'];
  if (action !== actionOf(applied)) return ['transition.action'];
  const decided = [...OF_EVERY_STEP, ...(OF_SOME.get(String(action)) ?? [])];
  return [
    ...decided.filter((member) => formOf(offered[member]) !== formOf(applied[member])),
    ...(contentOf(offered) === contentOf(applied) ? [] : ['dispute.contentHash']),
  ];
};

const actionOf = ({ transition }: JsonObject): JsonValue | undefined =>
  isObject(transition) ? transition['action'] : undefined;

const contentOf = ({ dispute }: JsonObject): JsonValue | undefined =>
  isObject(dispute) ? dispute['contentHash'] : undefined;

const formOf = (value: JsonValue | undefined): string | undefined =>
  value === undefined ? undefined : canonicalJson(value);
