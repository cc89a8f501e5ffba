import { createHmac, randomBytes } from 'node:crypto';
import { SpanKind, trace, TraceFlags, type Context } from '@opentelemetry/api';
import { SamplingDecision, type Sampler, type SamplingResult } from '@opentelemetry/sdk-trace-node';

const TOLD: SamplingResult = { decision: SamplingDecision.RECORD_AND_SAMPLED };
const UNTOLD: SamplingResult = { decision: SamplingDecision.NOT_RECORD };

/**
 * Tells a part of all traces, chosen by a hash under a key that nobody knows. The sampler of OpenTelemetry chooses by the
 * bits of the trace id, which callers choose: each could have all of its calls told, or none.
 */
export class SecretRatioSampler implements Sampler {
  private readonly key = randomBytes(32);

  /** @param ratio 0 to 1. */
  constructor(private readonly ratio: number) {}

  shouldSample(context: Context, traceId: string, _name: string, kind: SpanKind): SamplingResult {
    const parent = trace.getSpanContext(context);
    // A step of a call is told with it, and so is a delivery, which this service, perhaps in another process, noted for it.
    if (parent && (!parent.isRemote || kind === SpanKind.CLIENT))
      return parent.traceFlags & TraceFlags.SAMPLED ? TOLD : UNTOLD;
    const bits = createHmac('sha256', this.key).update(traceId).digest().readUInt32BE(0);
    return bits < this.ratio * 2 ** 32 ? TOLD : UNTOLD;
  }

  toString(): string {
    return `SecretRatio{${this.ratio}}`;
  }
}
