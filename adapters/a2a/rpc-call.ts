import type { Admission, Asked } from '../../application/call/call.port.ts';
import type { CallGateway } from '../../application/call/call-gateway.ts';
import { mayCall } from '../../application/call/access.ts';
import type { Members } from '../../application/call/input-form.ts';
import type { CallOutcome } from '../../application/call/idempotent-calls.ts';
import type { Operation } from '../../application/call/operation.ts';
import type { Proofs } from '../../application/call/proofs.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { BoundOperations } from './bound-operations.ts';

export interface RpcCallParts {
  readonly gateway: CallGateway;
  readonly operations: BoundOperations;
  readonly exchange: HttpExchange;
  readonly admission: Admission;
  readonly proofs: Proofs | null;
  /** Its place in a batch; left out where it came alone. */
  readonly item?: number;
}

interface AskedOf {
  /** Under which it acts once. */
  readonly key?: string | undefined;
  readonly expectedVersions?: readonly number[] | undefined;
  /** Members of the input that the method fixes. */
  readonly fixed?: Members;
  /** Why only a repetition is answered; null if any call is. */
  readonly refusal?: NotaryError | null;
}

/** One call of JSON-RPC, while it is carried out: it may ask for more than one operation, and creates with one of them at most. */
export class RpcCall {
  constructor(private readonly parts: RpcCallParts) {}

  get caller(): Caller | null {
    return this.parts.admission.caller;
  }

  get exchange(): HttpExchange {
    return this.parts.exchange;
  }

  get admission(): Admission {
    return this.parts.admission;
  }

  get isBatched(): boolean {
    return this.parts.item !== undefined;
  }

  get isCoSigned(): boolean {
    return (this.parts.proofs?.coSignatures().length ?? 0) > 0;
  }

  mayCall(operation: Operation): boolean {
    return mayCall(operation.access({}), this.caller);
  }

  /** The outcome, with the view in the form of A2A. @throws NotaryError with what the gateway refuses. */
  async perform(
    operation: Operation,
    input: JsonObject,
    { key, expectedVersions, fixed = {}, refusal = null }: AskedOf = {},
  ): Promise<CallOutcome> {
    const { gateway, operations, admission, proofs, item, exchange } = this.parts;
    const { bound, render } = operations.of(operation, fixed);
    await gateway.chargeKnown(admission, operation);
    const asked: Asked = {
      known: () => ({ ...input, ...fixed }),
      proofs: () => proofs,
      item: () => item,
      key: () => (operation.effect === 'write' ? key : undefined),
      expectedVersions: () => expectedVersions,
      assertMayBeNew: () => {
        if (refusal) throw refusal;
      },
      input: () => [input],
    };
    const outcome = await gateway.perform(admission, bound, asked);
    const view = render(outcome.shown.view, { instance: exchange.instance });
    return { ...outcome, shown: { ...outcome.shown, view } };
  }
}
