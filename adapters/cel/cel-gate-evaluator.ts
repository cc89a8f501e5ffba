import { setImmediate } from 'node:timers/promises';
import { isCelError, type CelInput } from '@bufbuild/cel';
import { BoundedCache } from '../../domain/kernel/bounded-cache.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { FieldError } from '../../domain/kernel/errors.ts';
import { gateInputsDigest } from '../../domain/record/gate.ts';
import type {
  GateEvaluator,
  GateInputs,
  GateResult,
} from '../../domain/record-type/gate-evaluator.port.ts';
import type { Gate } from '../../domain/record-type/manifest.ts';
import { CelTypeError } from './cel-fault.ts';
import { celEnvironment, celFunctions } from './cel-environment.ts';
import { runtimeFault } from './cel-runtime-fault.ts';
import { CelMeter } from './cel-meter.ts';
import { type CelContext, type CelProgram, compileGate, GATE_SCOPE } from './cel-program.ts';
import { timestampOfMs } from './cel-times.ts';
import { toCelValue } from './cel-values.ts';

/**
 * Evaluates gates in CEL (cel.dev), as cel-spec defines it and no further, so that another engine
 * comes to the same result. Numbers of the inputs are doubles. The cost is counted in steps
 * (cel-meter.ts), and no expression depends on the machine, its clock or its time zone, so an
 * evaluation can be repeated years later.
 */
export class CelGateEvaluator implements GateEvaluator {
  private readonly meter = new CelMeter();
  private readonly context = gateContext(this.meter);
  private readonly programs = new BoundedCache<CelProgram | Error>(MAX_CACHED_CHARACTERS);

  async prepare(gates: readonly Gate[]): Promise<void> {
    for (const { expression } of gates) {
      if (this.programs.get(expression)) continue;
      await setImmediate();
      try {
        this.program(expression);
      } catch {
        // Kept, so that `check` and `evaluate` report it.
      }
    }
  }

  check(gates: readonly Gate[]): readonly FieldError[] {
    return gates.flatMap((gate, i) => {
      try {
        this.program(gate.expression);
        return [];
      } catch (error) {
        return [
          {
            path: `/${i}/expression`,
            keyword: 'cel',
            message: `the gate ${JSON.stringify(gate.id)} cannot be used: ${reasonOf(error)}`,
          },
        ];
      }
    });
  }

  evaluate(gates: readonly Gate[], inputs: GateInputs): readonly GateResult[] {
    if (gates.length === 0) return [];
    const inputsDigest = gateInputsDigest(inputs);
    const bindings = bindingsOf(inputs);
    this.meter.beginAll();
    return gates.map(({ id, description, expression, severity }) => ({
      gateId: id,
      description,
      severity,
      expression,
      inputsDigest,
      ...this.decide(expression, bindings),
    }));
  }

  private decide(
    expression: string,
    bindings: Record<string, CelInput>,
  ): Pick<GateResult, 'outcome' | 'detail'> {
    // An expression may raise an error for every element, and collecting a stack for each would
    // dominate the cost.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    this.meter.begin();
    try {
      // Nodes outside of comprehensions are charged together, not one by one.
      this.meter.charge(expression.length / CHARACTERS_A_STEP);
      const program = this.program(expression);
      const result = program.run(bindings);
      if (this.meter.breach !== null)
        return { outcome: 'fail', detail: `not evaluated: ${this.meter.breach}` };
      if (isCelError(result))
        return { outcome: 'error', detail: runtimeFault(result, expression, program) };
      if (typeof result !== 'boolean')
        return { outcome: 'error', detail: 'the expression gives no bool' };
      return result
        ? { outcome: 'pass', detail: null }
        : { outcome: 'fail', detail: 'the expression is false' };
    } catch (error) {
      if (this.meter.breach !== null)
        return { outcome: 'fail', detail: `not evaluated: ${this.meter.breach}` };
      return { outcome: 'error', detail: reasonOf(error) };
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  private program(expression: string): CelProgram {
    let program = this.programs.get(expression);
    if (!program) {
      try {
        program = compileGate(this.context, expression);
      } catch (error) {
        program = error instanceof Error ? error : new Error(String(error));
      }
      this.programs.set(expression, program, expression.length + 200);
    }
    if (program instanceof Error) throw program;
    return program;
  }
}

const CHARACTERS_A_STEP = 2;

/** The total size of the cached expressions. */
const MAX_CACHED_CHARACTERS = 2 * 1024 * 1024;

/** Without a prototype, so that `constructor` is not a variable. */
const bindingsOf = (inputs: GateInputs): Record<string, CelInput> =>
  Object.assign(Object.create(null) as Record<string, CelInput>, {
    criteria: toCelValue(inputs.criteria),
    evidence: toCelValue(inputs.evidence),
    record: toCelValue(inputs.record),
    completion: toCelValue(inputs.completion),
    children: toCelValue(inputs.children as readonly JsonValue[]),
    dispute: toCelValue(inputs.dispute),
    now: timestampOfMs(Date.parse(inputs.now)),
  });

/** Why an expression cannot be compiled. It says what its author wrote, and no content. */
const reasonOf = (error: unknown): string =>
  error instanceof CelTypeError
    ? error.message.slice(0, 500)
    : error instanceof RangeError
      ? 'it is nested too deep'
      : 'it cannot be compiled';

const gateContext = (meter: CelMeter): CelContext => {
  const functions = celFunctions(meter);
  return { functions, env: celEnvironment(functions), variables: GATE_SCOPE };
};
