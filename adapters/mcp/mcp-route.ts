import type { CallGateway } from '../../application/call/call-gateway.ts';
import type { Admission } from '../../application/call/call.port.ts';
import type { JsonReader } from '../../application/call/json-reader.port.ts';
import type { Log } from '../../application/ports/log.port.ts';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { HttpCall, type ClientAddress } from '../http/http-call.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { HttpRequest } from '../http/http-request.ts';
import type { HttpRoute } from '../http/http-route.ts';
import { chooseMediaType } from '../http/media-type.ts';
import { faultOf, KIND_STATUS } from '../http/problem.ts';
import { proofsOf } from '../http/proofs.ts';
import { readRpcBody } from '../http/read-rpc-body.ts';
import { readJsonBody } from '../http/request-body.ts';
import { McpCall } from './mcp-call.ts';
import type { McpProtocol, McpProtocolParts } from './mcp-protocol.ts';
import { assertOrigin } from './origin.ts';
import { RPC, rpcErrorOf, RpcRefusal } from './refusal.ts';

export interface McpRouteParts extends Pick<McpProtocolParts, 'inputs' | 'server'> {
  readonly gateway: CallGateway;
  readonly json: JsonReader;
  readonly clientAddress: ClientAddress;
  readonly log: Log;
  /** Shows a refusal as a problem document. */
  refuse(exchange: HttpExchange, cause: unknown): void;
}

export interface McpSettings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly version: string;
  readonly maxBodyBytes: number;
  readonly corsOrigins: readonly string[];
}

export const MCP_PATH = '/mcp';
const JSON_TYPE = 'application/json';

/** Any valid credential may ask; what it may do is judged once it is known what it asks for. */
const ANY_CREDENTIAL = { scope: null } as const;

const PERFORMING: ReadonlySet<unknown> = new Set(['tools/call', 'resources/read']);

/**
 * POST /mcp: the Model Context Protocol, 2026-07-28 and, without sessions, the versions of 2025. One request is one
 * call: nothing is held between two, and no stream is kept open.
 */
export class McpRoute implements HttpRoute {
  readonly method = 'POST';
  readonly path = MCP_PATH;
  #protocol: Promise<McpProtocol> | null = null;

  constructor(
    private readonly parts: McpRouteParts,
    private readonly settings: McpSettings,
  ) {}

  async run(exchange: HttpExchange): Promise<void> {
    try {
      await this.answer(exchange);
    } catch (error) {
      this.refuse(exchange, error);
    }
  }

  private async answer(exchange: HttpExchange): Promise<void> {
    const { gateway, clientAddress } = this.parts;
    const { request } = exchange;
    const { maxBodyBytes, baseUrl, corsOrigins } = this.settings;
    const call = new HttpCall(exchange, clientAddress, maxBodyBytes, 'mcp');
    const admission = await gateway.admit(call, ANY_CREDENTIAL, 'default');
    exchange.keyId = admission.caller?.apiKeyId ?? null;
    assertOrigin(request.header('origin'), baseUrl, corsOrigins);
    chooseMediaType(request.header('accept'), [JSON_TYPE]);
    const body = await readJsonBody(request, maxBodyBytes);
    await gateway.chargeArrived(admission, body.length);
    const value = oneOf(await this.read(body, admission));
    if (value['method'] === 'subscriptions/listen') return noStream(exchange, value);
    const proofs = proofsOf(request, body, baseUrl);
    if (proofs && request.search !== '') throw signedQuery();
    // What performs an operation proves itself there.
    if (!PERFORMING.has(value['method'])) await gateway.prove(admission, proofs);
    const { params } = value;
    const protocol = await (this.#protocol ??= this.load());
    const toolCall = new McpCall({
      gateway,
      tools: protocol.tools,
      exchange,
      admission,
      proofs: proofs && { ...proofs, isShared: true },
      params: isObject(params) ? params : {},
      length: body.length,
    });
    const response = await protocol.answer(requestOf(request, baseUrl), value, toolCall);
    await toolCall.pause();
    const content = await response.text();
    const mediaType = response.headers.get('content-type') ?? '';
    exchange.reply({ status: response.status, text: { mediaType, content } });
    // The others answer with what is made once for all callers.
    if (PERFORMING.has(value['method'])) await exchange.meterBy(gateway.meterAnswer(admission));
  }

  private read(body: Uint8Array, admission: Admission): Promise<JsonValue> {
    return readRpcBody(
      this.parts.json,
      body,
      admission,
      ({ code, message, members }, cause) =>
        new RpcRefusal(RPC.parseError, code, message, members, { cause }),
    );
  }

  /** Only a valid credential loads the library, because that holds the event loop for 50 ms and more. */
  private async load(): Promise<McpProtocol> {
    const { McpProtocol } = await import('./mcp-protocol.ts');
    return new McpProtocol({
      ...this.parts,
      version: this.settings.version,
      note: (call, cause) => this.note(call.exchange, cause),
    });
  }

  private note(exchange: HttpExchange, cause: unknown): void {
    const { requestId, path } = exchange;
    const error = faultOf(cause, requestId);
    exchange.problem = error.code;
    if (KIND_STATUS[error.entry.kind] >= 500)
      this.parts.log.error(
        { requestId, route: path ?? undefined, err: error.cause ?? error },
        'request failed',
      );
  }

  /** A refusal of the whole request: its status and headers are those of HTTP, its body that of JSON-RPC. */
  private refuse(exchange: HttpExchange, cause: unknown): void {
    this.parts.refuse(exchange, cause);
    exchange.answered = {
      ...exchange.answered!,
      mediaType: JSON_TYPE,
      body: JSON.stringify({ jsonrpc: '2.0', id: null, error: rpcErrorOf(cause, exchange) }),
    };
  }
}

/** @throws RpcRefusal where it is no single message. */
const oneOf = (value: JsonValue): JsonObject => {
  if (!isObject(value))
    throw new RpcRefusal(
      RPC.invalidRequest,
      'VALIDATION_ERROR',
      Array.isArray(value)
        ? 'A request of MCP is one message: batches ended with 2025-03-26.'
        : 'A request of MCP is a JSON-RPC message.',
      { suggestion: 'Send each message in a request of its own.' },
    );
  return value;
};

/** No stream is kept open, and nothing that is listed changes for one credential. */
const noStream = (exchange: HttpExchange, { id }: JsonObject): void => {
  const cause = new RpcRefusal(
    RPC.methodNotFound,
    'VALIDATION_ERROR',
    'Nothing changes here that a stream could tell of: subscriptions/listen is not served.',
    { suggestion: 'Read the record again, or register a webhook.' },
  );
  exchange.problem = cause.code;
  const body = { jsonrpc: '2.0', id: id ?? null, error: rpcErrorOf(cause, exchange) };
  exchange.reply({ status: 404, body });
};

/** The headers that the protocol reads. The body was read already, strictly. */
const HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'] as const;

const requestOf = (request: HttpRequest, baseUrl: string): Request => {
  // The library searches both headers for these exact texts. Ours were parsed (RFC 9110 section 12.5.1).
  const headers = new Headers({
    accept: `${JSON_TYPE}, text/event-stream`,
    'content-type': JSON_TYPE,
  });
  for (const name of HEADERS) {
    const value = request.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request(`${baseUrl}${MCP_PATH}`, { method: 'POST', headers });
};

/** A verifier takes no co-signed path with a query. */
const signedQuery = (): NotaryError =>
  new NotaryError('VALIDATION_ERROR', 'A co-signed request of MCP has no query.', {
    suggestion: `Send it to ${MCP_PATH} alone.`,
  });
