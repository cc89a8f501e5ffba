import type { DescMethod } from '@bufbuild/protobuf';
import type { Metadata } from '@grpc/grpc-js';
import type { Access } from '../../application/call/access.ts';
import type { Budget } from '../../application/call/budgets.ts';
import type { Admission } from '../../application/call/call.port.ts';
import type { CallGateway } from '../../application/call/call-gateway.ts';
import type { LoadGate } from '../../application/call/load-gate.ts';
import { overloaded } from '../../application/call/overloaded.ts';
import type { Log } from '../../application/ports/log.port.ts';
import type { Tracer } from '../../application/ports/tracer.port.ts';
import type { ClientAddress } from '../http/http-call.ts';
import { CallEnd, type OnEnd, type Refused } from './call-end.ts';
import { traceCall } from './call-span.ts';
import { GrpcCall, type Incoming } from './grpc-call.ts';
import { nameOf } from './method.ts';
import { WaitingCalls } from './waiting-calls.ts';

/** A call that was let in, and how it ends. */
export interface Admitted {
  readonly call: GrpcCall;
  readonly admission: Admission;
  readonly end: CallEnd;
}

interface Entrance {
  readonly route: string;
  readonly access: Access;
  readonly budget: Budget;
  readonly isStream: boolean;
  readonly onEnd: OnEnd | null;
}

export interface AdmissionParts {
  readonly gateway: Pick<CallGateway, 'admit' | 'permit'>;
  readonly clientAddress: ClientAddress;
  readonly log: Log;
  readonly load: Pick<LoadGate, 'take' | 'retryAfterSeconds'>;
  /** Left out where nobody traces. */
  readonly tracer?: Tracer | null;
  /** Told of every call of a method of ours that ended; the time is null of a stream. Left out where nobody counts. */
  readonly onCalled?: ((route: string, status: string, durationMs: number | null) => void) | null;
}

/**
 * Who is let in, settled by the metadata of a call alone, before a byte of its message is read: whoever has no credential
 * makes the service hold nothing.
 */
export class Admissions {
  private readonly entrances = new Map<string, Entrance>();
  private readonly admitted = new WeakMap<Metadata, Admitted>();
  private readonly waiting = new WaitingCalls();

  constructor(private readonly parts: AdmissionParts) {}

  add(method: DescMethod, access: Access, budget: Budget): void {
    const route = nameOf(method);
    const isStreamed = isStream(method);
    const { onCalled } = this.parts;
    const onEnd: OnEnd | null = onCalled
      ? (status, durationMs) => onCalled(route, status, isStreamed ? null : durationMs)
      : null;
    this.entrances.set(`/${route}`, { route, access, budget, isStream: isStreamed, onEnd });
  }

  /**
   * @returns why the call is refused; null where it was let in.
   * @throws nothing.
   */
  async admit(
    path: string,
    incoming: Pick<Incoming, 'metadata' | 'getPeer'>,
  ): Promise<Refused | null> {
    const { gateway, clientAddress, log, load, tracer } = this.parts;
    const entrance = this.entrances.get(path) ?? standard(path);
    const { route, access, budget, onEnd } = entrance;
    const call = new GrpcCall(incoming, clientAddress);
    const end = new CallEnd(route, call, log, onEnd);
    if (!this.isStandard(path)) {
      end.place = load.take('grpc');
      if (!end.place) return this.shed(end);
      if (tracer) call.span = traceCall(tracer, route, call, incoming);
    }
    try {
      const admission = await gateway.admit(call, access, budget);
      end.caller = admission.caller;
      gateway.permit(admission, access);
      this.admitted.set(incoming.metadata, { call, admission, end });
      // A stream that is open waits for what happens, and keeps nobody else waiting; each message that it brings comes to the gate
      // by itself.
      if (entrance.isStream) end.place?.leave();
      return null;
    } catch (cause) {
      return end.refused(cause);
    }
  }

  /**
   * The message of a call is on its way, and the call holds little until it is there.
   *
   * @returns what is called, once, when it is there or will never be.
   * @throws NotaryError RATE_LIMITED.
   */
  awaitMessage({ call, end }: Admitted): () => void {
    const waitsNoLonger = this.waiting.take(end.caller, call.address);
    end.place?.awaitCaller();
    return waitsNoLonger;
  }

  /** The message is there. Why the call goes no further; null: it does. */
  goOn({ end }: Admitted): Refused | null {
    return end.place?.goOn() === false ? this.shed(end) : null;
  }

  /** @throws TypeError where nobody let it in. */
  of({ metadata }: Pick<Incoming, 'metadata'>): Admitted {
    const admitted = this.admitted.get(metadata);
    if (!admitted) throw new TypeError('a call reached its method without having been let in');
    return admitted;
  }

  private shed(end: CallEnd): Refused {
    end.isShed = true;
    return end.refused(overloaded(this.parts.load.retryAfterSeconds));
  }

  /** Whether it is a method of health or reflection. */
  isStandard(path: string): boolean {
    return !this.entrances.has(path);
  }
}

/** Health is asked by probes, which are refused nothing; what reflection shows costs what a document does. */
const standard = (path: string): Entrance => ({
  route: path.slice(1),
  access: 'public',
  budget: path.startsWith('/grpc.health.') ? 'probe' : 'default',
  isStream: false,
  onEnd: null,
});

const isStream = ({ methodKind }: DescMethod): boolean =>
  methodKind === 'server_streaming' || methodKind === 'bidi_streaming';
