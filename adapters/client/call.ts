import { jsonOf } from './answered.ts';
import { rememberMeta } from './meta.ts';
import { NotaryUnreachable } from './notary-problem.ts';
import { Pages, type Page } from './pages.ts';
import type { AnswerOf, Method, PartsOf, PathOf, QueryOf } from './shapes.ts';
import type { CallOptions, Transport } from './transport.ts';

/** A query as the document of the interface writes it. */
type Query = Readonly<Record<string, unknown>>;

/** The parts of any request; which are there, and of what shape, says the type of its operation. */
interface AnyParts {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Query;
  readonly body?: unknown;
}

/** Every operation of the interface, by its method and path. */
export class Caller {
  constructor(private readonly transport: Pick<Transport, 'send'>) {}

  /** Calls one operation, and gives its JSON. Both are typed by the OpenAPI document. */
  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    parts: PartsOf<M, P>,
    options: CallOptions = {},
  ): Promise<AnswerOf<M, P>> {
    const { body, ...place } = parts as AnyParts;
    return this.json(method, filled(path, place), body, options) as Promise<AnswerOf<M, P>>;
  }

  /** Walks a listing; its query may name a limit, and the cursor is taken care of. */
  list<P extends PathOf<'get'>>(
    path: P,
    parts: PartsOf<'get', P> & { readonly query?: QueryOf<'get', P> },
    options: CallOptions = {},
  ): Pages<Extract<AnswerOf<'get', P>, Page<unknown>>> {
    return new Pages((cursor) => {
      const { query } = parts as AnyParts;
      const asked = { ...(parts as AnyParts), query: { ...query, ...(cursor ? { cursor } : {}) } };
      return this.json('get', filled(path, asked), undefined, options) as Promise<
        Extract<AnswerOf<'get', P>, Page<unknown>>
      >;
    });
  }

  /** The bytes of an answer as they came, for evidence is verified over nothing else. */
  async bytes(
    path: string,
    parts: object,
    accept: string,
    options: CallOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const answered = await this.transport.send({
      ...options,
      method: 'GET',
      path: filled(path, parts),
      accept,
    });
    rememberMeta(answered.bytes, answered);
    return answered.bytes;
  }

  /** @param path with the query; under the base address */
  async json(method: string, path: string, body: unknown, options: CallOptions): Promise<unknown> {
    const answered = await this.transport.send({
      ...options,
      method: method.toUpperCase(),
      path,
      body,
      isUnkeyed: path === EXCHANGE,
    });
    const value = readJson(answered);
    if (typeof value === 'object' && value !== null) rememberMeta(value, answered);
    return value;
  }
}

/** The one POST without an idempotency key: a token is exchanged once. */
const EXCHANGE = '/v1/auth/oidc/cert';

const readJson = (answered: Parameters<typeof rememberMeta>[1]): unknown => {
  try {
    return jsonOf(answered);
  } catch (cause) {
    throw new NotaryUnreachable(
      'the answer is not JSON: something other than the service is at this address',
      answered.attempts,
      { cause },
    );
  }
};

const filled = (path: string, parts: object): string => {
  const { path: names = {}, query = {} } = parts as AnyParts;
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = names[name];
    // An empty segment, or one of dots, would name another operation.
    if (value === undefined || /^\.{0,2}$/.test(String(value)))
      throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      if (one !== undefined && one !== null) search.append(name, String(one));
  return search.size === 0 ? place : `${place}?${search}`;
};
