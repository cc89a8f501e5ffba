import type { CallGateway } from '../../application/call/call-gateway.ts';
import type { Admission } from '../../application/call/call.port.ts';
import type { InputCheck } from '../../application/call/input-check.port.ts';
import type { JsonReader } from '../../application/call/json-reader.port.ts';
import type { Proofs } from '../../application/call/proofs.ts';
import type { Log } from '../../application/ports/log.port.ts';
import type { SignDocument } from '../../application/sealing/sign-document.ts';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { HttpCall, type ClientAddress } from '../http/http-call.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { HttpRoute } from '../http/http-route.ts';
import { faultOf, KIND_STATUS } from '../http/problem.ts';
import { proofsOf } from '../http/proofs.ts';
import { readRpcBody } from '../http/read-rpc-body.ts';
import { readJsonBody } from '../http/request-body.ts';
import { A2A_PATH, JSON_TYPE, type CardSettings } from './agent-card.ts';
import { type A2aVersion } from './spoken-versions.ts';
import { answersTooLarge, BatchAnswers } from './batch-answers.ts';
import { BoundOperations } from './bound-operations.ts';
import { LaterAnswer } from './later-answer.ts';
import { methodsOf, streamMethodsOf, type StreamMethod } from './methods.ts';
import { errorResponse, ProtocolError, RPC, rpcErrorOf, type RpcError } from './rpc-error.ts';
import { RpcCall } from './rpc-call.ts';
import { batchOf, idOf, rpcRequestOf, type RpcRequest } from './rpc-request.ts';
import { rpcServer } from './rpc-server.ts';
import { SharedLooks } from './shared-looks.ts';
import { SharedTexts } from './shared-texts.ts';
import { serverSentEvents } from './sse.ts';
import type { StartedStream } from './stream-methods.ts';
import type { StreamParts } from './task-stream.ts';
import { versionOf } from './version.ts';

export interface RpcRouteParts {
  readonly gateway: CallGateway;
  readonly inputs: InputCheck;
  readonly json: JsonReader;
  readonly documents: Pick<SignDocument, 'keyId' | 'sign'>;
  readonly clientAddress: ClientAddress;
  readonly log: Log;
  readonly feed: StreamParts['feed'];
  /** Aborts where the service is about to stop. */
  readonly draining: AbortSignal;
  /** Shows a refusal as a problem document. */
  refuse(exchange: HttpExchange, cause: unknown): void;
}

export interface RpcSettings extends CardSettings {
  readonly maxBodyBytes: number;
  /** The longest time that SendMessage waits for its task. */
  readonly maxWaitMs: number;
}

/** Any valid credential may ask; what it may do is judged once it is known what it asks for. */
const ANY_CREDENTIAL = { scope: null } as const;
const DEFAULT = { budget: 'default' } as const;

/** Of a body whose signature covers several calls, each of which keeps a copy of it. */
const MAX_SIGNED_BATCH = 64 * 1024;

/** POST /a2a: JSON-RPC 2.0, single calls, notifications and batches. */
export class RpcRoute implements HttpRoute {
  readonly method = 'POST';
  readonly path = A2A_PATH;
  private readonly operations: BoundOperations;
  private readonly serve: { readonly [version in A2aVersion]: ReturnType<typeof rpcServer> };
  private readonly streams: ReturnType<typeof streamMethodsOf>;
  private readonly artifactTexts = { '1.0': new SharedTexts(), '0.3': new SharedTexts() } as const;
  private readonly domain: string;

