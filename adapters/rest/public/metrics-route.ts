import { createHash, timingSafeEqual } from 'node:crypto';
import type { Budgets } from '../../../application/call/budgets.ts';
import type { CallGateway } from '../../../application/call/call-gateway.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { HttpCall, type ClientAddress } from '../../http/http-call.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import type { HttpRoute } from '../../http/http-route.ts';

export const METRICS_PATH = '/metrics';

export interface MetricsParts {
  readonly metrics: {
    exposition(): Promise<{ readonly contentType: string; readonly text: string }>;
  };
  /** The only credential, where it is not empty. */
  readonly token: string;
  readonly gateway: Pick<CallGateway, 'admit' | 'permit'>;
  readonly budgets: Pick<
    Budgets,
    'assertMayAuthenticate' | 'chargeAddress' | 'chargeFailedAuthentication'
  >;
  readonly clientAddress: ClientAddress;
  refuse(exchange: HttpExchange, cause: unknown): void;
}

/**
 * What Prometheus scrapes. It is no operation and stands in no document: its credential is METRICS_TOKEN alone, and where that
 * is unset the same machine may read it, or a platform key with admin:system.
 */
export const metricsRoute = (parts: MetricsParts): HttpRoute => ({
  method: 'GET',
  path: METRICS_PATH,
  isProbe: true,
  run: async (exchange) => {
    try {
      await admit(exchange, parts);
      const { contentType, text: content } = await parts.metrics.exposition();
      // The HTTP base says the charset of every text.
      const mediaType = contentType.replace(/; charset=utf-8$/, '');
      exchange.reply({ status: 200, text: { mediaType, content } });
    } catch (error) {
      parts.refuse(exchange, error);
    }
  },
});

const ACCESS = { scope: 'admin:system', roles: ['platform'] } as const;

const admit = async (exchange: HttpExchange, parts: MetricsParts): Promise<void> => {
  const { token, budgets, gateway, clientAddress } = parts;
  const call = new HttpCall(exchange, clientAddress);
  if (token !== '') {
    await budgets.assertMayAuthenticate(call.address, () => false, call.allow);
    if (isSame(call.credential(), token)) return showBudget(call, budgets);
    await budgets.chargeFailedAuthentication(call.address, call.allow);
    throw new NotaryError('UNAUTHORIZED', 'This needs the token of the setting METRICS_TOKEN.');
  }
  if (isLocal(exchange)) return showBudget(call, budgets);
  const admission = await gateway.admit(call, ACCESS, 'default');
  exchange.keyId = admission.caller?.apiKeyId ?? null;
  gateway.permit(admission, ACCESS);
};

/** The headers of rate limits show the window of the address; a scrape itself is not counted. */
const showBudget = async (call: HttpCall, budgets: MetricsParts['budgets']): Promise<void> =>
  budgets.chargeAddress(call.address, 'probe', { cost: 1 }, call.allow);

/** Headers that a proxy adds: behind one on the same machine, every caller would come from it. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

const isLocal = ({ request }: HttpExchange): boolean =>
  /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/.test(request.remoteAddress) &&
  !FORWARDED.some((name) => request.header(name) !== undefined);

/** In a time that says nothing of the token. */
const isSame = (given: string | undefined, token: string): boolean => {
  const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(token));
};
