import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoadGate } from '../../application/call/load-gate.ts';
import { overloaded } from '../../application/call/overloaded.ts';
import { Cors } from './cors.ts';
import { problemOf, type Problem } from './problem.ts';
import { requestIdOf } from './request-id.ts';

/** How the service fares, for those who look after it: answered whatever else there is to do. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set([
  '/livez',
  '/readyz',
  '/health',
  '/status',
  '/metrics',
  '/v1/admin/system-health',
  '/v1/admin/ops-summary',
]);

/**
 * Refuses requests where the service has more to do than it can, at the lowest place there is: what a refusal costs is
 * taken from those who are answered. It makes no exchange, looks at no route and writes no line of the log.
 */
export class LoadShedder {
  private readonly cors: Cors;
  private readonly problems = new Map<number, Problem>();

  constructor(
    private readonly gate: Pick<LoadGate, 'refuses' | 'retryAfterSeconds'>,
    corsOrigins: readonly string[],
  ) {
    this.cors = new Cors(corsOrigins);
  }

  /** Whether the request was answered here. */
  refused({ url = '/', headers }: IncomingMessage, response: ServerResponse): boolean {
    const query = url.indexOf('?');
    const instance = query === -1 ? url : url.slice(0, query);
    if (ALWAYS_ANSWERED.has(instance) || !this.gate.refuses('http')) return false;
    const retryAfter = this.gate.retryAfterSeconds;
    const id = headers['x-request-id'];
    const requestId = requestIdOf(typeof id === 'string' ? id : undefined);
    const body = JSON.stringify({ ...this.problem(retryAfter), instance, requestId });
    const answered: [string, string][] = [
      ['Content-Type', 'application/problem+json; charset=utf-8'],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Retry-After', String(retryAfter)],
      ['X-Request-ID', requestId],
      ['X-Content-Type-Options', 'nosniff'],
      ['Cache-Control', 'no-store'],
    ];
    this.cors.pushHeaders(answered, headers.origin);
    response.writeHead(503, answered.flat());
    response.end(body);
    return true;
  }

  /** Made once: an error costs more than the rest of the refusal. */
  private problem(retryAfter: number): Problem {
    const known = this.problems.get(retryAfter);
    if (known) return known;
    const made = problemOf(overloaded(retryAfter), { requestId: '', instance: '' });
    this.problems.set(retryAfter, made);
    return made;
  }
}

export const isAlwaysAnswered = (path: string): boolean => ALWAYS_ANSWERED.has(path);
