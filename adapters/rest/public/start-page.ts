import { Type } from 'typebox';
import { oneOf } from '../../../application/call/schemas.ts';
import { page, type Page } from '../page.ts';
import { isReady, type CheckHealth } from '../../../application/operations/check-health.ts';

/** Where a visitor can go without a credential, most useful first. */
const LINKS = [
  { href: '/docs/guides/quick-start', title: 'Quick start' },
  { href: '/docs', title: 'The guides' },
  { href: '/docs/reference', title: 'Every operation of the interface' },
  { href: '/docs/search', title: 'Search both' },
  { href: '/docs/verify', title: 'Verify a record in this browser' },
  { href: '/console', title: 'The console: what your key may read, verified in this browser' },
  { href: '/docs/openapi.json', title: 'The interface as an OpenAPI 3.1 document' },
  { href: '/docs/openapi.yaml', title: 'The same in YAML' },
  { href: '/llms.txt', title: 'For language models' },
  { href: '/v1/verification-keys', title: 'The keys that exports are verified with' },
  { href: '/v1/scope-profiles', title: 'What a key may do: the scope profiles' },
  { href: '/predicates', title: 'What the signed entries say: the predicates' },
  { href: '/status', title: 'How the parts of the service fare' },
] as const;

const ABOUT =
  'A cryptographic notary for automated work: it records what agents are authorized to do, what they deliver and what was decided, in signed chains that anyone can verify offline.';
const TOUR =
  'Every call under /v1 takes an API key as "Authorization: Bearer <API_KEY>", and its answers say what can be done next. The README of the service has a tour of five minutes; `notary demo --keep` starts a service with keys and records to play with.';

/** `/`: what this is, whether it is well, and where to go. */
export const startPages = (
  checkHealth: Pick<CheckHealth, 'execute'>,
  version: string,
): readonly Page[] => [
  page({
    path: '/',
    operationId: 'getStart',
    summary: 'What this is, whether it is well, and where to go',
    tag: 'Documentation',
    produces: ['application/json', 'text/html'],
    answers: {
      200: {
        description: 'The way in',
        schema: Type.Object({
          name: Type.String(),
          version: Type.String(),
          status: oneOf(['ok', 'degraded']),
          about: Type.String(),
          start: Type.String({ description: 'How to begin' }),
          links: Type.Array(Type.Object({ href: Type.String(), title: Type.String() })),
        }),
        example: {
          name: 'Notary Service',
          version: '0.1.0',
          status: 'ok',
          about: ABOUT,
          start: TOUR,
          links: LINKS,
        },
        texts: { 'text/html': '<!doctype html><title>Notary Service</title>' },
      },
    },
    render: async ({ mediaType }) => {
      const status = isReady(await checkHealth.execute()) ? 'ok' : 'degraded';
      const start = {
        name: 'Notary Service',
        version,
        status,
        about: ABOUT,
        start: TOUR,
        links: LINKS,
      };
      return mediaType === 'text/html'
        ? { status: 200, headers: HTML_HEADERS, text: { mediaType, content: htmlOf(start) } }
        : { status: 200, body: start };
    },
  }),
];

const HTML_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** Nothing of the request is on it. */
const htmlOf = ({ version, status }: { readonly version: string; readonly status: string }) =>
  [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Notary Service</title>',
    '<style>body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}</style>',
    `<h1>Notary Service</h1><p>${ABOUT}</p>`,
    `<p>Version ${version}. ${status === 'ok' ? 'It is well.' : 'It is degraded: <a href="/status">/status</a> says what fails.'}</p>`,
    `<p>${TOUR.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`,
    `<ul>${LINKS.map(({ href, title }) => `<li><a href="${href}">${title}</a></li>`).join('')}</ul>`,
    '</html>',
  ].join('\n');
