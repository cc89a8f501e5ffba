import type { H3 } from 'h3';
import type { CallGateway } from '../../application/call/call-gateway.ts';
import type { InputCheck } from '../../application/call/input-check.port.ts';
import type { JsonReader } from '../../application/call/json-reader.port.ts';
import type { Log } from '../../application/ports/log.port.ts';
import { createHttpApp } from '../http/app.ts';
import type { Answered, HttpParts, HttpSettings } from '../http/dispatcher.ts';
import { refuse } from '../http/refuse.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { HttpRoute } from '../http/http-route.ts';
import { HttpCall, type ClientAddress } from '../http/http-call.ts';
import { BINDINGS } from './bindings.ts';
import type { RestBinding } from './binding.ts';
import { Endpoint } from './endpoint.ts';
import { Links } from './links.ts';
import { PageEndpoint, type Page } from './page.ts';

export interface RestParts {
  readonly gateway: CallGateway;
  readonly inputs: InputCheck;
  readonly json: JsonReader;
  readonly clientAddress: ClientAddress;
  readonly log: Log;
  readonly load?: HttpParts['load'];
  /** Routes of other front-ends on the same HTTP base. */
  readonly beside?: readonly HttpRoute[];
  readonly onAnswered?: Answered;
  readonly tracer?: HttpParts['tracer'];
}

export interface RestSettings extends HttpSettings {
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly maxBodyBytes: number;
}

/** The REST front-end: the bindings of the operations, and the pages, on the HTTP base. */
export const createRestApp = (
  pages: readonly Page[],
  {
    gateway,
    inputs,
    json,
    clientAddress,
    log,
    load,
    beside = [],
    onAnswered,
    tracer = null,
  }: RestParts,
  settings: RestSettings,
  bindings: readonly RestBinding[] = BINDINGS,
): H3 => {
  const shared = { gateway, inputs, json, clientAddress, refuse: refuse(log) };
  const parts = { ...settings, ...shared, links: new Links(bindings) };
  const admitAnybody = async (exchange: HttpExchange): Promise<void> => {
    await gateway.admit(new HttpCall(exchange, clientAddress), 'public', 'default');
  };
  const routes = [
    ...bindings.map((binding) => new Endpoint(binding, parts)),
    ...pages.map((page) => new PageEndpoint(page, parts)),
    ...beside,
  ];
  const shown = { ...(load ? { load } : {}), ...(onAnswered ? { onAnswered } : {}) };
  return createHttpApp(routes, { admitAnybody, log, tracer, ...shown }, settings);
};
