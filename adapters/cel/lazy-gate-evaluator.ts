import type { FieldError } from '../../domain/kernel/errors.ts';
import type {
  GateEvaluator,
  GateInputs,
  GateResult,
} from '../../domain/record-type/gate-evaluator.port.ts';
import type { Gate } from '../../domain/record-type/manifest.ts';

/** The evaluator of CEL, loaded with the first gate that is prepared: a notary whose types have none never loads it. */
export class LazyGateEvaluator implements GateEvaluator {
  private evaluator: GateEvaluator | null = null;

  async prepare(gates: readonly Gate[]): Promise<void> {
    if (gates.length === 0) return;
    const { CelGateEvaluator } = await import('./cel-gate-evaluator.ts');
    this.evaluator ??= new CelGateEvaluator();
    await this.evaluator.prepare(gates);
  }

  check(gates: readonly Gate[]): readonly FieldError[] {
    return gates.length === 0 ? [] : this.loaded().check(gates);
  }

  evaluate(gates: readonly Gate[], inputs: GateInputs): readonly GateResult[] {
    return gates.length === 0 ? [] : this.loaded().evaluate(gates, inputs);
  }

  private loaded(): GateEvaluator {
    if (!this.evaluator) throw new Error('gates are prepared before they are checked or evaluated');
    return this.evaluator;
  }
}
