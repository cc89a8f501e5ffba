import { createTraceState, TraceFlags, type SpanContext } from '@opentelemetry/api';
import type { TraceHeaders } from '../../application/ports/tracer.port.ts';

/** Version, trace, parent and flags; what a later version adds stands behind another hyphen. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const LONGEST = 512;

/** W3C Trace Context section 3.2: null where it is not of the form, and then there is no trace to go on with. */
export const contextOf = ({ traceparent, tracestate }: TraceHeaders): SpanContext | null => {
  if (traceparent === undefined || traceparent.length > LONGEST) return null;
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff') return null;
  if (version === '00' && more !== undefined) return null;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return null;
  return {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    // What of it is not of the form is left out.
    ...(tracestate ? { traceState: createTraceState(tracestate) } : {}),
  };
};

export const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