  constructor(
    private readonly parts: RpcRouteParts,
    private readonly settings: RpcSettings,
  ) {
    this.operations = new BoundOperations(parts.gateway);
    this.domain = new URL(settings.baseUrl).host;
    const methodParts = { ...parts, settings, streams: { ...parts, looks: new SharedLooks() } };
    const methods = methodsOf(methodParts);
    this.streams = streamMethodsOf(methodParts);
    this.serve = {
      '1.0': rpcServer('1.0', methods['1.0']),
      '0.3': rpcServer('0.3', methods['0.3']),
    };
  }

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
    const { maxBodyBytes, baseUrl } = this.settings;
    const call = new HttpCall(exchange, clientAddress, maxBodyBytes, 'a2a');
    const admission = await gateway.admit(call, ANY_CREDENTIAL, 'default');
    exchange.keyId = admission.caller?.apiKeyId ?? null;
    const version = versionOf(request);
    const body = await readJsonBody(request, maxBodyBytes);
    await gateway.chargeArrived(admission, body.length);
    const value = await this.read(body, admission);
    const proofs = proofsOf(request, body, baseUrl);
    if (proofs && request.search !== '') throw signedQuery();
    const shared = proofs && ({ ...proofs, isShared: true } as const);
    if (Array.isArray(value)) {
      const members = batchOf(value as readonly JsonValue[]);
      if (proofs && body.length > MAX_SIGNED_BATCH) throw signedBatchTooLarge();
      await this.batch(exchange, admission, version, members, shared);
    } else await this.single(exchange, admission, version, value, shared);
    await exchange.meterBy(gateway.meterAnswer(admission));
  }

  private read(body: Uint8Array, admission: Admission): Promise<JsonValue> {
    return readRpcBody(
      this.parts.json,
      body,
      admission,
      ({ code, message, members }, cause) =>
        new ProtocolError(RPC.parseError, code, message, members, { cause }),
    );
  }

  private async single(
    exchange: HttpExchange,
    admission: Admission,
    version: A2aVersion,
    value: JsonValue,
    proofs: Proofs | null,
  ): Promise<void> {
    const call = this.callOf(exchange, admission, proofs);
    const stream = streamAsked(value, this.streams[version].methods);
    if (stream) return this.stream(call, version, stream.request, stream.method);
    const answered = await this.one(call, version, value);
    if (answered instanceof LaterAnswer)
      exchange.reply({
        status: 200,
        parts: answered.responseParts(idOf(value), version === '0.3'),
      });
    else reply(exchange, answered);
  }

  /** What is refused before the stream begins is refused as any call: clients show it by its type. */
  private async stream(
    call: RpcCall,
    version: A2aVersion,
    { params, id = null }: RpcRequest,
    method: StreamMethod,
  ): Promise<void> {
    const { exchange } = call;
    const refused = (cause: unknown) => errorResponse(id, this.shown(exchange, cause));
    let started: StartedStream;
    try {
      started = await method(call, params);
    } catch (error) {
      return reply(exchange, refused(error));
    }
    const { shown } = this.streams[version];
    const responses = mapped(
      started.events,
      (event) => () =>
        'artifactUpdate' in event
          ? [resultHead(id), this.artifactTexts[version].of(event, shown), '}']
          : [JSON.stringify({ jsonrpc: '2.0', id, result: shown(event) })],
    );
    exchange.holdUntilSent(started.close);
    exchange.reply({
      status: 200,
      mediaType: 'text/event-stream',
      headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
      parts: serverSentEvents(responses, started.close, (cause) => [
        JSON.stringify(refused(cause)),
      ]),
      isLive: true,
    });
  }

  /** One after the other: a batch may hold steps of one record. */
  private async batch(
    exchange: HttpExchange,
    admission: Admission,
    version: A2aVersion,
    members: readonly JsonValue[],
    proofs: Proofs | null,
  ): Promise<void> {
    const answers = new BatchAnswers();
    for (const [item, value] of members.entries()) {
      // The batch took too long: its caller has the refusal, and no answer to what would follow.
      if (exchange.answered) return;
      const call = this.callOf(exchange, admission, proofs, item);
      const answer = answers.hasRoomFor(value)
        ? await this.one(call, version, value, item > 0 ? admission : undefined)
        : errorResponse(idOf(value), this.shown(exchange, answersTooLarge()));
      if (answer instanceof LaterAnswer)
        throw new TypeError('a member of a batch is answered at once');
      if (answer) answers.add(answer);
    }
    const content = answers.text;
    if (content === null) reply(exchange, null);
    else exchange.reply({ status: 200, text: { mediaType: JSON_TYPE, content } });
  }

  private callOf(
    exchange: HttpExchange,
    admission: Admission,
    proofs: Proofs | null,
    item?: number,
  ): RpcCall {
    const shared = { gateway: this.parts.gateway, operations: this.operations };
    const place = item === undefined ? {} : { item };
    return new RpcCall({ ...shared, exchange, admission, proofs, ...place });
  }

  /** @param further where the call is one more on this admission. */
  private async one(
    call: RpcCall,
    version: A2aVersion,
    value: JsonValue,
    further?: Admission,
  ): Promise<JsonObject | LaterAnswer | null> {
    const refuse = (cause: unknown): RpcError => this.shown(call.exchange, cause);
    try {
      if (further) await this.parts.gateway.chargeNext(further, DEFAULT);
      const request = rpcRequestOf(value);
      let later: LaterAnswer | undefined;
      const response = await this.serve[version](request, {
        call,
        refuse,
        later: (answer) => (later = answer),
      });
      // Nothing is said to a notification, however long it would be.
      if (request.id === undefined) return null;
      return later ?? (response as JsonObject | null);
    } catch (error) {
      return errorResponse(idOf(value), refuse(error));
    }
  }

  private shown(exchange: HttpExchange, cause: unknown): RpcError {
    const { requestId, instance, path } = exchange;
    const error = faultOf(cause, requestId);
    exchange.problem = error.code;
    if (KIND_STATUS[error.entry.kind] >= 500)
      this.parts.log.error(
        { requestId, route: path ?? undefined, err: error.cause ?? error },
        'request failed',
      );
    return rpcErrorOf(cause, { requestId, instance, domain: this.domain });
  }

  /** A refusal of the whole request: its status and headers are those of HTTP, its body that of JSON-RPC. */
  private refuse(exchange: HttpExchange, cause: unknown): void {
    this.parts.refuse(exchange, cause);
    const { requestId, instance } = exchange;
    const error = rpcErrorOf(cause, { requestId, instance, domain: this.domain });
    exchange.answered = {
      ...exchange.answered!,
      mediaType: JSON_TYPE,
      body: JSON.stringify(errorResponse(null, error)),
    };
  }
}

