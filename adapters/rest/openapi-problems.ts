import { ERROR_CATALOGUE, type ErrorCode, NotaryError } from '../../domain/kernel/errors.ts';
import { scopesOf } from '../../application/call/access.ts';
import { KIND_STATUS, problemOf, wireCodeOf } from '../http/problem.ts';
import type { RouteDoc } from '../http/route-doc.ts';
import { headerRef, headersFor, type Json, ref } from './openapi-components.ts';

/** The refusals of an operation by status, each a reference to one of `problemComponents`. */
export const problemsOf = (route: RouteDoc): Json =>
  Object.fromEntries(
    [...codesByStatus(route)].map(([status, codes]) => [
      String(status),
      ref(`responses/${responseName(codes)}`),
    ]),
  );

/** What the refusals of these operations refer to. Operations that refuse for the same reasons share a response. */
export const problemComponents = (
  routes: readonly RouteDoc[],
): { readonly responses: Json; readonly examples: Json } => {
  const answers = routes.flatMap((route) => [...codesByStatus(route)]);
  const all = [...answers, [405, ['METHOD_NOT_ALLOWED']] as const];
  const codes = new Set(all.flatMap(([, together]) => together));
  return {
    responses: Object.fromEntries(
      all.map(([status, together]) => [responseName(together), responseOf(status, together)]),
    ),
    examples: Object.fromEntries(
      inOrder(codes).map((code) => [pascal(code), { value: exampleProblem(code) }]),
    ),
  };
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
    // Also of a body that nothing reads.
    'PAYLOAD_TOO_LARGE',
    route.body !== null && 'UNSUPPORTED_MEDIA_TYPE',
    isProtected && route.method === 'POST' && 'UNPROCESSABLE',
    ...route.problems,
    route.limit !== 'probe' && 'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
  return inOrder(new Set(codes.filter((code): code is ErrorCode => code !== false)));
};

/** As the catalogue has them, so that the same refusals come in the same order everywhere. */
const inOrder = (codes: ReadonlySet<ErrorCode>): readonly ErrorCode[] =>
  (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).filter((code) => codes.has(code));

const codesByStatus = (route: RouteDoc): ReadonlyMap<number, readonly ErrorCode[]> => {
  const byStatus = new Map<number, readonly ErrorCode[]>();
  for (const code of problemCodesOf(route)) {
    const status = KIND_STATUS[ERROR_CATALOGUE[code].kind];
    if (!route.answers[status]) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
};

/** Such as `InsufficientScopeOrAccountDeactivated`; generators make a type of this name. */
const responseName = (codes: readonly ErrorCode[]): string => codes.map(pascal).join('Or');

const pascal = (code: ErrorCode): string =>
  code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The schema narrows `code` to what this answer can say, so that a client need not handle the others. */
const responseOf = (status: number, codes: readonly ErrorCode[]): Json => ({
  description: codes.map((code) => ERROR_CATALOGUE[code].title).join('; '),
  headers: headersFor(
    OWN_HEADERS.flatMap(([name, has]) => (has(status, codes) ? [headerRef(name)] : [])),
  ),
  content: {
    'application/problem+json': {
      schema: {
        allOf: [
          ref('schemas/Problem'),
          { type: 'object', properties: { code: { enum: [...new Set(codes.map(wireCodeOf))] } } },
        ],
      },
      examples: Object.fromEntries(codes.map((code) => [code, ref(`examples/${pascal(code)}`)])),
    },
  },
});

type HasHeader = (status: number, codes: readonly ErrorCode[]) => boolean;

/** Headers that only some refusals have. A refusal that may end otherwise the next time is not kept. */
const OWN_HEADERS: readonly (readonly [Parameters<typeof headerRef>[0], HasHeader])[] = [
  ['WWW-Authenticate', (status) => status === 401 || status === 403],
  ['Allow', (status) => status === 405],
  ['Idempotency-Replayed', (status) => [404, 409, 412, 422].includes(status)],
  [
    'Retry-After',
    (status, codes) => status === 429 || status === 503 || codes.includes('IN_FLIGHT'),
  ],
];

const exampleProblem = (code: ErrorCode): unknown => {
  const members = code === 'INSUFFICIENT_SCOPE' ? { missingScopes: ['records:write'] } : {};
  return problemOf(new NotaryError(code, `${ERROR_CATALOGUE[code].title}.`, members), {
    requestId: '019c1f00-0000-7000-8000-00000000000a',
    instance: '/v1/records',
  });
};
