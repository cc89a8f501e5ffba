import type { Answer } from '../../http/http-exchange.ts';

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** A page runs and loads what this origin serves as files. Its forms go nowhere, or to the search of this origin. */
const policyOf = (forms: 'none' | 'self'): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action '${forms}'; frame-ancestors 'none'`;

/** The headers of what is served under /docs. */
export const withPolicy = (answer: Answer, forms: 'none' | 'self' = 'self'): Answer => ({
  ...answer,
  headers: {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': answer.text?.mediaType === 'text/html' ? policyOf(forms) : NOTHING,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    ...answer.headers,
  },
});