/** A request of a streaming method, where the value is one with an id. */
const streamAsked = (
  value: JsonValue,
  methods: ReadonlyMap<string, StreamMethod>,
): { readonly request: RpcRequest; readonly method: StreamMethod } | null => {
  if (!isObject(value) || !methods.has(value['method'] as string) || !('id' in value)) return null;
  try {
    const request = rpcRequestOf(value);
    return { request, method: methods.get(request.method)! };
  } catch {
    // Refused as any other.
    return null;
  }
};

async function* mapped<T, U>(values: AsyncIterable<T>, map: (value: T) => U): AsyncGenerator<U> {
  for await (const value of values) yield map(value);
}

/** The beginning of a response, before its result. */
const resultHead = (id: JsonValue): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;

/** Nothing is said to notifications (JSON-RPC 2.0 section 4.1). */
const reply = (exchange: HttpExchange, answer: JsonObject | null): void => {
  if (answer === null) exchange.reply({ status: 202, text: { mediaType: '', content: '' } });
  else exchange.reply({ status: 200, body: answer });
};

/** A verifier takes no co-signed path with a query. */
const signedQuery = (): NotaryError =>
  new NotaryError('VALIDATION_ERROR', 'A co-signed request of A2A has no query.', {
    suggestion: 'Send the version as the header A2A-Version.',
  });

const signedBatchTooLarge = (): NotaryError =>
  new NotaryError(
    'PAYLOAD_TOO_LARGE',
    `A co-signed batch has at most ${MAX_SIGNED_BATCH} bytes, for each of its calls keeps a copy of it.`,
    { suggestion: 'Send the calls in requests of their own, or in smaller batches.' },
  );
