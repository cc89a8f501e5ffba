import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import type { Gate } from './manifest.ts';

/** Evaluates the gates of a record type: CEL expressions over what is known about one completion. */
export interface GateEvaluator {
  /**
   * To be called before `check` and `evaluate`, with any of the gates that they are about to get: the engine may have to
   * be loaded first. It compiles ahead of time what they need, and yields to other work in between: compiling 64 gates in
   * one go would block the process. What was compiled ahead never changes an answer. Never throws.
   */
  prepare(gates: readonly Gate[]): Promise<void>;

  /**
   * Compiles and type-checks every gate: size, nesting, unknown variables and functions, operands that can
   * never fit, a result that is not a bool. Empty when all can be used; paths are `/<index>/expression`.
   * Never throws.
   */
  check(gates: readonly Gate[]): readonly FieldError[];

  /**
   * Gives one result for each gate, in the order of the gates. Never throws: whatever goes wrong
   * inside an expression (a missing member, a wrong type, a result that is not a bool) becomes the
   * outcome `error`, with the reason in `detail`, and counts as failing. An evaluation that would
   * cost too much is a `fail` that says so. The cost is counted in steps, never in time, and the
   * gates share one budget in their order, so the same gates and inputs give the same results
   * anywhere, years later.
   */
  evaluate(gates: readonly Gate[], inputs: GateInputs): readonly GateResult[];
}

/** Everything an expression can see. `now` is ISO 8601 UTC; in an expression it is a timestamp. */
export interface GateInputs {
  readonly criteria: JsonValue;
  readonly evidence: JsonValue;
  readonly record: JsonObject;
  readonly completion: JsonObject;
  readonly children: readonly JsonObject[];
  /** Null while no dispute is open. */
  readonly dispute: JsonObject | null;
  readonly now: string;
}

export const GATE_VARIABLES = [
  'criteria',
  'evidence',
  'record',
  'completion',
  'children',
  'dispute',
  'now',
] as const satisfies readonly (keyof GateInputs)[];

export interface GateResult {
  readonly gateId: string;
  readonly description: string;
  readonly outcome: 'pass' | 'fail' | 'error';
  readonly severity: 'block' | 'warn';
  readonly expression: string;
  /** SHA-256 of the RFC 8785 form of the inputs, lowercase hex. */
  readonly inputsDigest: string;
  /** Why the gate did not pass; null where it passed. */
  readonly detail: string | null;
}
