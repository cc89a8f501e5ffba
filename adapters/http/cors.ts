/** Cross-origin access (Fetch standard, CORS protocol). No origin is allowed unless the operator names it; `*` allows all. */
export class Cors {
  private readonly origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.origins = new Set(origins);
  }

  pushHeaders(headers: [string, string][], origin: string | undefined): void {
    if (this.origins.size === 0) return;
    headers.push(['vary', 'Origin']);
    if (!this.allows(origin)) return;
    headers.push(
      ['access-control-allow-origin', origin],
      ['access-control-expose-headers', EXPOSED],
    );
  }

  /**
   * The further headers of a preflight. The credential travels in a header, so cookies are never
   * allowed.
   */
  pushPreflight(headers: [string, string][], origin: string | undefined, methods: string): void {
    if (!this.allows(origin)) return;
    headers.push(
      ['access-control-allow-methods', methods],
      ['access-control-allow-headers', ALLOWED],
      ['access-control-max-age', '600'],
    );
  }

  private allows(origin: string | undefined): origin is string {
    return origin !== undefined && (this.origins.has('*') || this.origins.has(origin));
  }
}

/** What a caller may send beyond the headers of the safelist, as routes and proofs read it. */
const ALLOWED = [
  'Authorization',
  'Content-Digest',
  'Content-Type',
  'DPoP',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Signature',
  'Signature-Input',
  'X-Agent-Signature',
  'X-Agent-Signature-Content-Hash',
  'X-Request-ID',
  'X-Service-Subject-Token',
].join(', ');

/** What answers carry beyond the safelist. */
const EXPOSED = [
  'Allow',
  'Date',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-ID',
].join(', ');
