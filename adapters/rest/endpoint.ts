import type { Admission, Asked } from '../../application/call/call.port.ts';
import type { BoundOperation, CallGateway } from '../../application/call/call-gateway.ts';
import type { NextStep } from '../../application/call/guide.ts';
import type { CallOutcome } from '../../application/call/idempotent-calls.ts';
import type { JsonReader } from '../../application/call/json-reader.port.ts';
import { KeptRefusal } from '../../application/call/kept-outcome.ts';
import type { Proofs } from '../../application/call/proofs.ts';
import { jsonParts } from '../../application/call/streamed-view.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isUuid } from '../../domain/kernel/ids.ts';
import { CONCISE_PROBLEM } from '../http/concise-problem.ts';
import { etagOf, ifMatchVersions, matchesAny } from '../http/etag.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { HttpCall, type ClientAddress } from '../http/http-call.ts';
import type { HttpRequest } from '../http/http-request.ts';
import type { HttpRoute } from '../http/http-route.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { bodyRefusal } from '../http/json-body.ts';
import { chooseMediaType, namesMediaType } from '../http/media-type.ts';
import { proofsOf, signedBytes } from '../http/proofs.ts';
import { parseQuery } from '../http/query.ts';
import { readBytes, readJsonBody } from '../http/request-body.ts';
import { formsOf, type RestBinding } from './binding.ts';
import { deprecationHeaders } from './deprecation.ts';
import type { Form } from './form.ts';
import { fillPath, type Links } from './links.ts';
import { problemOnPath } from './problem-on-path.ts';
import { renderOf, type Render } from './render.ts';

export interface EndpointParts {
  readonly gateway: CallGateway;
  readonly links: Links;
  readonly clientAddress: ClientAddress;
  readonly baseUrl: string;
  readonly maxBodyBytes: number;
  readonly json: JsonReader;
  /** Shows a refusal. */
  refuse(exchange: HttpExchange, cause: unknown): void;
}

const EMPTY = new Uint8Array(0);
const RECORD_PATH = /^\/v1\/records\/([^/]+)/;

/** The largest body where no credential is asked for: anybody may send it, and nobody answers for it. */
export const PUBLIC_BODY_BYTES = 64 * 1024;

/** One binding as a route: reads the request, performs the operation, answers with its view. */
export class Endpoint implements HttpRoute {
  readonly method: RestBinding['options']['method'];
  readonly path: string;
  private readonly bound: BoundOperation;
  private readonly render: Render;
  private readonly status: number;
  /** The parameter of the path that names a record. */
  private readonly recordName: string | undefined;
  private readonly maxBodyBytes: number;
  private readonly forms: readonly Form[];
  /** Of the forms; refusals of what answers with bytes may come in CBOR too. */
  private readonly mediaTypes: readonly string[];
  private readonly isBinary: boolean;
  /** Headers of every answer of this path. */
  private readonly standing: readonly (readonly [string, string])[];

  constructor(
    private readonly binding: RestBinding,
    private readonly parts: EndpointParts,
  ) {
    const { options, operation } = binding;
    this.method = options.method;
    this.path = options.path;
    this.bound = parts.gateway.bind(binding);
    this.render = renderOf(operation.output);
    this.status = options.status ?? 200;
    this.forms = formsOf(binding);
    this.isBinary = this.forms.some(({ bytes }) => bytes !== undefined);
    this.mediaTypes = [
      ...this.forms.map(({ mediaType }) => mediaType),
      ...(this.isBinary ? [CONCISE_PROBLEM] : []),
    ];
    this.standing = options.deprecated ? deprecationHeaders(options.deprecated) : [];
    this.recordName = binding.parameters.find(([, member]) => member === 'recordId')?.[0];
    this.maxBodyBytes =
      this.bound.access === 'public'
        ? Math.min(parts.maxBodyBytes, PUBLIC_BODY_BYTES)
        : parts.maxBodyBytes;
  }

  async run(exchange: HttpExchange): Promise<void> {
    if (this.isBinary)
      exchange.prefersConcise = namesMediaType(exchange.request.header('accept'), CONCISE_PROBLEM);
    try {
      await this.answer(exchange);
    } catch (error) {
      this.refuse(exchange, error);
    }
    exchange.announce(this.standing);
  }

  private async answer(exchange: HttpExchange): Promise<void> {
    const { gateway, clientAddress } = this.parts;
    const { maxBodyBytes } = this;
    const { request } = exchange;
    const { access, budget } = this.bound;
    exchange.recordId = this.recordNamed(exchange);
    const call = new HttpCall(exchange, clientAddress, maxBodyBytes);
    const admission = await gateway.admit(call, access, budget);
    exchange.keyId = admission.caller?.apiKeyId ?? null;
    gateway.permit(admission, access);
    const form = this.formOf(exchange);
    const body = this.binding.body ? await this.readBody(request) : EMPTY;
    const sent = this.binding.body ? body : await signedBytes(request, maxBodyBytes);
    await gateway.chargeArrived(admission, sent.length);
    const asked = new HttpAsked(exchange, this.binding, this.parts, admission, body, sent);
    this.reply(exchange, form, await gateway.perform(admission, this.bound, asked));
    await exchange.meterBy(gateway.meterAnswer(admission));
  }

  private readBody(request: HttpRequest): Promise<Uint8Array> {
    const { takes } = this.binding.options;
    return takes === undefined
      ? readJsonBody(request, this.maxBodyBytes)
      : readBytes(request, takes, this.maxBodyBytes);
  }

  private recordNamed({ params }: HttpExchange): string | null {
    const named = this.recordName === undefined ? undefined : params[this.recordName];
    return named !== undefined && isUuid(named) ? named : null;
  }

