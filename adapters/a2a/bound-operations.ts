import type { BoundOperation, CallGateway } from '../../application/call/call-gateway.ts';
import { inputOf, type Members } from '../../application/call/input-form.ts';
import type { Operation } from '../../application/call/operation.ts';
import { renderBy, type Render } from '../../application/call/render-view.ts';
import { A2A_FORMS, type FormContext } from './forms.ts';

/** An operation, ready to be called by a data part. */
export interface A2aOperation {
  readonly operation: Operation;
  readonly bound: BoundOperation;
  readonly render: Render<FormContext>;
}

/** Operations are bound when they are first called: most are never asked for over this protocol. */
export class BoundOperations {
  private readonly ready = new Map<Operation, Map<string, A2aOperation>>();

  constructor(private readonly gateway: CallGateway) {}

  /** @param fixed members of the input that the method fixes. */
  of(operation: Operation, fixed: Members = {}): A2aOperation {
    const ofThis = this.ready.get(operation) ?? new Map<string, A2aOperation>();
    this.ready.set(operation, ofThis);
    const name = JSON.stringify(fixed);
    const made = ofThis.get(name) ?? this.bind(operation, fixed);
    ofThis.set(name, made);
    return made;
  }

  private bind(operation: Operation, given: Members): A2aOperation {
    // Data parts are JSON, so an export has one form.
    const fixed = 'format' in operation.input.properties ? { ...given, format: 'json' } : given;
    const [example] = Object.values(operation.examples);
    const part = {
      noun: 'The input',
      memberNoun: 'member',
      schema: inputOf(operation, fixed),
      hasHelp: true,
      ...(example ? { example } : {}),
    };
    const bound = this.gateway.bind({ operation, fixed, parts: [part] });
    return { operation, bound, render: renderBy(operation.output, A2A_FORMS) };
  }
}
