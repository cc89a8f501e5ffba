import { ERROR_CATALOGUE, type ErrorCode, NotaryError } from '../../domain/kernel/errors.ts';
import { scopesOf } from '../../application/call/access.ts';
import { KIND_STATUS, problemOf } from '../http/problem.ts';
import type { RouteDoc } from '../http/route-doc.ts';
import { headersFor, type Json, ref } from './openapi-components.ts';

export const problemsOf = (route: RouteDoc): Json => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of problemCodesOf(route)) {
    const status = KIND_STATUS[ERROR_CATALOGUE[code].kind];
    if (!route.answers[status]) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), problemResponse(status, codes, route)]),
  );
};

/**
 * Every refusal that a route can give: those that follow from its shape, and those that it names.
 */
export const problemCodesOf = (route: RouteDoc): readonly ErrorCode[] => {
  const isProtected = route.access !== 'public';
  const codes: readonly (ErrorCode | false)[] = [
    'VALIDATION_ERROR',
    isProtected && 'UNAUTHORIZED',
    isProtected && scopesOf(route.access).length > 0 && 'INSUFFICIENT_SCOPE',
    isProtected && route.access.roles !== undefined && 'FORBIDDEN',
    isProtected && 'ACCOUNT_DEACTIVATED',
    isProtected && route.params !== null && 'NOT_FOUND',
    'NOT_ACCEPTABLE',
    isProtected && route.method === 'POST' && 'IN_FLIGHT',
    route.ifMatch && 'PRECONDITION_FAILED',
    route.body !== null && 'PAYLOAD_TOO_LARGE',
    route.body !== null && 'UNSUPPORTED_MEDIA_TYPE',
    isProtected && route.method === 'POST' && 'UNPROCESSABLE',
    ...route.problems,
    route.limit !== 'probe' && 'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
  return [...new Set(codes.filter((code): code is ErrorCode => code !== false))];
};

const problemResponse = (status: number, codes: readonly ErrorCode[], route: RouteDoc): Json => ({
  description: codes.map((code) => ERROR_CATALOGUE[code].title).join('; '),
  headers: headersFor([
    ...(status === 401 || status === 403
      ? [['WWW-Authenticate', ref('headers/WWW-Authenticate')] as const]
      : []),
    ...(status === 429 || status === 503 || codes.includes('IN_FLIGHT')
      ? [['Retry-After', ref('headers/Retry-After')] as const]
      : []),
  ]),
  content: {
    'application/problem+json': {
      schema: ref('schemas/Problem'),
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: exampleProblem(code, route) }]),
      ),
    },
  },
});

const exampleProblem = (code: ErrorCode, route: RouteDoc): unknown => {
  const scopes = scopesOf(route.access);
  const members = code === 'INSUFFICIENT_SCOPE' ? { missingScopes: scopes } : {};
  return problemOf(new NotaryError(code, `${ERROR_CATALOGUE[code].title}.`, members), {
    requestId: '019c1f00-0000-7000-8000-00000000000a',
    instance: route.path,
  });
};
