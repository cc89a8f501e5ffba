import { hashJson } from '../kernel/digest.ts';
import type { JsonValue } from '../kernel/canonical-json.ts';
import type { GateInputs, GateResult } from '../record-type/gate-evaluator.port.ts';
import type { GateMode } from '../record-type/manifest.ts';
import type { GateClaim } from './record-statement.ts';

/** PENDING: not evaluated yet. SKIPPED: the encrypted mode, where the service cannot see the evidence. */
export type GateState =
  'PENDING' | 'PASSED' | 'FAILED' | 'ADVISORY_PASSED' | 'ADVISORY_FAILED' | 'SKIPPED';

export type GateDecision = Extract<
  GateState,
  'PASSED' | 'FAILED' | 'ADVISORY_PASSED' | 'ADVISORY_FAILED'
>;

/** The outcome of an evaluation: the decision, the results to keep and the claim to seal. */
export interface GateOutcome {
  readonly state: GateState;
  readonly results: readonly GateResult[];
  readonly claim: GateClaim;
}

/**
 * What the results say together. All blocking gates pass: passed, and so it is without any gate; `warn`
 * never blocks. In auto mode that decides, in principal mode it advises.
 */
export const gateState = (
  mode: GateMode,
  results: readonly Pick<GateResult, 'outcome' | 'severity'>[],
): GateDecision => {
  const passed = results.every((result) => result.severity === 'warn' || result.outcome === 'pass');
  if (mode === 'auto') return passed ? 'PASSED' : 'FAILED';
  return passed ? 'ADVISORY_PASSED' : 'ADVISORY_FAILED';
};

/** The digest under which an evaluation can be repeated and compared: SHA-256 of the RFC 8785 form of all inputs. */
export const gateInputsDigest = (inputs: GateInputs): string => {
  const known = digests.get(inputs);
  if (known !== undefined) return known;
  const digest = hashJson(inputs as unknown as JsonValue);
  digests.set(inputs, digest);
  return digest;
};

/** One evaluation needs the digest twice, and evidence may be large. */
const digests = new WeakMap<GateInputs, string>();
