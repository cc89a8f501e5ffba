import type { Static, TObject, TSchema } from 'typebox';
import type { CallContext } from '../call/call-context.ts';
import type { InputCheck, PartCheck } from '../call/input-check.port.ts';
import type { FindUseCase, Operation } from '../call/operation.ts';

/** Performs operations for the service itself: with the same check of the input, and the same use case, as for callers. */
export class PerformOperation {
  private readonly checks = new Map<string, PartCheck>();

  constructor(
    private readonly inputs: InputCheck,
    private readonly useCaseOf: FindUseCase,
  ) {}

  async perform<I extends TObject, R, V extends TSchema>(
    operation: Operation<I, R, V>,
    context: CallContext,
    input: Static<I>,
  ): Promise<R> {
    const checked = this.checkOf(operation.id, operation.input)(input);
    return (await this.useCaseOf(operation.useCase).execute(context, checked)) as R;
  }

  private checkOf(id: string, schema: TObject): PartCheck {
    let check = this.checks.get(id);
    if (!check) {
      check = this.inputs.prepare({
        noun: 'The document',
        memberNoun: 'member',
        schema,
        hasHelp: false,
      });
      this.checks.set(id, check);
    }
    return check;
  }
}
