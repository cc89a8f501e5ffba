import type { TObject } from 'typebox';
import type { Allowance } from '../../../application/call/budgets.ts';
import type { BoundOperation, CallGateway } from '../../../application/call/call-gateway.ts';
import type { Asked, Call } from '../../../application/call/call.port.ts';
import type { CallOutcome } from '../../../application/call/idempotent-calls.ts';
import type { Operation } from '../../../application/call/operation.ts';
import type { Proofs } from '../../../application/call/proofs.ts';
import { wholeView } from '../../../application/call/streamed-view.ts';

/** One call, said in values. */
export interface PlainCallOptions {
  readonly operation: string;
  readonly input: object;
  readonly credential?: string | undefined;
  readonly key?: string | undefined;
  readonly expectedVersions?: readonly number[] | undefined;
  readonly proofs?: Proofs | undefined;
  readonly requestId?: string;
  readonly address?: string;
}

/** The least that a front-end can be: no wire, no form of its own. What passes here is not owed to HTTP. */
export class PlainFrontEnd {
  private readonly bound: ReadonlyMap<string, BoundOperation>;
  private calls = 0;

  constructor(
    private readonly gateway: CallGateway,
    operations: readonly Operation[],
  ) {
    this.bound = new Map(
      operations.map((operation) => [operation.id, gateway.bind(plainBinding(operation))]),
    );
  }

  /** @throws NotaryError with what the gateway refuses. */
  async perform(options: PlainCallOptions): Promise<CallOutcome> {
    const bound = this.bound.get(options.operation);
    if (!bound) throw new TypeError(`there is no operation ${options.operation}`);
    const call = new PlainCall(options, options.requestId ?? `plain-${++this.calls}`);
    const admission = await this.gateway.admit(call, bound.access, bound.budget);
    this.gateway.permit(admission, bound.access);
    const outcome = await this.gateway.perform(admission, bound, new PlainAsked(options));
    try {
      if (!bound.operation.isStreamed) return outcome;
      const view = await wholeView(outcome.shown.view);
      return { ...outcome, shown: { ...outcome.shown, view } };
    } finally {
      outcome.end?.();
    }
  }
}

/** The input as a whole is the one part. */
const plainBinding = (operation: Operation) => ({
  operation,
  parts: [
    {
      noun: 'The input',
      memberNoun: 'member',
      schema: operation.input satisfies TObject,
      hasHelp: true,
      example: Object.values(operation.examples)[0],
    },
  ],
});

export class PlainCall implements Call {
  readonly protocol = 'cli';
  readonly address: string;
  readonly announcedBytes: number = 0;
  /** What the call has left, as the gateway said last. */
  allowance: Allowance | null = null;

  constructor(
    private readonly options: Pick<PlainCallOptions, 'credential' | 'address'>,
    readonly requestId: string,
  ) {
    this.address = options.address ?? '127.0.0.1';
  }

  credential(): string | undefined {
    return this.options.credential;
  }

  readonly allow = (allowance: Allowance): void => {
    this.allowance = allowance;
  };
}

export class PlainAsked implements Asked {
  constructor(private readonly options: Omit<PlainCallOptions, 'operation'>) {}

  known(): { readonly [member: string]: unknown } {
    return { ...this.options.input };
  }

  proofs(): Proofs | null {
    return this.options.proofs ?? null;
  }

  key(): string | undefined {
    return this.options.key;
  }

  expectedVersions(): readonly number[] | undefined {
    return this.options.expectedVersions;
  }

  input(): readonly unknown[] {
    return [this.options.input];
  }
}
