import type { SpanValues } from '../../application/ports/tracer.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

/** Kinds of refusals that are a fault on this side. */
const FAULTS: ReadonlySet<string> = new Set(['internal', 'unavailable']);

/**
 * What the span of a step says of an error: its code alone, since a message may hold what a caller sent. A refusal is no
 * failure, and what is none of the catalogue may be meant for the use case, which tries another way: whether that was a fault,
 * the span of the call says.
 */
export const failureOf = (error: unknown): readonly [values: SpanValues, failure?: string] => {
  if (!(error instanceof NotaryError)) return [{ 'error.type': '_OTHER' }];
  const values = { 'error.type': error.code };
  return FAULTS.has(error.entry.kind) ? [values, error.code] : [values];
};
