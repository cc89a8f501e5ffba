import { setImmediate } from 'node:timers/promises';
import { mayCall } from '../../application/call/access.ts';
import type { Admission, Asked } from '../../application/call/call.port.ts';
import type { CallGateway } from '../../application/call/call-gateway.ts';
import type { CallOutcome } from '../../application/call/idempotent-calls.ts';
import type { Operation } from '../../application/call/operation.ts';
import type { Proofs } from '../../application/call/proofs.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { BoundTools } from './bound-tools.ts';
import type { Tool } from './tools.ts';

export interface McpCallParts {
  readonly gateway: CallGateway;
  readonly tools: BoundTools;
  readonly exchange: HttpExchange;
  readonly admission: Admission;
  readonly proofs: Proofs | null;
  /** Of the request as it was sent: what a library makes of it is not what may be sealed. */
  readonly params: JsonObject;
  /** Of the request, in bytes. */
  readonly length: number;
}

/** Up to this length a call is carried out and answered without a pause. */
const SHORT = 65_536;

interface AskedOf {
  /** Under which it acts once. */
  readonly key?: string | undefined;
  readonly expectedVersions?: readonly number[] | undefined;
}

/** One request, while it is carried out: it may ask for more than one operation, and creates with one of them at most. */
export class McpCall {
  constructor(private readonly parts: McpCallParts) {}

  get caller(): Caller | null {
    return this.parts.admission.caller;
  }

  get exchange(): HttpExchange {
    return this.parts.exchange;
  }

  get params(): JsonObject {
    return this.parts.params;
  }

  get isCoSigned(): boolean {
    return (this.parts.proofs?.coSignatures().length ?? 0) > 0;
  }

  /** What is long to read is long to write, several times: everybody else has their turn in between. */
  async pause(): Promise<void> {
    if (this.parts.length > SHORT) await setImmediate();
  }

  mayCall(operation: Operation): boolean {
    return mayCall(operation.access({}), this.caller);
  }

  /** The outcome, with the view in the form of tools. @throws NotaryError with what the gateway refuses. */
  async perform(
    tool: Pick<Tool, 'name' | 'operation' | 'fixed'>,
    input: JsonObject,
    { key, expectedVersions }: AskedOf = {},
  ): Promise<CallOutcome> {
    const { gateway, tools, admission, proofs, exchange } = this.parts;
    const { operation, bound, fixed, render } = tools.of(tool);
    await gateway.chargeKnown(admission, operation);
    const asked: Asked = {
      known: () => ({ ...input, ...fixed }),
      proofs: () => proofs,
      key: () => (operation.effect === 'write' ? key : undefined),
      expectedVersions: () => expectedVersions,
      input: () => [input],
    };
    const outcome = await gateway.perform(admission, bound, asked);
    if (outcome.end) exchange.holdUntilSent(outcome.end);
    const view = render(outcome.shown.view, { instance: exchange.instance });
    return { ...outcome, shown: { ...outcome.shown, view } };
  }
}
