import type { Caller } from '../../domain/identity/caller.ts';
import type { Keyset } from '../../domain/kernel/page.ts';
import { mayCall } from './access.ts';
import type { Cursors } from './cursors.ts';
import type { Guide, NextStep } from './guide.ts';
import type { Operation } from './operation.ts';

/** Every operation by its id, so that an answer can point at what exists and at nothing else. */
export class Operations {
  private readonly byId: ReadonlyMap<string, Operation>;

  constructor(readonly all: readonly Operation[]) {
    this.byId = new Map(all.map((operation) => [operation.id, operation]));
    if (this.byId.size !== all.length) throw new TypeError('two operations share an id');
  }

  /** Whether there is such an operation, and it is open to this caller with this input. */
  isOpen({ operation: id, input }: NextStep, caller: Caller | null): boolean {
    const operation = this.byId.get(id);
    return operation !== undefined && mayCall(operation.access(input), caller);
  }
}

/** The guide of one call. */
export class CallGuide implements Guide {
  constructor(
    readonly requestId: string,
    readonly caller: Caller | null,
    private readonly operations: Operations,
    private readonly cursors: Cursors,
    /** What the cursors of this call are bound to. */
    private readonly binding: string,
  ) {}

  steps(...steps: readonly NextStep[]): readonly NextStep[] {
    return steps.filter((step) => this.operations.isOpen(step, this.caller));
  }

  cursor(next: Keyset | null): string | null {
    return next && this.cursors.encode(next, this.binding);
  }
}
