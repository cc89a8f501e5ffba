import { Type, type Static, type TObject, type TProperties } from 'typebox';
import type { Access } from '../../application/call/access.ts';
import type { Admission } from '../../application/call/call.port.ts';
import type { CallGateway } from '../../application/call/call-gateway.ts';
import type { InputCheck, PartCheck } from '../../application/call/input-check.port.ts';
import type { Answer, HttpExchange } from '../http/http-exchange.ts';
import { HttpCall, type ClientAddress } from '../http/http-call.ts';
import type { HttpRoute } from '../http/http-route.ts';
import { matchesAny } from '../http/etag.ts';
import { chooseMediaType } from '../http/media-type.ts';
import { proofsOf, signedBytes } from '../http/proofs.ts';
import { parseQuery } from '../http/query.ts';
import type { RouteDoc } from '../http/route-doc.ts';
import { pathPart, queryPart } from './binding.ts';

/** A document that REST serves by GET and that is no operation of the service. */
export interface Page extends RouteDoc {
  /** How many calls a request counts for, if it is more than one. */
  calls?(query: unknown): number;
  render(asked: PageRequest): Answer | Promise<Answer>;
}

export interface PageRequest<P = unknown, Q = unknown> {
  readonly params: P;
  readonly query: Q;
  /** The media type that Accept chose among those of the page. */
  readonly mediaType: string;
  /** The header of this name. */
  readonly acceptEncoding: string | undefined;
}

interface PageDefinition<P extends TObject, Q extends TObject>
  extends
    Pick<RouteDoc, 'path' | 'operationId' | 'summary' | 'tag' | 'answers'>,
    Partial<Pick<RouteDoc, 'description' | 'limit' | 'problems' | 'produces'>> {
  /** Public by default. */
  readonly access?: Access;
  readonly params?: P;
  readonly query?: Q;
  calls?(query: Static<Q>): number;
  render(asked: PageRequest<Static<P>, Static<Q>>): Answer | Promise<Answer>;
}

type NoMembers = TObject<TProperties>;

export const page = <P extends TObject = NoMembers, Q extends TObject = NoMembers>(
  definition: PageDefinition<P, Q>,
): Page => ({
  access: 'public',
  limit: 'default',
  problems: [],
  produces: ['application/json'],
  ...definition,
  method: 'GET',
  params: definition.params ?? null,
  query: closed(definition.query),
  body: null,
  bodyOptional: false,
  examples: {},
  ifMatch: false,
  headers: {},
});

const closed = (query: TObject | undefined): TObject =>
  Type.Object(query?.properties ?? {}, { additionalProperties: false });

export interface PageParts {
  readonly gateway: CallGateway;
  readonly inputs: InputCheck;
  readonly clientAddress: ClientAddress;
  readonly baseUrl: string;
  readonly maxBodyBytes: number;
  /** Shows a refusal. */
  refuse(exchange: HttpExchange, cause: unknown): void;
}

/** A page as a route. */
export class PageEndpoint implements HttpRoute {
  readonly method = 'GET';
  readonly path: string;
  readonly isProbe: boolean;
  private readonly checkParams: PartCheck | null;
  private readonly checkQuery: PartCheck;

  constructor(
    private readonly page: Page,
    private readonly parts: PageParts,
  ) {
    this.path = page.path;
    this.isProbe = page.limit === 'probe';
    this.checkParams = page.params && parts.inputs.prepare(pathPart(page.params));
    this.checkQuery = parts.inputs.prepare(queryPart(page.query ?? Type.Object({})));
  }

  async run(exchange: HttpExchange): Promise<void> {
    try {
      const answer = await this.answer(exchange);
      if (isCurrent(exchange, answer)) exchange.notModified(answer);
      else exchange.reply(answer);
    } catch (error) {
      this.parts.refuse(exchange, error);
    }
  }

  private async answer(exchange: HttpExchange): Promise<Answer> {
    const { gateway, clientAddress } = this.parts;
    const { access, limit, produces, query } = this.page;
    const admission = await gateway.admit(new HttpCall(exchange, clientAddress), access, limit);
    exchange.keyId = admission.caller?.apiKeyId ?? null;
    gateway.permit(admission, access);
    const mediaType = chooseMediaType(exchange.request.header('accept'), produces);
    await this.prove(admission, exchange);
    const params = this.checkParams?.(exchange.params) ?? {};
    const checked = this.checkQuery(parseQuery(exchange.request.search, query ?? Type.Object({})));
    await gateway.chargeWork(admission, limit, this.page.calls?.(checked) ?? 1);
    const acceptEncoding = exchange.request.header('accept-encoding');
    return this.page.render({ params, query: checked, mediaType, acceptEncoding });
  }

  private async prove(admission: Admission, { request }: HttpExchange): Promise<void> {
    if (!admission.caller) return;
    const { gateway, maxBodyBytes, baseUrl } = this.parts;
    const sent = await signedBytes(request, maxBodyBytes);
    await gateway.prove(admission, proofsOf(request, sent, baseUrl));
  }
}

/** The caller has this very representation (RFC 9110 section 13.1.2). */
const isCurrent = ({ request }: HttpExchange, { headers }: Answer): boolean => {
  const etag = headers?.['ETag'];
  const held = etag === undefined ? undefined : request.header('if-none-match');
  return etag !== undefined && held !== undefined && matchesAny(held, etag);
};
