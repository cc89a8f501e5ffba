import { describe, expect, it } from 'vitest';
import { contextOf, traceparentOf } from '../../../adapters/telemetry/trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const of = (traceparent: string | undefined, tracestate?: string) =>
  contextOf({ traceparent, tracestate });

describe('traceparent (W3C Trace Context section 3.2)', () => {
  it('names the trace, the parent and whether it is sampled', () => {
    expect(of(`00-${TRACE}-${PARENT}-01`)).toEqual({
      traceId: TRACE,
      spanId: PARENT,
      traceFlags: 1,
      isRemote: true,
    });
    expect(of(`00-${TRACE}-${PARENT}-00`)).toMatchObject({ traceFlags: 0 });
    // Flags that nobody defined say nothing.
    expect(of(`00-${TRACE}-${PARENT}-fe`)).toMatchObject({ traceFlags: 0 });
  });

  it('is read of a later version, and of what that adds nothing', () => {
    expect(of(`cc-${TRACE}-${PARENT}-01`)).toMatchObject({ traceId: TRACE });
    expect(of(`cc-${TRACE}-${PARENT}-01-what-comes`)).toMatchObject({ traceId: TRACE });
  });

  it.each([
    ['nothing', undefined],
    ['an empty one', ''],
    ['the version that is none', `ff-${TRACE}-${PARENT}-01`],
    ['more than version 00 has', `00-${TRACE}-${PARENT}-01-more`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['another sign', `00-${TRACE.slice(1)}g-${PARENT}-01`],
    ['two headers', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    ['a line break', `00-${TRACE}-${PARENT}-01\r\nx-admin: 1`],
    ['a long one', `cc-${TRACE}-${PARENT}-01-${'x'.repeat(10_000)}`],
  ])('is ignored: %s', (_, traceparent) => {
    expect(of(traceparent)).toBeNull();
  });

  it('is written as version 00, with no flag but the one that is known', () => {
    const context = of(`cc-${TRACE}-${PARENT}-03-more`)!;
    expect(traceparentOf(context)).toBe(`00-${TRACE}-${PARENT}-01`);
  });

  it('keeps of tracestate what is of the form', () => {
    const stateOf = (tracestate: string) =>
      of(`00-${TRACE}-${PARENT}-01`, tracestate)?.traceState?.serialize();
    expect(stateOf('congo=t61rcWkgMzE,rojo=00f067aa0ba902b7')).toBe(
      'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
    );
    expect(stateOf('Not A Key=1,rojo=1')).toBe('rojo=1');
    expect(stateOf('x'.repeat(10_000))).toBe('');
  });
});
