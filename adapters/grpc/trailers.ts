import { Metadata } from '@grpc/grpc-js';
import type { Allowance } from '../../application/call/budgets.ts';
import type { Shown } from '../../application/call/operation.ts';
import { etagOf } from '../http/etag.ts';
import { pushRateHeaders } from '../http/rate-headers.ts';

/** What stands beside an answer: in trailers here, in headers over REST, under the same names. */
export const trailersOf = (
  call: { readonly requestId: string; readonly allowance: Allowance | null },
  isReplay: boolean,
  shown?: Pick<Shown, 'version' | 'stage' | 'isNew'>,
): Metadata => {
  const headers: [string, string][] = [['x-request-id', call.requestId]];
  if (isReplay) headers.push(['idempotency-replayed', 'true']);
  if (shown?.version !== undefined) headers.push(['etag', etagOf(shown.version, shown.stage)]);
  // Over REST the status says so, 201 or 200.
  if (shown?.isNew !== undefined) headers.push(['x-created', String(shown.isNew)]);
  if (call.allowance) pushRateHeaders(headers, call.allowance);
  const trailers = new Metadata();
  for (const [name, value] of headers) trailers.set(name, value);
  return trailers;
};