  /** The one that the input names, else the one that Accept prefers. @throws NotaryError NOT_ACCEPTABLE. */
  private formOf({ request }: HttpExchange): Form {
    const { forms } = this;
    if (forms.length > 1 && request.search !== '') {
      const format = new URLSearchParams(request.search).get('format');
      const named = forms.find(({ name }) => name === format);
      if (named) return named;
    }
    const mediaType = chooseMediaType(request.header('accept'), this.mediaTypes);
    return forms.find((form) => form.mediaType === mediaType) ?? forms[0]!;
  }

  private reply(exchange: HttpExchange, form: Form, outcome: CallOutcome): void {
    const { shown, isReplay, end } = outcome;
    if (end) exchange.holdUntilSent(end);
    const { location, body, answerHeaders } = this.binding.options;
    const { view, version, stage, isNew } = shown;
    const status = isNew === false ? 200 : this.status;
    const headers: { [name: string]: string } = { ...answerHeaders?.of(view) };
    if (location && (status === 201 || form.bytes)) {
      headers['Location'] = location(view);
      exchange.recordId ??= RECORD_PATH.exec(headers['Location'])?.[1] ?? null;
    }
    if (version !== undefined) headers['ETag'] = etagOf(version, stage);
    const mediaType = form.mediaTypeOf?.(view) ?? form.mediaType;
    const content = form.bytes?.(view);
    if (content) return exchange.reply({ status, headers, text: { mediaType, content } }, isReplay);
    const { requestId, instance } = exchange;
    const rendered = this.render(view, {
      links: this.parts.links,
      place: { requestId, instance },
      problems: this.binding.options.problems,
    });
    const { isStreamed } = this.bound.operation;
    const parts = form.parts?.(rendered) ?? (isStreamed ? jsonParts(rendered) : undefined);
    const answer = parts
      ? { status, headers, mediaType, parts }
      : { status, headers, mediaType, body: body ? body(rendered) : rendered };
    const etag = headers['ETag'];
    const wanted = etag === undefined ? undefined : exchange.request.header('if-none-match');
    exchange.reply(answer, isReplay);
    if (
      etag !== undefined &&
      wanted !== undefined &&
      this.method === 'GET' &&
      matchesAny(wanted, etag)
    )
      exchange.notModified(answer);
  }

  private refuse(exchange: HttpExchange, cause: unknown): void {
    const { options } = this.binding;
    if (!(cause instanceof NotaryError)) return this.parts.refuse(exchange, cause);
    const { code, members: own } = problemOnPath(cause, options.problems);
    const refreshUrl =
      options.refresh && STATE_KINDS.has(cause.entry.kind)
        ? { refreshUrl: fillPath(options.refresh, exchange.params) }
        : {};
    const steps = own.nextSteps as readonly NextStep[] | undefined;
    const nextSteps = steps && {
      nextSteps: steps.flatMap((step) => this.parts.links.show(step) ?? []),
    };
    const members = { ...own, ...refreshUrl, ...nextSteps };
    const refusal =
      cause instanceof KeptRefusal
        ? new KeptRefusal(code, cause.message, members, cause.requestId)
        : new NotaryError(code, cause.message, members, { cause: cause.cause });
    this.parts.refuse(exchange, refusal);
  }
}

const STATE_KINDS: ReadonlySet<string> = new Set([
  'conflict',
  'precondition-failed',
  'unprocessable',
]);

/** The input of a request, read part by part. */
class HttpAsked implements Asked {
  constructor(
    private readonly exchange: HttpExchange,
    private readonly binding: RestBinding,
    private readonly parts: Pick<EndpointParts, 'baseUrl' | 'json'>,
    private readonly admission: Admission,
    private readonly body: Uint8Array,
    private readonly sent: Uint8Array,
  ) {}

  known(): { readonly [member: string]: unknown } {
    const { parameters, fixed } = this.binding;
    const { params } = this.exchange;
    return {
      ...Object.fromEntries(parameters.map(([name, member]) => [member, params[name]])),
      ...fixed,
    };
  }

  proofs(): Proofs | null {
    return proofsOf(this.exchange.request, this.sent, this.parts.baseUrl);
  }

  key(): string | undefined {
    return this.binding.options.method === 'POST'
      ? idempotencyKeyOf(this.exchange.request.header('idempotency-key'))
      : undefined;
  }

  expectedVersions(): readonly number[] | undefined {
    return ifMatchVersions(this.exchange.request.header('if-match'));
  }

  input(): Iterable<unknown> | Promise<Iterable<unknown>> {
    const { body } = this;
    if (this.binding.options.takes !== undefined) return this.heard(() => encodeBase64(body));
    if (body.length === 0) return this.heard(() => this.withoutBody());
    const { call, caller } = this.admission;
    try {
      const value = this.parts.json.read(body, caller?.orgId ?? call.address);
      return value instanceof Promise
        ? value.then(
            (read) => this.heard(() => read),
            (error: unknown) => this.heard(() => refuse(error)),
          )
        : this.heard(() => value);
    } catch (error) {
      return this.heard(() => refuse(error));
    }
  }

  /** The body comes last, and so does its refusal. */
  private *heard(body: () => unknown): Iterable<unknown> {
    const { binding, exchange } = this;
    if (binding.params) yield exchange.params;
    yield parseQuery(exchange.request.search, binding.query);
    if (binding.body) yield body();
  }

  private withoutBody(): unknown {
    if (this.binding.isBodyOptional) return {};
    throw new NotaryError('VALIDATION_ERROR', 'A JSON body is required.', {
      errors: [{ path: '', keyword: 'required', message: 'is required' }],
    });
  }
}

const refuse = (cause: unknown): never => {
  throw bodyRefusal(cause);
};
